import Dispatch
import Glibc
import Synchronization

/// The signals that podcli handles while it plays, and those that it always ignores.
enum Signals {
  /// The signals that end it.
  static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  /// Before any thread starts, so that every thread inherits the mask and the signals arrive only at `watch`.
  static func block(_ signals: [Int32] = ending) {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// A closed pipe and a full disk come back as errors of the call that met them.
  static func ignoreTheHarmless() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Signal sources that last as long as the process.
  private static let kept = Mutex<[any DispatchSourceSignal]>([])

  /// Watches the signals until the process ends.
  static func watchAlways(
    _ signals: [Int32], on queue: DispatchQueue, _ handler: @escaping @Sendable (Int32) -> Void
  ) {
    kept.withLock { $0 += watch(signals, on: queue, handler) }
  }

  /// The handler runs on `queue`. The source lives as long as the caller keeps it.
  static func watch(
    _ signals: [Int32], on queue: DispatchQueue, _ handler: @escaping @Sendable (Int32) -> Void
  ) -> [any DispatchSourceSignal] {
    signals.map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { handler(number) }
      source.resume()
      return source
    }
  }
}
