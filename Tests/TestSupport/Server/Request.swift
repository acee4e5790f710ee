/// A request as it was received.
package struct Request: Sendable {
  package let method: String
  package let target: String
  package let headers: [(name: String, value: String)]
  package let body: [UInt8]
  /// The number of its connection, counted from 1: equal numbers mean that the client kept the connection.
  package let connection: Int

  package var path: String { String(target.prefix { $0 != "?" }) }
  package var query: String { String(target.drop { $0 != "?" }.dropFirst()) }

  /// The first header of that name, ignoring case.
  package func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  package init(
    method: String = "GET", target: String = "/", headers: [(name: String, value: String)] = [], body: [UInt8] = [],
    connection: Int = 1
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.connection = connection
  }
}

/// The head of a request: everything up to the empty line, without the body.
struct RequestHead {
  let method: String
  let target: String
  let isHTTP11: Bool
  let headers: [(name: String, value: String)]

  /// Nil if it is not a request line followed by header lines.
  init?(_ bytes: some Collection<UInt8>) {
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: true)
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count == 3, words[2].hasPrefix("HTTP/1.") else { return nil }
    method = String(words[0])
    target = String(words[1])
    isHTTP11 = words[2] != "HTTP/1.0"
    headers = lines.dropFirst().map { line in
      let colon = line.firstIndex(of: ":") ?? line.endIndex
      let value = line[colon...].dropFirst().drop { $0 == " " || $0 == "\t" }
      return (String(line[..<colon]), String(value))
    }
  }
}

/// A request and the result of its response.
package struct Exchange: Sendable, CustomStringConvertible {
  package enum End: Sendable {
    case underway
    /// The whole response was sent, misbehaviour included.
    case complete
    /// The client left, or the server was stopped, before that.
    case abandoned
  }

  package let request: Request
  package internal(set) var end = End.underway
  /// The bytes of the body that were sent so far, without chunk framing.
  package internal(set) var bytesSent = 0

  package var description: String { "\(request.method) \(request.target) (\(end), \(bytesSent) bytes)" }
}
