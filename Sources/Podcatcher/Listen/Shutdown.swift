package import Dispatch
private import Glibc
private import Synchronization

/// The end of playing by a signal: the position is written first, then the history, then the sound ends, the lock and the
/// status file are released, then other machines are told, then the process ends. No step may take longer than a moment,
/// nor may all of them together.
///
/// Everything happens on a queue of its own, so neither a busy thread pool nor a locked library can hold it up.
package final class Shutdown: Sendable {
  /// For the sources of the signals.
  package let queue = DispatchQueue(label: "podcli.shutdown", qos: .userInteractive)
  private let listener: Listener
  private let writeSideFile: @Sendable () -> LostProgress?
  private let release: @Sendable () -> Void
  private let tellOthers: @Sendable () async -> Void
  /// The signal that came first, or `endOfPlaying`.
  private let first = Atomic<Int32>(0)
  private let isSaved = Atomic(false)
  private let isReleased = Atomic(false)

  private static let endOfPlaying: Int32 = -1

  /// How playing ended by a signal.
  package enum Outcome: Sendable {
    /// The library or the side file has the position, if there is one.
    case saved(Duration?)
    case lost(LostProgress)
  }

  /// How long all of it may take. A library that has not taken the position by then gets the side file instead.
  private static let patience = DispatchTimeInterval.milliseconds(700)

  /// `release` removes the signs of a player: they must not outlive the process. `tellOthers` may take long, and is
  /// broken off then.
  init(
    _ listener: Listener, writeSideFile: @escaping @Sendable () -> LostProgress?,
    release: @escaping @Sendable () -> Void, tellOthers: @escaping @Sendable () async -> Void
  ) {
    self.listener = listener
    self.writeSideFile = writeSideFile
    self.release = release
    self.tellOthers = tellOthers
  }

  /// On `queue`, for a signal. `leave` ends the process.
  package func begin(_ signal: Int32, _ leave: @escaping @Sendable (Outcome) -> Never) {
    guard endsFirst(signal) else {
      // A terminal that closes sends SIGHUP, and its shell passes its own on: they are one signal.
      if signal == SIGHUP, first.load(ordering: .acquiring) == SIGHUP { return }
      // Any other second signal ends at once, and after the end of playing everything is written.
      leaveReleased(.saved(nil), leave)
    }
    let position = listener.nowPlaying?.position
    queue.asyncAfter(deadline: .now() + Self.patience) { [self] in
      let lost = isSaved.load(ordering: .acquiring) ? nil : writeSideFile()
      leaveReleased(lost.map { .lost($0) } ?? .saved(position), leave)
    }
    Task { [self] in
      var lost: LostProgress?
      do {
        try await listener.saveNow()
        isSaved.store(true, ordering: .releasing)
        await listener.endLog()
        await listener.leave()
        queue.async { [self] in releaseOnce() }
        await tellOthers()
      } catch {
        lost = writeSideFile()
      }
      queue.async { [self, lost] in leaveReleased(lost.map { .lost($0) } ?? .saved(position), leave) }
    }
  }

  private func leaveReleased(_ outcome: Outcome, _ leave: (Outcome) -> Never) -> Never {
    releaseOnce()
    // The kernel takes back the rest faster than podcli could free it.
    leave(outcome)
  }

  /// On `queue`. By a second time, the lock may be the next player's.
  private func releaseOnce() {
    if !isReleased.exchange(true, ordering: .acquiringAndReleasing) { release() }
  }

  /// After the end of playing. Returns only where no signal came before; else the process ends by the signal.
  func yieldToSignal() async {
    // From now on a signal finds everything written.
    if endsFirst(Self.endOfPlaying) { return }
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
  }

  private func endsFirst(_ reason: Int32) -> Bool {
    first.compareExchange(expected: 0, desired: reason, ordering: .acquiringAndReleasing).exchanged
  }
}
