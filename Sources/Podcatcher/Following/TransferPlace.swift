private import Synchronization

/// A place among the transfers of a long list. It is free again when the whole body is here, though the feed has yet to be
/// parsed and stored, so that the next server is asked meanwhile.
final class TransferPlace: Sendable {
  private let turnstile: Turnstile
  private let isHeld = Atomic(true)

  init(at turnstile: Turnstile) async {
    self.turnstile = turnstile
    await turnstile.enter()
  }

  deinit { giveBack() }

  func giveBack() {
    if isHeld.exchange(false, ordering: .acquiringAndReleasing) { turnstile.leave() }
  }

  /// So many more feeds than transfers are under way.
  static let ahead = 24
}
