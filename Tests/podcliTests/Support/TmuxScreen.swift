import Glibc
import TestSupport

/// A shell in a real terminal, tmux, with a screen that tests can read.
final class TmuxScreen {
  private let home: TemporaryHome
  private let socket: String
  private var commands = 0
  /// The process of tmux, until it has been ended.
  private var server: Int32?

  init(in home: TemporaryHome, columns: Int, rows: Int) async throws {
    self.home = home
    socket = home.path + "/tmux"
    let folder = builtProduct("podcli").split(separator: "/").dropLast().joined(separator: "/")
    try home.write("PS1='$ '\nPATH=/\(folder):$PATH\n", to: "rc")
    try await tmux(
      "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "bash --noprofile --rcfile rc -i")
    server = Int32(try await tmux("display-message", "-p", "#{pid}").filter { !$0.isNewline })
    try await tmux("set", "-g", "status", "off")
    try await tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
    _ = try await shows("$")
  }

  /// Where a test has failed before its end.
  deinit {
    if let server { kill(server, SIGTERM) }
  }

  func end() async throws {
    server = nil
    try await tmux("kill-server")
  }

  /// Types a line, waits for the shell, and returns the screen below the line.
  func run(_ line: String) async throws -> String {
    commands += 1
    try await tmux("send-keys", "-l", "clear; \(line); tmux -S tmux wait-for -S done\(commands)\n")
    try await tmux("wait-for", "done\(commands)")
    return try await capture()
  }

  /// Types keys without waiting.
  func type(_ keys: String...) async throws {
    try await tmux(["send-keys"] + keys)
  }

  /// The screen, as soon as it has that text.
  func shows(_ text: String) async throws -> String {
    let deadline = Deadline()
    while !deadline.hasPassed {
      let screen = try await capture()
      if screen.contains(text) { return screen }
    }
    throw Overdue(text, seen: try await capture())
  }

  /// Another size of the window.
  func resize(columns: Int, rows: Int) async throws {
    try await tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
  }

  /// The screen, as soon as it meets a condition.
  func shows(_ what: String, _ condition: (String) -> Bool) async throws -> String {
    let deadline = Deadline()
    while !deadline.hasPassed {
      let screen = try await capture()
      if condition(screen) { return screen }
    }
    throw Overdue(what, seen: try await capture())
  }

  /// The screen once an episode has been playing for a second or longer.
  func advances() async throws -> String {
    try await shows("a position after 0") { $0.contains("▶ 00:0") && !$0.contains("▶ 00:00:00") }
  }

  /// The process of the shell.
  func processID() async throws -> String {
    try await tmux("display-message", "-p", "#{pane_pid}").filter { !$0.isNewline }
  }

  func capture(styled: Bool = false) async throws -> String {
    try await tmux(["capture-pane", "-p"] + (styled ? ["-e"] : []))
  }

  @discardableResult
  private func tmux(_ words: String...) async throws -> String { try await tmux(words) }

  @discardableResult
  private func tmux(_ words: [String]) async throws -> String {
    let outcome = try await home.program("tmux", ["-S", socket] + words).in(home.path).run()
    guard outcome.status == .exited(0) else { throw Overdue("tmux \(words)", seen: "\(outcome)") }
    return outcome.output
  }
}
