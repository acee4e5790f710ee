private import CTestSupport
private import Glibc

/// Reads requests from a connection; bytes after the end of one are kept for the next.
struct RequestReader {
  let connection: Connection
  private var pending: [UInt8] = []

  init(connection: Connection) { self.connection = connection }

  /// The next request, and whether the client keeps the connection open after it.
  mutating func next() throws(Connection.End) -> (Request, keepsAlive: Bool) {
    let head = try readHead()
    let body = try readBody(of: head)
    let request = Request(
      method: head.method, target: head.target, headers: head.headers, body: body, connection: connection.number)
    let wish = request.header("Connection")?.lowercased()
    return (request, head.isHTTP11 ? wish != "close" : wish == "keep-alive")
  }

  private mutating func readHead() throws(Connection.End) -> RequestHead {
    while true {
      if let end = endOfHead(pending) {
        guard let head = RequestHead(pending[..<end]) else { throw try refusing(400) }
        pending.removeFirst(end)
        return head
      }
      if pending.count > 256 << 10 { throw try refusing(431) }
      try readMore()
    }
  }

  private mutating func readBody(of head: RequestHead) throws(Connection.End) -> [UInt8] {
    let length = head.headers.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) } ?? 0
    if head.headers.contains(where: { $0.name.lowercased() == "transfer-encoding" }) { throw try refusing(411) }
    while pending.count < length { try readMore() }
    defer { pending.removeFirst(min(pending.count, max(0, length))) }
    return Array(pending.prefix(max(0, length)))
  }

  private mutating func readMore() throws(Connection.End) {
    let bytes = readSome(connection.socket)
    if bytes.isEmpty { throw .closed }
    pending += bytes
  }

  private func refusing(_ status: Int) throws(Connection.End) -> Connection.End {
    try connection.send(Array("HTTP/1.1 \(status) Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8))
    return .closed
  }
}

/// The index after the empty line.
private func endOfHead(_ bytes: [UInt8]) -> Int? {
  bytes.withUnsafeBytes { buffer in
    guard let found = memmem(buffer.baseAddress, buffer.count, "\r\n\r\n", 4) else { return nil }
    return UnsafeRawPointer(found) - buffer.baseAddress! + 4
  }
}
