import Glibc
import Synchronization

/// The terminal, as the playing face and a signal that ends podcli share it: the one draws a line and takes keys, the
/// other wipes the line out and gives the keys back, and after that nothing is drawn or taken any more.
enum SharedTerminal {
  private struct State {
    /// There is a line to be wiped out.
    var hasLine = false
    var isLeft = false

    mutating func clearLine() {
      guard hasLine, isInForeground(StandardError.descriptor) else { return }
      hasLine = false
      _ = Console.put("\r\u{1B}[K", on: StandardError.descriptor)
    }
  }

  private static let state = Mutex(State())

  static func draw(_ line: String) {
    state.withLock { state in
      guard !state.isLeft else { return }
      state.hasLine = true
      _ = Console.put("\r\(line)\u{1B}[K", on: StandardError.descriptor)
    }
  }

  static func clearLine() { state.withLock { $0.clearLine() } }

  static func takeKeys() -> Bool { state.withLock { !$0.isLeft && RawMode.enter() } }

  /// For whoever ends the process. A terminal that somebody has stopped with Ctrl-S holds up whoever writes to it, but
  /// not this. Answers whether there is anybody to say a last word to.
  static func leave() -> Bool {
    defer { RawMode.restore() }
    for _ in 0..<20 {
      let isWritable = state.withLockIfAvailable { state in
        state.isLeft = true
        guard canWrite else { return false }
        state.clearLine()
        return true
      }
      if let isWritable { return isWritable }
      _ = poll(nil, 0, 5)
    }
    return false
  }

  private static var canWrite: Bool {
    var talk = pollfd(fd: StandardError.descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&talk, 1, 0) == 1 && talk.revents & Int16(POLLOUT) != 0
  }

  /// A terminal that is not the process's own has no other user.
  static func isInForeground(_ descriptor: Int32) -> Bool {
    let group = tcgetpgrp(descriptor)
    return group < 0 || group == getpgrp()
  }
}
