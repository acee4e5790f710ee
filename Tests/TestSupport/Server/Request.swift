/// A request as it arrived.
package struct Request: Sendable {
  package let method: String
  package let target: String
  package let headers: [(name: String, value: String)]
  package let body: [UInt8]
  /// Which connection brought it, counted from 1: equal numbers mean the client kept the connection.
  package let connection: Int

  package var path: String { String(target.prefix { $0 != "?" }) }
  package var query: String { String(target.drop { $0 != "?" }.dropFirst()) }

  /// The first header of that name, in any case.
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

/// A request's head: everything up to the empty line, still without its body.
struct RequestHead {
  let method: String
  let target: String
  let isHTTP11: Bool
  let headers: [(name: String, value: String)]

  /// Nil for what is not a request line followed by header lines.
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

/// What became of a request.
package struct Exchange: Sendable, CustomStringConvertible {
  package enum End: Sendable {
    case underway
    /// Everything the response meant to say was said, misbehaviour included.
    case complete
    /// The client went away, or the server was stopped, before that.
    case abandoned
  }

  package let request: Request
  package internal(set) var end = End.underway
  /// Bytes of the body handed to the network, without chunk framing.
  package internal(set) var bytesSent = 0

  package var description: String { "\(request.method) \(request.target) (\(end), \(bytesSent) bytes)" }
}
