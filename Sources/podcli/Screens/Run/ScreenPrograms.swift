import CommandKit
import Glibc
import Podcatcher
import Synchronization
import System

/// Runs podcli itself as another process: refreshing and downloading load the network's libraries there, not here, and go
/// on when the screen is left.
final class ScreenPrograms: Sendable {
  private let send: @Sendable (ScreenEvent) -> Void
  /// Those of every command.
  private let options: [String]
  /// The commands that a key can end, until they have ended.
  private let endable = WaitableState<[(kind: Endable, child: pid_t)]>([])

  /// A command that is ended before it is done.
  enum Endable: Equatable {
    /// It goes on for ever.
    case watching
    /// It starts a player, and has done so when it is done.
    case startingPlayer
    /// It keeps what it has of a file, and goes on there the next time.
    case download(words: [String])
  }

  /// A command that is under way, by its identity.
  private final class Work: Sendable {
    let words: [String]
    /// By a key.
    let isEnded = Atomic(false)
    init(_ words: [String]) { self.words = words }
  }
  private let works = Mutex<[(work: Work, progress: String)]>([])

  init(options: [String], send: @escaping @Sendable (ScreenEvent) -> Void) {
    self.options = options
    self.send = send
  }

  /// Carries out an effect that another program does. False for any other.
  func perform(_ effect: ScreenEffect, width: Int) -> Bool {
    switch effect {
    case .work(let label, let words, let total): work(label, words, total: total)
    case .run(let number, let words, let isWatching): run(number, words, isWatching: isWatching, width: width)
    case .endWatching: end(.watching)
    case .open(let link): open(link)
    default: return false
    }
    return true
  }

  // MARK: Work on the first line

  /// Counts the lines of a command, and says its last one. The same command does not run twice at once; a download ends
  /// when it is asked for again.
  private func work(_ label: String, _ words: [String], total: Int?) {
    let kind: Endable? = words.first == DownloadCommand.entry.command.name ? .download(words: words) : nil
    if let running = works.withLock({ $0.first { $0.work.words == words }?.work }) {
      guard let kind else { return send(.said(.init(text: "Already \(label)"))) }
      if !running.isEnded.exchange(true, ordering: .relaxed) { end(kind) }
      return
    }
    let work = Work(words)
    show(label, of: work)
    start(words, terminal: nil, endable: kind) { [self] output in
      let count = total.map { "\(min(output.lineCount, $0))/\($0)" } ?? ""
      show("\(label) \(count)", of: work)
    } end: { [self] output, status in
      show(nil, of: work)
      send(.libraryChanged)
      let last = output.lastLine
      if status == SIGTERM, work.isEnded.load(ordering: .relaxed) {
        send(.said(.init(text: "The download is stopped; d goes on")))
      } else if status >> 8 == Failure.Code.partial.exitStatus, let result = output.lastResult {
        send(.said(.init(text: result)))
      } else if status != 0 {
        send(.said(.init(failure: output.text)))
      } else if !last.isEmpty {
        send(.said(.init(text: last)))
      }
    }
  }

  /// Of several works the one that was begun last is shown. `nil` ends one.
  private func show(_ progress: String?, of work: Work) {
    let shown = works.withLock { works in
      let index = works.firstIndex { $0.work === work }
      switch (index, progress) {
      case (let index?, let progress?): works[index].progress = progress
      case (let index?, nil): works.remove(at: index)
      case (nil, let progress?): works.append((work, progress))
      case (nil, nil): break
      }
      return works.last?.progress
    }
    send(.progress(shown))
  }

  /// The command that was begun last of those that go on when the screen is left.
  var underWay: String? { works.withLock { $0.last?.work.words.first } }

  // MARK: A command line

  /// Shows the output of a command as a terminal of this width would have it.
  private func run(_ number: Int, _ words: [String], isWatching: Bool, width: Int) {
    let startsPlayer = ["play", "resume"].contains(words.first) && words.contains("--detach")
    let kind: Endable? = isWatching ? .watching : startsPlayer ? .startingPlayer : nil
    start(words, terminal: width, endable: kind) { [send] output in
      send(.output(output.text, of: number, isEnd: false))
    } end: { [send] output, _ in
      send(.output(output.text, of: number, isEnd: true))
      send(.libraryChanged)
    }
  }

  /// Ends the commands of this kind. False where there are none.
  @discardableResult
  func end(_ kind: Endable) -> Bool {
    endable.withLock { commands in
      let ended = commands.filter { $0.kind == kind }
      for command in ended { kill(-command.child, SIGTERM) }
      return !ended.isEmpty
    }
  }

  /// Ends the commands that start a player, and waits until they have ended what they started. False where there are none.
  func endStarts() -> Bool {
    guard end(.startingPlayer) else { return false }
    _ = endable.wait(atMost: .seconds(2)) { $0.contains { $0.kind == .startingPlayer } ? nil : true }
    return true
  }

