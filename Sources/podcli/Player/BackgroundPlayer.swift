import CommandKit
import Dispatch
import Glibc
import PodcastModel
import PodcastStore
import Podcatcher
import Synchronization
import System
import Text

/// `--detach`: playing in a process of its own, which outlives the terminal. The process that starts it waits until the
/// sound begins, or takes over its failure: messages and exit statuses are those of playing in the terminal.
final class BackgroundPlayer: Sendable {
  private let context: Context
  private let invocation: Invocation
  private let child = Mutex<pid_t?>(nil)
  private var paths: Paths { context.live.paths }

  init(_ context: Context, _ invocation: Invocation) {
    self.context = context
    self.invocation = invocation
  }

  /// Starts a player with what `choose` finds. A player that runs in the background already is told to open it.
  func start(_ choose: PlaySession.Choice) async throws(Failure) {
    watchSignals()
    let running = await detachedPlayer()
    if running != nil { try refuseUnfit() }
    let session = PlaySession(context, invocation)
    let store = try session.openStore()
    if running == nil, context.live.otherPlayer() != nil { throw await session.alreadyPlaying(store) }
    let (entry, start) = try await session.chosen(choose, in: store)
    await store.close()
    if let running, try open(entry, from: start, in: running) { return }
    do throws(Failure) {
      try check(launch(entry, from: start), entry)
    } catch {
      // Another podcli was quicker.
      guard error.code == .alreadyPlaying, let other = await detachedPlayer() else { throw error }
      try refuseUnfit()
      guard try open(entry, from: start, in: other) else { throw error }
      return
    }
    // It may be over by now.
    guard let status = try? PlayerClient.ifReachable(paths)?.ask(["status"]) else { return }
    PlayerControl.show(status, after: "play", context.console)
  }

  // MARK: The player that runs

  /// One that another podcli starts right now has the lock of the library before it has its socket.
  private func detachedPlayer() async -> PlayerClient? {
    let deadline = Monotonic.now() + Self.patience
    repeat {
      if let player = PlayerClient.ifReachable(paths), let status = try? player.ask(["status"]) {
        return PlayerStatus(document: status)?.isDetached == true ? player : nil
      }
      guard context.live.otherPlayer() != nil else { return nil }
      try? await Task.sleep(for: .milliseconds(20))
    } while Monotonic.now() < deadline
    return nil
  }

  private static let patience = Duration.seconds(3)

  /// Before anything is changed.
  private func refuseUnfit() throws(Failure) {
    let unfit = invocation.words(of: [PlayOptions.paused, PlayOptions.until, PlayOptions.noSave, PlayOptions.noQueue])
    guard unfit.isEmpty else {
      throw Failure(
        .usage, "the player that runs in the background cannot change to \(unfit.joined(separator: " "))",
        hint: "end it first with: podcli stop")
    }
  }

  /// False when the player ended before it could open it.
  private func open(
    _ entry: EpisodeEntry, from start: Listener.Start, in player: PlayerClient
  ) throws(Failure) -> Bool {
    let position: [String] =
      switch start {
      case .resume: []
      case .beginning: ["0"]
      case .at(let position): [String(position.inSeconds)]
      }
    do throws(ControlError) {
      var status = try player.ask(["open", String(entry.episode.id.rawValue)] + position)
      for change in changesOfSound { status = try player.ask(change) }
      PlayerControl.show(status, after: "open", context.console)
      return true
    } catch {
      let failure = Failure(error)
      guard failure.code == .notPlaying else { throw failure }
      return false
    }
  }

  private var changesOfSound: [[String]] {
    // Not as they were typed: a number with a sign is a step.
    let numbers = [("speed", invocation[PlayOptions.speed]), ("volume", invocation[PlayOptions.volume])]
    let others = invocation.words(of: [PlayOptions.trim, PlayOptions.boost, PlayOptions.sleep])
    return numbers.compactMap { name, value in value.map { [name, String($0)] } }
      + others.map { word in
        let parts = word.dropFirst(2).split(separator: "=").map(String.init)
        return [parts[0], parts.count > 1 ? parts[1] : "on"]
      }
  }

  // MARK: The new process

  /// Starts the process, and returns its answer; empty when it ended without one.
  private func launch(_ entry: EpisodeEntry, from start: Listener.Start) throws(Failure) -> [UInt8] {
    var ends: [Int32] = [-1, -1]
    let nowhere = descriptor(Glibc.open("/dev/null", O_RDWR))
    guard nowhere >= 0, pipe(&ends) == 0 else { throw cannotStart() }
    let log = Files.makePrivateFolder(paths.runtime) ? descriptor(openLog()) : -1
    let answer = descriptor(ends[1])
    defer { [nowhere, log, ends[0]].filter { $0 >= 0 }.forEach { close($0) } }
    let words =
      ["play", String(entry.episode.id.rawValue), "--background=" + start.word]
      + invocation.words(of: PlayOptions.playing + [GlobalOptions.verbose, GlobalOptions.offline])
      + ["--library=" + paths.data]
    let streams: [Int32: Int32] = [0: nowhere, 1: nowhere, 2: log >= 0 ? log : nowhere, Starter.descriptor: answer]
    // A signal that comes now waits until it is known which process it ends.
    let isStarted = child.withLock { child in
      child = ChildProgram.start(ChildProgram.thisProgram, words, streams: streams, inOwnSession: true)
      return child != nil
    }
    close(answer)
    guard isStarted else { throw cannotStart() }
    return wait(for: ends[0], entry)
  }

