import Glibc
import TestSupport

/// Sends and receives raw bytes, so that the server's tests need no HTTP library.
struct RawClient: ~Copyable {
  private let socket: Int32

  init(_ server: LoopbackServer) throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = server.port.bigEndian
    inet_pton(AF_INET, server.host, &address.sin_addr)
    let code = withUnsafeBytes(of: &address) {
      connect(socket, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
    }
    guard code == 0 else { throw SystemError("connect") }
    // A test that failed before it let the server answer must not wait for ever.
    var patience = timeval(tv_sec: 120, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(socket) }

  func send(_ lines: String...) {
    let text = lines.joined(separator: "\r\n") + "\r\n\r\n"
    _ = text.withCString { Glibc.send(socket, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
  }

  /// The next bytes, at most `count`; nil if the connection was reset.
  func receive(_ count: Int = 64 << 10) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: count)
    let received = recv(socket, &buffer, count, 0)
    return received < 0 ? nil : Array(buffer.prefix(received))
  }

  /// All bytes until the server closes the connection.
  func receiveAll() -> String {
    var bytes: [UInt8] = []
    while let some = receive(), !some.isEmpty { bytes += some }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Sends one request on a new connection and returns the whole response.
func fetch(_ target: String, from server: LoopbackServer, method: String = "GET", _ headers: String...) async throws
  -> String
{
  let head = (["\(method) \(target) HTTP/1.1", "Host: x", "Connection: close"] + headers).joined(separator: "\r\n")
  let answer: Result<String, any Error> = await offPool {
    Result {
      let client = try RawClient(server)
      client.send(head)
      return client.receiveAll()
    }
  }
  return try answer.get()
}

/// The bytes after the empty line.
func body(_ answer: String) -> String {
  String(decoding: bodyBytes(answer), as: UTF8.self)
}

private func bodyBytes(_ answer: String) -> ArraySlice<UInt8> {
  let bytes = Array(answer.utf8)
  let end = bytes.indices.first { bytes[$0...].starts(with: [13, 10, 13, 10]) }
  return bytes[(end.map { $0 + 4 } ?? bytes.count)...]
}
