import PodcastModel
import PodcastStore
import Podcatcher
import System

/// The screen's connection to the player of the library, if one runs.
final class PlayerLink: Sendable {
  private let live: Live
  private let store: PodcastStore
  private let send: @Sendable (ScreenEvent) -> Void

  init(_ live: Live, _ store: PodcastStore, send: @escaping @Sendable (ScreenEvent) -> Void) {
    self.live = live
    self.store = store
    self.send = send
  }

  /// Looks for a player: the library has changed, as it does when one starts.
  func look() async {
    guard let status = try? await PlayerStatus.current(store, live.paths) else { return }
    send(.status(status))
  }

  /// Sends a control word with its arguments; the answer is its new status.
  func ask(_ words: [String]) {
    send(.said(.init(text: "This player takes no commands", isError: true)))
  }
}
