private import Glibc

/// An HTTP/1.1 server on the loopback interface for one test: it serves given responses, misbehaves on request and records
/// every exchange. One thread accepts, and each connection has a thread.
///
///     let server = try LoopbackServer()
///     server.serve("/feed.xml", .feed(SampleFeed().bytes))
///     server.serve("/1.mp3", .resource(audio, etag: "\"1\"").truncated(at: 1000))
///     ... server.url("/feed.xml") ...
///     try await server.request(1, to: "/1.mp3")
package final class LoopbackServer: Sendable {
  package typealias Handler = @Sendable (Request) -> Response

  package let host: String
  package let port: UInt16
  private let core: ServerCore

  /// A second server on another `host`, such as 127.0.0.2, is another origin.
  package init(host: String = "127.0.0.1") throws(SystemError) {
    let listener = try Descriptor(
      socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0), from: "socket")
    port = try listenOnAnyPort(listener.number, host: host)
    self.host = host
    let core = ServerCore()
    self.core = core
    startThread { core.accept(from: listener) }
  }

  deinit { stop() }

  package var origin: String { "http://\(host):\(port)" }
  package func url(_ path: String) -> String { origin + path }

  /// Answers every request for `path` (without its query) with this response from now on. Other paths are 404.
  package func serve(_ path: String, _ response: Response) {
    core.serve(path) { _ in response }
  }

  package func serve(_ path: String, handler: @escaping Handler) {
    core.serve(path, handler)
  }

  /// Serves the responses in turn, one per request; the last one stays.
  package func serve(_ path: String, inTurn responses: [Response]) {
    let turn = Observed(0)
    core.serve(path) { _ in
      let index = turn.update { count in
        defer { count += 1 }
        return count
      }
      return responses.isEmpty ? .status(404) : responses[min(index, responses.count - 1)]
    }
  }

  /// Answers the requests whose path has no response.
  package func serveOthers(handler: @escaping Handler) { core.serveOthers(handler) }

  /// All exchanges so far, in order of arrival.
  package var exchanges: [Exchange] { core.exchanges.value }
  package var requests: [Request] { exchanges.map(\.request) }
  package func requests(to path: String) -> [Request] { requests.filter { $0.path == path } }

  /// Waits until the `number`th request (counted from 1) has arrived, of all or of those for `path`.
  @discardableResult
  package func request(_ number: Int, to path: String? = nil) async throws -> Request {
    try await core.exchanges.wait(for: "request \(number) to \(path ?? "the server")") { exchanges in
      let matching = exchanges.lazy.map(\.request).filter { path == nil || $0.path == path }
      return matching.dropFirst(number - 1).first
    }
  }

  /// Waits until the recorded exchanges satisfy a condition, such as a complete body or a client that left.
  package func wait(for what: String, until holds: @escaping @Sendable ([Exchange]) -> Bool) async throws {
    try await core.exchanges.wait(for: what, until: holds)
  }

  /// Ends every connection at once. Nothing listens on the port afterwards.
  package func stop() { core.stop() }
}

/// Binds to a free port and returns it.
private func listenOnAnyPort(_ socket: Int32, host: String) throws(SystemError) -> UInt16 {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else { throw SystemError("address \(host)", code: EINVAL) }
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  let code = withUnsafeMutableBytes(of: &address) { bytes -> Int32 in
    let generic = bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self)
    return bind(socket, generic, length) | listen(socket, 1024) | getsockname(socket, generic, &length)
  }
  guard code == 0 else { throw SystemError("listen on \(host)") }
  return UInt16(bigEndian: address.sin_port)
}
