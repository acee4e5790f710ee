import Dispatch
import Glibc
import PodcastModel
import PodcastStore
import Podcatcher
import Synchronization
import System
import Text

/// The line and the keys of a player in another process.
final class AttachedPlayer: Sendable {
  private let player: PlayerClient
  private let context: Context
  private let view: PlayingView
  private let latest: Mutex<PlayerStatus?>
  /// The user has left.
  private let isLeft = Atomic(false)

  init(_ player: PlayerClient, _ context: Context, _ status: JSON) {
    self.player = player
    self.context = context
    latest = Mutex(PlayerStatus(document: status))
    view = PlayingView(console: context.console)
  }

  /// Returns when the user leaves, or the player has ended.
  func run() async {
    Signals.watchAlways(Signals.ending, on: DispatchQueue(label: "podcli.attach")) { signal in
      _ = SharedTerminal.leave()
      _exit(128 + signal)
    }
    view.start(
      PlayingView.Player(
        status: { [self] in latest.withLock { $0 } }, press: { [self] in press($0) },
        help: PlayingKeys.helpText(leaving: "leave; it goes on")))
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      onThread { [self] in
        follow()
        continuation.resume()
      }
    }
    view.stop()
    context.console.say(
      isLeft.load(ordering: .relaxed)
        ? "It goes on; podcli attach comes back, podcli stop ends it" : "The player has ended; podcli resume goes on")
  }

  private func follow() {
    while let answer = player.next() {
      switch answer {
      case .success(let status):
        guard let status = PlayerStatus(document: status), status.state != .stopped else { return }
        let before = latest.withLock { latest in
          defer { latest = status }
          return latest
        }
        if let text = status.soundText, text != before?.soundText { view.hint(text) }
      case .failure(let error): view.hint(Failure(error).line)
      }
    }
  }

  private func press(_ key: ControlWord.Key) {
    switch key.command {
    case .stop:
      isLeft.store(true, ordering: .relaxed)
      player.hangUp()
    case .showChapters:
      show { [self] store, episode in
        let playing = latest.withLock { $0?.chapter?.index }
        let chapters = try await chapters(of: episode.id, store)
        return PlayingPages.chapters(chapters, playing: playing.map { $0 - 1 })
      }
    case .showNotes:
      show { store, episode in
        [PlayingPages.notes(try await store.details(of: episode.id))]
      }
    case .skipStart, .skipEnd: view.hint("{ and } mark in the player's own terminal")
    default: player.send(key.words)
    }
  }

  private func chapters(of id: EpisodeID, _ store: PodcastStore) async throws -> [Chapter] {
    guard let details = try await store.details(of: id) else { return [] }
    let known = SideDocuments.knownChapters(of: details).filter(\.isListed)
    return await context.live.repeatSearch(store: store).chapters(known, of: details.entry)
  }

  /// Of the library, which has what the player knows.
  private func show(_ lines: @escaping @Sendable (PodcastStore, Episode) async throws -> [String]) {
    guard let episode = latest.withLock({ $0?.entry?.episode }) else { return }
    Task { [context, view] in
      let found = try? await context.withStore(.readOnly) { try await lines($0, episode) }
      for line in found ?? [] { view.say(line) }
    }
  }
}
