private import CTestSupport
private import Glibc

/// One client's connection: reads requests and sends responses until either side ends it.
struct Connection {
  /// Why a connection ended: in order, by a deliberate reset, or because the client closed it or the server stopped.
  enum End: Error {
    case closed
    case reset
    case abandoned
  }

  let socket: Int32
  let number: Int
  let core: ServerCore

  /// The body of the connection's thread.
  func serve() -> End {
    var on: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    var reader = RequestReader(connection: self)
    do {
      while true {
        let (request, keepsAlive) = try reader.next()
        let isOpen = try answer(request)
        if !keepsAlive || !isOpen { return .closed }
      }
    } catch {
      return error
    }
  }

  /// Records the request, sends the response and records the result; false if the response ends the connection.
  private func answer(_ request: Request) throws(End) -> Bool {
    let index = core.exchanges.update { exchanges in
      exchanges.append(Exchange(request: request))
      return exchanges.count - 1
    }
    let response = core.response(to: request)
    var sender = ResponseSender(connection: self, response: response, method: request.method) { bytes in
      core.exchanges.update { $0[index].bytesSent = bytes }
    }
    do {
      try sender.send()
    } catch {
      core.exchanges.update { $0[index].end = error == .abandoned ? .abandoned : .complete }
      throw error
    }
    core.exchanges.update { $0[index].end = .complete }
    return sender.keepsConnection
  }

  /// Waits for the first of these: the deadline, the gate, the client closing, the server stopping.
  func wait(until deadline: Deadline? = nil, gate: Gate? = nil) throws(End) {
    var polled = [
      pollfd(fd: core.stopping.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: socket, events: Int16(podcli_pollrdhup), revents: 0),
      pollfd(fd: gate?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&polled, 3, deadline?.pollTimeout ?? -1) < 0 && errno == EINTR {}
    if polled[0].revents != 0 || polled[1].revents != 0 { throw .abandoned }
  }

  /// `more` means that the rest of a packet follows at once.
  func send(_ bytes: UnsafeRawBufferPointer, more: Bool = false) throws(End) {
    var rest = bytes[...]
    let flags = Int32(MSG_NOSIGNAL) | (more ? Int32(MSG_MORE) : 0)
    while !rest.isEmpty {
      let sent = Glibc.send(socket, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count, flags)
      if sent < 0 && errno != EINTR { throw .abandoned }
      rest = rest.dropFirst(max(0, sent))
    }
  }

  func send(_ bytes: [UInt8], more: Bool = false) throws(End) {
    let result: Result<Void, End> = bytes.withUnsafeBytes { buffer in
      do throws(End) { return .success(try send(buffer, more: more)) } catch { return .failure(error) }
    }
    try result.get()
  }
}
