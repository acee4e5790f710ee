import Glibc
import TestSupport
import Testing

@testable import ScreenKit

/// The frames in terminals that are not ours, and that count clusters by their own tables.
@Suite struct ForeignTerminalTests {
  private static let chains = 200
  private static let length = 50
  /// At the edge every terminal does something else with a cluster that it takes for wider.
  private static let margin = 8

  /// Chains of random changes, each drawn in one terminal change by change and in another whole, at the end of the chain.
  private static func compare(
    seed: UInt64, _ show: (Cells, _ changes: [[UInt8]], _ whole: [UInt8]) async throws -> (String, String)
  ) async throws {
    var random = SeededGenerator(seed: seed)
    for chain in 0..<chains {
      var screen = RandomScreen.next(after: nil, &random, margin: margin)
      var writer = FrameWriter(usesColor: true)
      var changes = [writer.frame(for: screen)]
      for _ in 1..<length {
        screen = RandomScreen.next(after: screen, &random, margin: margin)
        changes.append(writer.frame(for: screen))
      }
      var fresh = FrameWriter(usesColor: true)
      let (shown, wanted) = try await show(screen, changes, fresh.frame(for: screen))
      guard shown == wanted else {
        Issue.record("chain \(chain):\n\(shown)\n---\n\(wanted)")
        return
      }
      await Task.yield()
    }
  }

  @Test func `in libvterm ten thousand random changes show the same as drawing each screen whole`() async throws {
    try await Self.compare(seed: 21) { screen, changes, whole in
      let (shown, wanted) = (try #require(LibVTerm(screen.size)), try #require(LibVTerm(screen.size)))
      shown.take(changes.flatMap(\.self))
      wanted.take(whole)
      return (shown.text, wanted.text)
    }
  }

  @Test func `in tmux ten thousand random changes show the same as drawing each screen whole`() async throws {
    let tmux = try await TmuxPane()
    try await Self.compare(seed: 22) { screen, changes, whole in
      (try await tmux.shown(changes, screen.size), try await tmux.shown([whole], screen.size))
    }
    try await tmux.end()
  }
}

/// libvterm, of Debian's package libvterm0.
private final class LibVTerm {
  private typealias Make = @convention(c) (Int32, Int32) -> OpaquePointer?
  private typealias Part = @convention(c) (OpaquePointer?) -> OpaquePointer?
  private typealias Switch = @convention(c) (OpaquePointer?, Int32) -> Void
  private typealias Write = @convention(c) (OpaquePointer?, UnsafePointer<UInt8>?, Int) -> Int
  /// A rectangle of four numbers of 32 bits is passed in two registers: its rows, and its columns.
  private typealias Text = @convention(c) (OpaquePointer?, UnsafeMutablePointer<UInt8>?, Int, UInt64, UInt64) -> Int
  private typealias Cursor = @convention(c) (OpaquePointer?, UnsafeMutablePointer<UInt64>) -> Void

  private nonisolated(unsafe) static let library = dlopen("libvterm.so.0", RTLD_NOW)

  private let terminal: OpaquePointer
  private let screen: OpaquePointer?
  private let size: Size

  private static func function<Function>(_ name: String, as type: Function.Type) -> Function {
    unsafeBitCast(dlsym(library, name), to: type)
  }

  /// Nil where it is not installed: `make test-deps` installs it.
  init?(_ size: Size) {
    guard Self.library != nil,
      let terminal = Self.function("vterm_new", as: Make.self)(Int32(size.rows), Int32(size.columns))
    else {
      return nil
    }
    self.terminal = terminal
    self.size = size
    screen = Self.function("vterm_obtain_screen", as: Part.self)(terminal)
    Self.function("vterm_set_utf8", as: Switch.self)(terminal, 1)
    Self.function("vterm_screen_reset", as: Switch.self)(screen, 1)
    take(Array("\u{1B}[?7l".utf8))
  }

  deinit { _ = Self.function("vterm_free", as: Part.self)(terminal) }

  func take(_ bytes: [UInt8]) { _ = Self.function("vterm_input_write", as: Write.self)(terminal, bytes, bytes.count) }

