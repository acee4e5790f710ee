import CommandKit
import Glibc
import Podcatcher
import Synchronization
import System

/// Runs podcli itself as another process: refreshing and downloading load the network's libraries there, not here, and go
/// on when the screen is left.
final class ScreenPrograms: Sendable {
  private let send: @Sendable (ScreenEvent) -> Void
  /// The command that goes on for ever and was run last, until its output has ended.
  private let watching = Mutex<pid_t?>(nil)

  /// A command that is under way, by its identity.
  private final class Work: Sendable {}
  private let works = Mutex<[(work: Work, progress: String)]>([])

  init(send: @escaping @Sendable (ScreenEvent) -> Void) { self.send = send }

  /// Carries out an effect that another program does. False for any other.
  func perform(_ effect: ScreenEffect, width: Int) -> Bool {
    switch effect {
    case .work(let label, let words, let total): work(label, words, total: total)
    case .run(let line, let words, let isWatching): run(line, words, isWatching: isWatching, width: width)
    case .endWatching: endWatching()
    case .open(let link): open(link)
    default: return false
    }
    return true
  }

  // MARK: Work on the first line

  /// Counts the lines of a command, and says its last one.
  private func work(_ label: String, _ words: [String], total: Int?) {
    let work = Work()
    show(label, of: work)
    start(words, terminal: nil) { [self] output in
      let lines = output.split(separator: "\n").count
      let count = total.map { "\(min(lines, $0))/\($0)" } ?? ""
      show("\(label) \(count)", of: work)
    } end: { [self] output, status in
      show(nil, of: work)
      let last = output.split(separator: "\n").last.map(String.init) ?? ""
      if status != 0 { send(.said(.init(failure: output))) } else if !last.isEmpty { send(.said(.init(text: last))) }
      send(.libraryChanged)
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

  // MARK: A command line

  /// Shows the output of a command as a terminal of this width would have it.
  private func run(_ line: String, _ words: [String], isWatching: Bool, width: Int) {
    start(words, terminal: width, isWatching: isWatching) { [send] output in
      send(.output(output, of: line, isEnd: false))
    } end: { [send] output, _ in
      send(.output(output, of: line, isEnd: true))
      send(.libraryChanged)
    }
  }

  func endWatching() {
    watching.withLock { child in
      if let child { kill(-child, SIGTERM) }
      child = nil
    }
  }

  // MARK: Playing, and other programs

  /// Starts a player of its own, and returns once it can be reached, has failed, or takes long; its messages are shown
  /// when it does not play.
  func play(_ reference: String, until isReachable: () -> Bool) {
    let isDone = WaitableState(false)
    start(["play", reference, "--detach"], terminal: nil) { _ in
    } end: { [send] output, status in
      if status != 0 { send(.said(.init(failure: output))) }
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
        continuation.resume(returning: (output, status))
      }
    }
  }

  private func open(_ link: String) {
    let nowhere = Glibc.open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(nowhere) }
    let child = ChildProgram.start("xdg-open", [link], streams: [0: nowhere, 1: nowhere, 2: nowhere], inOwnGroup: true)
    guard let child else { return send(.said(.init(text: "xdg-open is not installed: y copies the link"))) }
    onThread { [send] in
      if Self.wait(for: child) != 0 { send(.said(.init(text: "xdg-open failed: y copies the link"))) }
    }
  }

  // MARK: A child

  /// `change` gets all of the output so far, as plain text, at each piece of it.
  private func start(
    _ words: [String], terminal width: Int?, isWatching: Bool = false, _ change: @escaping @Sendable (String) -> Void,
    end: @escaping @Sendable (String, Int32) -> Void
  ) {
    guard let ends = width.flatMap(Self.pseudoTerminal) ?? Self.pipe() else {
      return end("The system gives no more descriptors", 1)
    }
    let nowhere = Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)
    let child = ChildProgram.start(
      "env", ["TERM=dumb", "PAGER=cat", ChildProgram.thisProgram] + words,
      streams: [0: nowhere, 1: ends.write, 2: ends.write], inOwnGroup: true)
    close(nowhere)
    close(ends.write)
    guard let child else {
      close(ends.read)
      return end("podcli cannot be started again", 1)
    }
    if isWatching { watching.withLock { $0 = child } }
    onThread { [self] in
      let output = Self.read(from: ends.read, change)
      // Its number is its own until it is waited for.
      watching.withLock { if $0 == child { $0 = nil } }
      end(output, Self.wait(for: child))
    }
  }

  /// More output than this is of no use on a screen.
  private static let longest = 1 << 20

  private static func read(from descriptor: Int32, _ change: (String) -> Void) -> String {
    defer { close(descriptor) }
    var output: [UInt8] = []
    var text = ""
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      // A terminal that its last program has closed is an error to read.
      guard count > 0 else { return text }
      guard output.count < longest else { continue }
      output += chunk[..<count]
      text = PlainOutput.text(of: output)
      change(text)
    }
  }

  @discardableResult
  private static func wait(for child: Int32) -> Int32 {
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return status
  }

  private static func pipe() -> (read: Int32, write: Int32)? {
    var ends: [Int32] = [0, 0]
    guard Glibc.pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
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

/// The text that a terminal would show of a program's output: without escape sequences, and with only the last state of a
/// line that was redrawn. Pure.
enum PlainOutput {
  static func text(of bytes: [UInt8]) -> String {
    var lines: [[UInt8]] = [[]]
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      switch byte {
      case 0x1B: skipSequence(&rest)
      case 0x0A: lines.append([])
      case 0x0D:
        // A line break of a terminal is both.
        if rest.first != 0x0A { lines[lines.count - 1] = [] }
      case 0x09: lines[lines.count - 1] += [32, 32]
      case ..<0x20, 0x7F: break
      default: lines[lines.count - 1].append(byte)
      }
    }
    return lines.map { clean(String(decoding: $0, as: UTF8.self)) }.joined(separator: "\n")
  }

  /// Blanks align columns, so they stay.
  private static func clean(_ line: String) -> String {
    let indent = line.prefix { $0 == " " }
    if line.utf8.allSatisfy({ $0 < 0x7F }) { return line }
    return indent
      + line.dropFirst(indent.count).unicodeScalars.filter { $0.isHarmless }.reduce(into: "") {
        $0.unicodeScalars.append($1)
      }
  }

  private static func skipSequence(_ rest: inout ArraySlice<UInt8>) {
    guard let kind = rest.popFirst() else { return }
    if kind == UInt8(ascii: "[") {
      while let byte = rest.popFirst(), !(0x40...0x7E).contains(byte) {}
    } else if kind == UInt8(ascii: "]") {
      while let byte = rest.popFirst(), byte != 7 {
        if byte == 0x1B {
          _ = rest.popFirst()
          return
        }
      }
    }
  }
}