  private func cannotStart() -> Failure {
    Failure(.failed, "another process cannot be started: \(String(cString: strerror(errno)))")
  }

  /// The messages of the last player only.
  private func openLog() -> Int32 {
    Glibc.open(paths.playerLog, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_NOFOLLOW, 0o600)
  }

  /// The same file by a number that none of the new process's streams has, and that it does not inherit.
  private func descriptor(_ file: Int32) -> Int32 {
    guard file >= 0 else { return file }
    defer { close(file) }
    return fcntl(file, F_DUPFD_CLOEXEC, 10)
  }

  private func wait(for answer: Int32, _ entry: EpisodeEntry) -> [UInt8] {
    var readable = pollfd(fd: answer, events: Int16(POLLIN), revents: 0)
    if poll(&readable, 1, 1_500) == 0 { context.console.say("Opening \(entry.headline); Ctrl-C gives up") }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = read(answer, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
  }

  private func check(_ answer: [UInt8], _ entry: EpisodeEntry) throws(Failure) {
    if answer == Starter.ready { return }
    guard let error = JSON(parsing: answer)?["error"] else {
      throw Failure(
        .failed, "the player ended before it played \(entry.headline)", hint: "its messages are in \(paths.playerLog)")
    }
    throw Failure(
      Failure.Code(rawValue: error["code"]?.text ?? "") ?? .failed, error["message"]?.text ?? "",
      hint: error["hint"]?.text)
  }

  /// A closed terminal is no reason to give up what is being opened; Ctrl-C is.
  private func watchSignals() {
    Signals.watchAlways(Signals.ending, on: DispatchQueue(label: "podcli.detach")) { [self] signal in
      child.withLock { child in
        if let child, signal != SIGHUP { kill(child, SIGTERM) }
        _exit(128 + signal)
      }
    }
  }
}

extension BackgroundPlayer {
  /// The other side, in the process that plays: the episode and its beginning are chosen already.
  static func play(
    _ id: EpisodeID, from start: Listener.Start, _ context: Context, _ invocation: Invocation
  ) async throws(Failure) {
    let starter = Starter()
    // A folder that is in use cannot be unmounted.
    _ = chdir("/")
    var session = PlaySession(context, invocation)
    session.onStart = { listener in
      onThread {
        waitForSound(of: listener)
        starter.tell(Starter.ready)
      }
    }
    do throws(Failure) {
      try await session.run { store in
        guard let entry = try await store.episode(id) else { throw Failure(unknownEpisode: id.rawValue) }
        return (entry, start)
      }
      starter.tell(Starter.ready)
    } catch {
      starter.tell(Array(error.json.compact.utf8))
      throw error
    }
  }
}

extension BackgroundPlayer {
  /// libmpv is ready before it finds that there is no audio output. A position that moves shows that there is one; of a
  /// paused player, that it has been ready for a while.
  private static func waitForSound(of listener: Listener) {
    var first: Duration?
    var pauses = 0
    while pauses < 15 {
      _ = poll(nil, 0, 20)
      guard let status = listener.status, let position = status.position else { continue }
      if let first, position > first { return }
      first = first ?? position
      if status.state == .paused { pauses += 1 }
    }
  }
}

/// The process that waits for a player in the background to begin.
private final class Starter: Sendable {
  static let ready = Array("ready".utf8)
  /// The end of its pipe, as the player finds it.
  static let descriptor: Int32 = 3
  private let answer: Atomic<Int32>

  /// Programs that the player starts do not inherit it.
  init() {
    var file = stat()
    let isPipe = fstat(Self.descriptor, &file) == 0 && file.st_mode & S_IFMT == S_IFIFO
    answer = Atomic(isPipe ? fcntl(Self.descriptor, F_DUPFD_CLOEXEC, 10) : -1)
    if isPipe { close(Self.descriptor) }
  }

  /// The first answer counts.
  func tell(_ bytes: [UInt8]) {
    let descriptor = answer.exchange(-1, ordering: .acquiringAndReleasing)
    guard descriptor >= 0 else { return }
    _ = write(descriptor, bytes, bytes.count)
    close(descriptor)
  }
}

extension Listener.Start {
  /// For the command line of the process that plays.
  fileprivate var word: String {
    switch self {
    case .resume: "resume"
    case .beginning: "beginning"
    case .at(let position): String(position.inMilliseconds)
    }
  }

  init?(word: String) {
    switch word {
    case "resume": self = .resume
    case "beginning": self = .beginning
    default:
      guard let milliseconds = Int64(word) else { return nil }
      self = .at(.milliseconds(milliseconds))
    }
  }
}
