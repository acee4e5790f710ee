private import CTestSupport
private import Glibc

/// The state that the server's threads share. They reference this and not the server, so that releasing the server stops it.
final class ServerCore: Sendable {
  let exchanges = Observed<[Exchange]>([])
  let stopping = Gate()
  private let routes = Observed(Routes())
  private let threads = Observed(Threads())

  private struct Routes {
    var byPath: [String: LoopbackServer.Handler] = [:]
    var others: LoopbackServer.Handler = { request in .status(404, "nothing at \(request.target)\n") }
  }

  private struct Threads {
    var isAccepting = true
    var connections = 0
    var sockets: Set<Int32> = []
  }

  func serve(_ path: String, _ handler: @escaping LoopbackServer.Handler) {
    routes.update { $0.byPath[path] = handler }
  }

  func serveOthers(_ handler: @escaping LoopbackServer.Handler) {
    routes.update { $0.others = handler }
  }

  func response(to request: Request) -> Response {
    let routes = routes.value
    return (routes.byPath[request.path] ?? routes.others)(request).answering(request)
  }

  /// The body of the accepting thread.
  func accept(from listener: Descriptor) {
    while !readable([listener.number, stopping.descriptor]).contains(stopping.descriptor) {
      let accepted = accept4(listener.number, nil, nil, Int32(SOCK_CLOEXEC.rawValue))
      guard accepted >= 0 else { continue }
      let number = threads.update { threads in
        threads.sockets.insert(accepted)
        threads.connections += 1
        return threads.connections
      }
      startThread { self.converse(over: accepted, number: number) }
    }
    threads.update { $0.isAccepting = false }
  }

  /// The body of a connection's thread. The socket leaves the set before it is closed, since its number may be reused at once.
  private func converse(over socket: Int32, number: Int) {
    let end = Connection(socket: socket, number: number, core: self).serve()
    threads.update { _ = $0.sockets.remove(socket) }
    if end == .reset { resetOnClose(socket) }
    close(socket)
  }

  /// Wakes every thread, and returns when none holds a socket.
  func stop() {
    stopping.open()
    let ended: Void? = threads.blockingWait(Deadline()) { threads in
      for socket in threads.sockets { shutdown(socket, Int32(SHUT_RDWR)) }
      return threads.isAccepting || !threads.sockets.isEmpty ? nil : ()
    }
    precondition(ended != nil, "a connection outlived its server")
  }
}

private func resetOnClose(_ socket: Int32) {
  var lingering = linger(l_onoff: 1, l_linger: 0)
  setsockopt(socket, SOL_SOCKET, SO_LINGER, &lingering, socklen_t(MemoryLayout<linger>.size))
}
