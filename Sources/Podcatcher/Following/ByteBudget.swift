private import Synchronization

/// Room that many share for bytes that wait. Nobody waits for room: whoever finds none must do with what they have.
final class ByteBudget: Sendable {
  private let left: Mutex<Int>

  init(_ bytes: Int) { left = Mutex(bytes) }

  /// Always taken; false when that was the last of it.
  func take(_ bytes: Int) -> Bool {
    left.withLock { left in
      left -= bytes
      return left > 0
    }
  }

  func giveBack(_ bytes: Int) {
    left.withLock { $0 += bytes }
  }
}
