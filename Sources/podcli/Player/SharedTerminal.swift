import Glibc
import ScreenKit
import Synchronization

/// The terminal, shared by the playing line and a signal that ends podcli: the first draws a line and reads keys, the
/// second clears the line and restores the terminal's mode, and after that nothing is drawn or read any more.
enum SharedTerminal {
  private struct State {
    /// There is a line to be cleared.
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

  /// Before the process ends. A terminal that was stopped with Ctrl-S blocks every write, but not this call. Returns
  /// whether a message can still be written.
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
    var output = pollfd(fd: StandardError.descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&output, 1, 0) == 1 && output.revents & Int16(POLLOUT) != 0
  }

  /// True also for a terminal that is not the process's controlling terminal: no shell shares it.
  static func isInForeground(_ descriptor: Int32) -> Bool {
    let group = tcgetpgrp(descriptor)
    return group < 0 || group == getpgrp()
  }
}
