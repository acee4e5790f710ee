private import CBus
private import Glibc
private import Synchronization
internal import System

/// The one thread that serves both buses: it opens the library, makes every call and waits for every message. Other threads
/// send it commands: they are queued under a lock, and an eventfd wakes the thread.
final class BusLoop: Sendable {
  enum Command: Sendable {
    case show(MediaState, Duration?)
    case jumped(Duration)
    case keepAwake(Wakefulness)
    case allowSleep
    case close
  }

  private struct Inbox {
    var commands: [Command] = []
    /// Absent when the thread has ended.
    var wake: Int32?
  }

  private let inbox = Mutex(Inbox())

  init(
    _ identity: MediaIdentity, position: @escaping @Sendable () -> Duration,
    handle: @escaping @Sendable (DesktopEvent) -> Void
  ) {
    let wake = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard wake >= 0 else { return }
    inbox.withLock { $0.wake = wake }
    onThread { [self] in
      var buses = Buses(
        session: SessionBus(identity, position: position, handle: handle), system: SystemBus(handle: handle))
      serve(&buses, wake)
      inbox.withLock { $0.wake = nil }
      close(wake)
    }
  }

  /// Ignored when there is no bus.
  func send(_ command: Command) {
    inbox.withLock { inbox in
      guard let wake = inbox.wake else { return }
      inbox.commands.append(command)
      eventfd_write(wake, 1)
    }
  }

  // MARK: The thread

  private struct Buses {
    var session: SessionBus?
    var system: SystemBus?

    var connections: [BusConnection] { [session?.connection, system?.connection].compactMap { $0 } }

    /// Takes what has come; a dead bus is dropped.
    mutating func process() {
      if let session, !session.connection.process() { self.session = nil }
      if let system, !system.connection.process() { self.system = nil }
    }
  }

  private func serve(_ buses: inout Buses, _ wake: Int32) {
    while true {
      for command in takeCommands(wake) {
        if case .close = command { return }
        obey(command, buses)
      }
      buses.process()
      guard !buses.connections.isEmpty else { return }
      wait(for: buses.connections, wake)
    }
  }

  private func obey(_ command: Command, _ buses: Buses) {
    switch command {
    case .show(let state, let position): buses.session?.show(state, jumpedTo: position)
    case .jumped(let position): buses.session?.jumped(to: position)
    case .keepAwake(let wakefulness):
      buses.session?.keepAwake(wakefulness)
      buses.system?.keepAwake(wakefulness)
    case .allowSleep: buses.system?.allowSleep()
    case .close: break
    }
  }

  private func takeCommands(_ wake: Int32) -> [Command] {
    inbox.withLock { inbox in
      var count: eventfd_t = 0
      eventfd_read(wake, &count)
      defer { inbox.commands = [] }
      return inbox.commands
    }
  }

  private func wait(for connections: [BusConnection], _ wake: Int32) {
    var descriptors = [pollfd(fd: wake, events: Int16(POLLIN), revents: 0)] + connections.compactMap(\.poll)
    let deadline = connections.compactMap(\.deadline).min()
    _ = poll(&descriptors, nfds_t(descriptors.count), deadline.map(Self.milliseconds) ?? -1)
  }

  /// Until a moment of the monotonic clock, rounded up.
  private static func milliseconds(until moment: UInt64) -> Int32 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let now = UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
    return moment <= now ? 0 : Int32(clamping: (moment - now + 999) / 1000)
  }
}
