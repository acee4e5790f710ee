import Dispatch
import Glibc
import Synchronization
import System

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

  /// Waits for the user or another program: Ctrl-C ends that and the program, even where a player has blocked signals.
  static func letThrough<Result, Problem: Error>(_ wait: () throws(Problem) -> Result) throws(Problem) -> Result {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in ending { sigaddset(&set, signal) }
    var before = sigset_t()
    pthread_sigmask(SIG_UNBLOCK, &set, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return try wait()
  }

  /// A closed pipe and a full disk come back as errors of the call that met them.
  static func ignoreTheHarmless() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Signal sources that last as long as the process.
  private static let kept = Mutex<[any DispatchSourceProtocol]>([])

  /// Watches the signals until the process ends.
  static func watchAlways(
    _ signals: [Int32], on queue: DispatchQueue, _ handler: @escaping @Sendable (Int32) -> Void
  ) {
    kept.withLock { $0 += watch(signals, on: queue, handler) }
  }

  // MARK: Caught ones

  /// The end of the pipe that the signal handler writes to; -1 before `catchAlways`.
  private static let pipeEnd = Atomic<Int32>(-1)

  /// Catches signals on any thread: threads that started before do not block them, and the usual effect of one would
  /// come before its watcher. The handler runs on `queue`. Called once.
  static func catchAlways(
    _ signals: [Int32], on queue: DispatchQueue, _ handler: @escaping @Sendable (Int32) -> Void
  ) {
    guard let pipe = ChildProgram.pipe() else { return }
    for end in [pipe.read, pipe.write] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    kept.withLock { $0.append(reader(of: pipe.read, on: queue, handler)) }
    pipeEnd.store(pipe.write, ordering: .releasing)
    for signal in signals {
      var action = sigaction()
      action.sa_flags = SA_RESTART
      action.__sigaction_handler.sa_handler = { number in
        let error = errno
        var number = UInt8(truncatingIfNeeded: number)
        _ = write(Signals.pipeEnd.load(ordering: .acquiring), &number, 1)
        errno = error
      }
      sigaction(signal, &action, nil)
    }
  }

  private static func reader(
    of end: Int32, on queue: DispatchQueue, _ handler: @escaping @Sendable (Int32) -> Void
  ) -> any DispatchSourceProtocol {
    let source = DispatchSource.makeReadSource(fileDescriptor: end, queue: queue)
    source.setEventHandler {
      var number: UInt8 = 0
      while read(end, &number, 1) == 1 { handler(Int32(number)) }
    }
    source.resume()
    return source
  }

  // MARK: Stopping

  /// Stops this process as Ctrl-Z does without a handler, and returns once it is continued. At once where no shell could
  /// continue it: the system ignores SIGTSTP there, and SIGSTOP would stop it for ever.
  static func stopProcess() {
    var (former, usual) = (sigaction(), sigaction())
    usual.__sigaction_handler.sa_handler = SIG_DFL
    sigaction(SIGTSTP, &usual, &former)
    var (stop, mask) = (sigset_t(), sigset_t())
    sigemptyset(&stop)
    sigaddset(&stop, SIGTSTP)
    pthread_sigmask(SIG_UNBLOCK, &stop, &mask)
    raise(SIGTSTP)
    pthread_sigmask(SIG_SETMASK, &mask, nil)
    sigaction(SIGTSTP, &former, nil)
  }

  // MARK: Watched ones

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