  /// The rows and the cursor.
  var text: String {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = Self.function("vterm_screen_get_text", as: Text.self)(
      screen, &bytes, bytes.count, UInt64(size.rows) << 32, UInt64(size.columns) << 32)
    var cursor: UInt64 = 0
    Self.function("vterm_state_get_cursorpos", as: Cursor.self)(
      Self.function("vterm_obtain_state", as: Part.self)(terminal), &cursor)
    let rows = String(decoding: bytes.prefix(count), as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    // A blank that was written and one that was cleared look the same.
    let trimmed = rows.map { row in String(row.reversed().drop { $0 == " " }.reversed()) }
    return trimmed.joined(separator: "\n") + "\n\(cursor & 0xFFFF_FFFF) \(cursor >> 32)"
  }
}

/// A pane of tmux, into which the test writes as the program in it would.
private final class TmuxPane {
  private let home: TemporaryHome
  /// Killed where the test fails before `end`.
  private let server: ForeignProcess
  private let pane: Int32
  private var size = Size(columns: 40, rows: 6)

  init() async throws {
    home = try TemporaryHome()
    try await Self.tmux(home, "-f", "/dev/null", "new-session", "-d", "-x", "40", "-y", "6", "sleep 3600")
    let id = try await Self.tmux(home, "display-message", "-p", "#{pid}").filter { !$0.isNewline }
    guard let number = Int32(id) else { throw Overdue("the process of tmux", seen: id) }
    server = try ForeignProcess(number)
    try await Self.tmux(home, "set", "-g", "status", "off")
    let path = try await Self.tmux(home, "display-message", "-p", "#{pane_tty}").filter { !$0.isNewline }
    pane = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    var settings = termios()
    guard tcgetattr(pane, &settings) == 0 else { throw Overdue("the pane \(path)") }
    cfmakeraw(&settings)
    tcsetattr(pane, TCSANOW, &settings)
    try await write(Array("\u{1B}[?7l".utf8))
  }

  deinit { close(pane) }

  private func write(_ bytes: [UInt8]) async throws {
    let pane = self.pane
    let isWritten = await offPool { () -> Bool in
      let deadline = Deadline()
      var rest = bytes[...]
      while !rest.isEmpty {
        guard TmuxPane.isReady(pane, for: POLLOUT, by: deadline) else { return false }
        let count = rest.withUnsafeBytes { Glibc.write(pane, $0.baseAddress, $0.count) }
        guard count > 0 || errno == EINTR || errno == EAGAIN else { return false }
        rest = rest.dropFirst(max(0, count))
      }
      return true
    }
    guard isWritten else { throw Overdue("room in the pane") }
  }

  /// The position of the cursor, with which tmux answers.
  private func answer() async throws -> [UInt8] {
    let pane = self.pane
    let read = await offPool { () -> [UInt8]? in
      let deadline = Deadline()
      var answer: [UInt8] = []
      while answer.last != UInt8(ascii: "R") {
        guard TmuxPane.isReady(pane, for: POLLIN, by: deadline) else { return nil }
        var byte: UInt8 = 0
        if Glibc.read(pane, &byte, 1) == 1 { answer.append(byte) }
      }
      return answer
    }
    guard let answer = read else { throw Overdue("tmux's answer") }
    return answer
  }

  /// Blocks until the pane can be read or written.
  private static func isReady(_ pane: Int32, for event: Int32, by deadline: Deadline) -> Bool {
    var state = pollfd(fd: pane, events: Int16(event), revents: 0)
    while poll(&state, 1, 1000) <= 0 {
      if deadline.hasPassed { return false }
    }
    return Int32(state.revents) & event != 0
  }

  func end() async throws {
    try await Self.tmux(home, "kill-server")
    try await server.ended()
  }

  /// The rows and the cursor after the frames, on an empty screen. tmux does not join a cluster that comes in two reads, so
  /// each frame is read before the next one is written.
  func shown(_ frames: [[UInt8]], _ size: Size) async throws -> String {
    if size != self.size {
      try await Self.tmux(home, "resize-window", "-x", "\(size.columns)", "-y", "\(size.rows)")
      self.size = size
    }
    var answer: [UInt8] = []
    for frame in [Array("\u{1B}[0m\u{1B}[2J\u{1B}[H".utf8)] + frames {
      // tmux answers with the position of the cursor once it has read all before.
      try await write(frame + Array("\u{1B}[6n".utf8))
      answer = try await self.answer()
    }
    return try await Self.tmux(home, "capture-pane", "-p") + String(decoding: answer.dropFirst(), as: UTF8.self)
  }

  @discardableResult
  private static func tmux(_ home: TemporaryHome, _ words: String...) async throws -> String {
    let program = Program("tmux", ["-S", home.path + "/tmux"] + words, environment: home.environment)
    let outcome = try await program.run()
    guard outcome.status == .exited(0) else { throw Overdue("tmux \(words)", seen: "\(outcome)") }
    return outcome.transcript.output
  }
}
