import Dispatch
import Glibc
import Playback
import PodcastStore
import Podcatcher
import Synchronization

/// What happens when a signal ends the playing: the place is written first, then everything else, and nothing
/// may take longer than a moment.
///
/// The handlers live on a queue of their own, so a busy pool or a library that is locked cannot keep them waiting.
final class LastWords: Sendable {
  private let listener: Listener
  private let player: MPVPlayer
  private let store: PodcastStore
  private let live: Live
  private let queue = DispatchQueue(label: "podcli.last-words", qos: .userInteractive)
  private let sources = Mutex<[any DispatchSourceSignal]>([])
  private let isEnding = Atomic(false)
  private let isOver = Atomic(false)

  /// How long the library may take before the side file has to do.
  private static let patience = DispatchTimeInterval.milliseconds(700)

  init(listener: Listener, player: MPVPlayer, store: PodcastStore, live: Live) {
    self.listener = listener
    self.player = player
    self.store = store
    self.live = live
    // Each source refers back to this object, which is meant to last as long as the process.
    sources.withLock { sources in
      sources = Signals.watch(Signals.ending, on: queue) { [self] signal in end(by: signal) }
    }
  }

  /// The playing ended by itself, and its place is written.
  func areSpoken() { isOver.store(true, ordering: .releasing) }

  private func end(by signal: Int32) {
    guard !isOver.load(ordering: .acquiring) else { leave(signal) }
    // A second signal is a demand: what could be written has been.
    guard isEnding.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged else {
      leave(signal)
    }
    queue.asyncAfter(deadline: .now() + Self.patience) { [self] in
      writeSideFile()
      leave(signal)
    }
    Task { [self] in
      do {
        try await listener.saveNow()
      } catch {
        writeSideFile()
      }
      player.close()
      await store.close()
      leave(signal)
    }
  }

  private func writeSideFile() {
    guard let now = listener.nowPlaying else { return }
    live.writeSideFile(now, store)
  }

  private func leave(_ signal: Int32) -> Never {
    PlayingFace.clearLine()
    RawMode.restore()
    _exit(128 + signal)
  }
}
