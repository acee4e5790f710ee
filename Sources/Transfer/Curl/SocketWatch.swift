internal import CCurl
private import Glibc

/// The sockets that libcurl waits for, and an `eventfd` by which any thread may wake the loop.
///
/// libcurl's own waiting (`curl_multi_poll`) asks the system about every socket at every step, one by one: with 64
/// connections that took as long as parsing what came over them.
struct SocketWatch: Sendable {
  private let queue: CInt
  private let wakeup: CInt

  init() throws(TransferError) {
    queue = epoll_create1(CInt(EPOLL_CLOEXEC))
    wakeup = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
    guard queue >= 0, wakeup >= 0 else {
      close()
      throw TransferError(.failed, "the system has no more files to open")
    }
    register(wakeup, for: EPOLLIN.rawValue, by: EPOLL_CTL_ADD)
  }

  func close() {
    for file in [queue, wakeup] where file >= 0 { _ = Glibc.close(file) }
  }

  func wake() { eventfd_write(wakeup, 1) }

  /// `what`: libcurl's constant. False when the system refuses.
  func watch(_ socket: CInt, for what: CInt) -> Bool {
    let events = Self.events(for: what)
    if events == 0 {
      register(socket, for: 0, by: EPOLL_CTL_DEL)
      return true
    }
    // A socket that was closed is no longer watched, and its number comes again: only the system knows.
    return register(socket, for: events, by: EPOLL_CTL_MOD) || register(socket, for: events, by: EPOLL_CTL_ADD)
  }

  private static func events(for what: CInt) -> UInt32 {
    switch what {
    case CURL_POLL_IN: EPOLLIN.rawValue
    case CURL_POLL_OUT: EPOLLOUT.rawValue
    case CURL_POLL_INOUT: EPOLLIN.rawValue | EPOLLOUT.rawValue
    default: 0
    }
  }

  @discardableResult
  private func register(_ file: CInt, for events: UInt32, by operation: CInt) -> Bool {
    var event = epoll_event(events: events, data: epoll_data_t(fd: file))
    return epoll_ctl(queue, operation, file, &event) == 0
  }

  /// Hands on each socket that something happened to, with libcurl's constant for it.
  func wait(milliseconds: CInt, _ body: (CInt, CInt) -> Void) {
    withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 64) { events in
      let count = epoll_wait(queue, events.baseAddress, CInt(events.count), milliseconds)
      for event in events.prefix(Int(max(0, count))) {
        if event.data.fd == wakeup {
          var value: eventfd_t = 0
          eventfd_read(wakeup, &value)
        } else {
          body(event.data.fd, Self.happening(event.events))
        }
      }
    }
  }

  private static func happening(_ events: UInt32) -> CInt {
    var happening: CInt = 0
    if events & (EPOLLIN.rawValue | EPOLLHUP.rawValue) != 0 { happening |= CURL_CSELECT_IN }
    if events & EPOLLOUT.rawValue != 0 { happening |= CURL_CSELECT_OUT }
    if events & EPOLLERR.rawValue != 0 { happening |= CURL_CSELECT_ERR }
    return happening
  }
}
