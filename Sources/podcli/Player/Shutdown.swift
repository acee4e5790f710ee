import Dispatch
import Glibc
import PodcastStore
import Podcatcher
import Synchronization

/// What happens when a signal ends the playing: the place is written first, then everything else, and nothing
/// may take longer than a moment.
///
/// The handlers live on a queue of their own, so a busy pool or a library that is locked cannot keep them waiting.
final class Shutdown: Sendable {
  private let listener: Listener
  private let store: PodcastStore
  private let live: Live
  private let console: Console
  /// Takes away what says that it plays.
  private let endWell: @Sendable () -> Void
  private let queue = DispatchQueue(label: "podcli.last-words", qos: .userInteractive)
  private let sources = Mutex<[any DispatchSourceSignal]>([])
  private let isOver = Atomic(false)

  /// How long the library may take before the side file has to do.
  private static let patience = DispatchTimeInterval.milliseconds(700)

  init(listener: Listener, store: PodcastStore, _ context: Context, endWell: @escaping @Sendable () -> Void) {
    self.endWell = endWell
    self.listener = listener
    self.store = store
    live = context.live
    console = context.console
    // Each source refers back to this object, which is meant to last as long as the process.
    sources.withLock { sources in
      sources = Signals.watch(Signals.ending, on: queue) { [self] signal in end(by: signal) }
    }
  }

  /// The playing has ended. Returns only when it ended by itself; else the signal has the last word.
  func yieldToSignal() async {
    // Ended by itself first: a signal that comes now finds everything written.
    if isOver.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged { return }
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
  }

  private func end(by signal: Int32) {
    // A second signal is a demand, and after the end there is nothing left to write.
    guard isOver.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged else {
      leave(signal)
    }
    let last = listener.nowPlaying
    queue.asyncAfter(deadline: .now() + Self.patience) { [self] in
      writeSideFile()
      leave(signal, saying: last)
    }
    Task { [self] in
      do {
        try await listener.saveNow()
      } catch {
        writeSideFile()
      }
      queue.async { [self] in leave(signal, saying: last) }
    }
  }

  private func writeSideFile() {
    guard let now = listener.nowPlaying else { return }
    live.writeSideFile(now, store)
  }

  /// The place is written, and the kernel takes back the rest faster than we could give it.
  private func leave(_ signal: Int32, saying last: NowPlaying? = nil) -> Never {
    endWell()
    // With no place saved there is none to go on at.
    if SharedTerminal.leave(), let position = last?.position {
      console.say("Stopped at \(ClockText.short(position)); go on with: podcli resume")
    }
    _exit(128 + signal)
  }
}
