private import Synchronization

/// A budget of buffered bytes that many feeds share. Taking never waits: it tells when the budget is spent.
final class ByteBudget: Sendable {
  private let left: Mutex<Int>

  init(_ bytes: Int) { left = Mutex(bytes) }

  /// Always takes; false when the budget is spent.
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
