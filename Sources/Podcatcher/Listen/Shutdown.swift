package import Dispatch
private import Glibc
private import Synchronization

/// The end of playing by a signal: the position is written first, then the history, then the lock and the status file are
/// released, then the process ends. No step may take longer than a moment.
///
/// Everything happens on a queue of its own, so neither a busy thread pool nor a locked library can hold it up.
package final class Shutdown: Sendable {
  /// For the sources of the signals.
  package let queue = DispatchQueue(label: "podcli.shutdown", qos: .userInteractive)
  private let listener: Listener
  private let writeSideFile: @Sendable () -> Bool
  private let release: @Sendable () -> Void
  /// The signal that came first, or `endOfPlaying`.
  private let first = Atomic<Int32>(0)
  private let isSaved = Atomic(false)

  private static let endOfPlaying: Int32 = -1

  /// The position at which playing ended by a signal.
  package enum LastPosition: Sendable {
    case saved(Duration)
    /// Neither the library nor the side file took it.
    case lost(Duration)

    package var position: Duration {
      switch self {
      case .saved(let position), .lost(let position): position
      }
    }
  }

  /// How long the library may take before the side file is used instead.
  private static let patience = DispatchTimeInterval.milliseconds(700)

  /// `release` removes the signs of a player: they must not outlive the process.
  init(
    _ listener: Listener, writeSideFile: @escaping @Sendable () -> Bool, release: @escaping @Sendable () -> Void
  ) {
    self.listener = listener
    self.writeSideFile = writeSideFile
    self.release = release
  }

  /// On `queue`, for a signal. `leave` ends the process; it is given the position, where one is to be saved.
  package func begin(_ signal: Int32, _ leave: @escaping @Sendable (LastPosition?) -> Never) {
    guard endsFirst(signal) else {
      // A terminal that closes sends SIGHUP, and its shell passes its own on: they are one signal.
      if signal == SIGHUP, first.load(ordering: .acquiring) == SIGHUP { return }
      // Any other second signal ends at once, and after the end of playing everything is written.
      leaveReleased(nil, leave)
    }
    let position = listener.nowPlaying?.position
    queue.asyncAfter(deadline: .now() + Self.patience) { [self] in
      let isKept = isSaved.load(ordering: .acquiring) || writeSideFile()
      leaveReleased(position.map { isKept ? .saved($0) : .lost($0) }, leave)
    }
    Task { [self] in
      var isKept = true
      do {
        try await listener.saveNow()
        isSaved.store(true, ordering: .releasing)
        await listener.endLog()
      } catch {
        isKept = writeSideFile()
      }
      queue.async { [self, isKept] in leaveReleased(position.map { isKept ? .saved($0) : .lost($0) }, leave) }
    }
  }

  private func leaveReleased(_ position: LastPosition?, _ leave: (LastPosition?) -> Never) -> Never {
    release()
    // The kernel takes back the rest faster than podcli could free it.
    leave(position)
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