  // MARK: Playing, and other programs

  /// Starts a player of its own, and returns once it can be reached, has failed, or takes long; its messages are shown
  /// when it does not play.
  func play(_ reference: String, until isReachable: () -> Bool) {
    let isDone = WaitableState(false)
    start(["play", reference, "--detach"], terminal: nil, endable: .startingPlayer) { _ in
    } end: { [send] output, status in
      // By `endStarts`.
      let isEnded = status == SIGTERM || status >> 8 == 128 + SIGTERM
      if status != 0, !isEnded { send(.said(.init(failure: output.text))) }
      send(.libraryChanged)
      isDone.change { $0 = true }
    }
    for _ in 0..<40 where isDone.wait(atMost: .milliseconds(50), { $0 ? true : nil }) == nil {
      if isReachable() { return }
    }
  }

  /// Lets a command do its work without a word, and returns its output and status.
  func run(_ words: [String]) async -> (output: String, status: Int32) {
    await withCheckedContinuation { continuation in
      start(words, terminal: nil) { _ in
      } end: { output, status in
        continuation.resume(returning: (output.text, status))
      }
    }
  }

  private func open(_ link: String) {
    let nowhere = Glibc.open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(nowhere) }
    let child = ChildProgram.start("xdg-open", [link], streams: [0: nowhere, 1: nowhere, 2: nowhere], inOwnGroup: true)
    guard let child else { return send(.said(.init(text: "xdg-open is not installed: y copies the link"))) }
    onThread { [send] in
      if ChildProgram.wait(for: child) != 0 { send(.said(.init(text: "xdg-open failed: y copies the link"))) }
    }
  }

  // MARK: A child

  /// `change` gets all of the output so far, at each piece of it. The child goes on when there is no reader any more.
  private func start(
    _ words: [String], terminal width: Int?, endable kind: Endable? = nil,
    _ change: @escaping @Sendable (PlainOutput) -> Void, end: @escaping @Sendable (PlainOutput, Int32) -> Void
  ) {
    guard let ends = width.flatMap(Self.pseudoTerminal) ?? ChildProgram.pipe() else {
      return end(PlainOutput("The system gives no more descriptors"), 1)
    }
    let nowhere = Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)
    let child = ChildProgram.start(
      "env", ["TERM=dumb", "PAGER=cat", Console.outlivesReader + "=1", ChildProgram.thisProgram] + options + words,
      streams: [0: nowhere, 1: ends.write, 2: ends.write], inOwnGroup: true)
    close(nowhere)
    close(ends.write)
    guard let child else {
      close(ends.read)
      return end(PlainOutput("podcli cannot be started again"), 1)
    }
    if let kind { endable.withLock { $0.append((kind, child)) } }
    onThread { [self] in
      let output = Self.read(from: ends.read, change)
      // Its number is its own until it is waited for.
      Self.waitForEnd(of: child)
      if kind != nil { endable.change { $0.removeAll { $0.child == child } } }
      end(output, ChildProgram.wait(for: child))
    }
  }

  private static func read(from descriptor: Int32, _ change: (PlainOutput) -> Void) -> PlainOutput {
    defer { close(descriptor) }
    var output = PlainOutput()
    var chunk = [UInt8](repeating: 0, count: 16_384)
    var shownAt = ContinuousClock.now
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      // A terminal that its last program has closed is an error to read.
      guard count > 0 else { return output }
      output.take(chunk[..<count])
      // All that is there already is shown together, or what came in a tenth of a second.
      var more = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&more, 1, 0) == 0 || .now - shownAt > .milliseconds(100) {
        change(output)
        shownAt = .now
      }
    }
  }

  /// It stays a process that has ended.
  private static func waitForEnd(of child: Int32) {
    var information = siginfo_t()
    while waitid(P_PID, id_t(child), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
  }

  /// `TIOCSPTLCK` and `TIOCGPTPEER`, which Swift's Glibc leaves out.
  private static let (setLock, getPeer): (UInt, UInt) = (0x4004_5431, 0x5441)

  /// A terminal that is as wide, and whose other end is read.
  private static func pseudoTerminal(width: Int) -> (read: Int32, write: Int32)? {
    let main = Glibc.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard main >= 0 else { return nil }
    var size = winsize(ws_row: 100, ws_col: UInt16(clamping: width), ws_xpixel: 0, ws_ypixel: 0)
    var unlocked: Int32 = 0
    guard ioctl(main, setLock, &unlocked) == 0, ioctl(main, UInt(TIOCSWINSZ), &size) == 0,
      case let other = ioctl(main, getPeer, O_RDWR | O_NOCTTY | O_CLOEXEC), other >= 0
    else {
      close(main)
      return nil
    }
    return (main, other)
  }
}
