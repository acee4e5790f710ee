private import Glibc
internal import PodcastModel
private import Synchronization
internal import System
private import Text

/// Runs the user's program for events, never more than once at a time for the same event. A failure is noted for `doctor`
/// and reported once; it changes nothing else.
final class Hooks: Sendable {
  private struct State {
    var running: Set<HookEvent> = []
    /// The newest one for each event that runs.
    var waiting: [HookEvent: EpisodeEntry] = [:]
    var hasReported = false
  }

  private let program: HookProgram
  private let note: HookNote
  private let report: @Sendable (HookFailure) -> Void
  private let state = Mutex(State())
  private let turn = AsyncSemaphore(1)

  /// Nil where none is set.
  init?(_ settings: Settings, _ paths: Paths, report: @escaping @Sendable (HookFailure) -> Void = { _ in }) {
    let path = settings[SettingKeys.hook]
    guard !path.isEmpty else { return nil }
    program = HookProgram(path: path, folder: paths.runtime)
    note = HookNote(paths)
    self.report = report
  }

  /// Starts the program before it returns; while it runs for an earlier event of this kind, after that. Of those that
  /// wait only the newest is kept.
  func send(_ event: HookEvent, _ entry: EpisodeEntry) {
    let isFree = state.withLock { state in
      if state.running.insert(event).inserted { return true }
      state.waiting[event] = entry
      return false
    }
    if isFree { start(event, entry) }
  }

  /// Runs the program for one episode after the other. After one that had to be killed, no more.
  func run(_ event: HookEvent, _ entries: [EpisodeEntry]) async {
    await turn.wait()
    defer { turn.signal() }
    await BlockingWork.run { [self] in
      for entry in entries where state.withLock({ !$0.running.contains(event) }) {
        guard finish(event, begin(event, entry)) != .timedOut else {
          return state.withLock { _ = $0.running.insert(event) }
        }
      }
    }
  }

  private func start(_ event: HookEvent, _ entry: EpisodeEntry) {
    let process = begin(event, entry)
    onThread { [self] in
      _ = finish(event, process)
      let next = state.withLock { state in
        let next = state.waiting.removeValue(forKey: event)
        if next == nil { state.running.remove(event) }
        return next
      }
      if let next { start(event, next) }
    }
  }

  private func begin(_ event: HookEvent, _ entry: EpisodeEntry) -> Int32? {
    program.start(event, EpisodeJSON.document(entry).compact)
  }

  private func finish(_ event: HookEvent, _ process: Int32?) -> ProgramFault? {
    let reason = process.map { HookProgram.end(of: $0) } ?? .noTimeout
    let failure = reason.map { HookFailure(program: program.path, event: event, reason: $0) }
    note.write(failure, of: event)
    if let failure, state.withLock({ state in !exchange(&state.hasReported, true) }) { report(failure) }
    return reason
  }
}

private func exchange(_ flag: inout Bool, _ value: Bool) -> Bool {
  defer { flag = value }
  return flag
}

/// The last failure of a hook, kept until the hook works again for the same event.
struct HookNote: Sendable {
  private let path: String

  init(_ paths: Paths) { path = paths.cache + "/hook-failure" }

  /// Of the program that is set now: what keeps it from running, else its last failure.
  func failure(of program: String) -> HookFailure? {
    if program.contains("/"), access(program, X_OK) != 0 {
      return HookFailure(program: program, event: .started, reason: errno == ENOENT ? .notFound : .notExecutable)
    }
    let failure = Files.read(path, atMost: 8192, followsLinks: false)
      .flatMap { HookFailure(text: String(decoding: $0, as: UTF8.self)) }
    return failure?.program == program ? failure : nil
  }

  func write(_ failure: HookFailure?, of event: HookEvent) {
    if let failure {
      let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
      if Files.makeFolder(folder) { _ = Files.replace(path, with: Array(failure.text.utf8), isDurable: false) }
    } else if let old = Files.read(path, atMost: 8192),
      HookFailure(text: String(decoding: old, as: UTF8.self))?.event == event
    {
      unlink(path)
    }
  }
}
