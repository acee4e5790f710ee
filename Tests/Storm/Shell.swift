private import Glibc
internal import TestSupport

/// An interactive shell on a terminal.
final class Shell: Sendable {
  private let program: RunningProgram
  private let settings = Observed("")
  private let checks = Observed(0)
  private static let patience = 8.0

  /// `variables` say where podcli plays to.
  init(_ home: TemporaryHome, _ variables: [String: String]) throws {
    let podcli = builtProduct("podcli")
    let folder = String(podcli[..<(podcli.lastIndex(of: "/") ?? podcli.startIndex)])
    let shell = home.program("/bin/bash", "--norc", "--noprofile", "--noediting", "-i").on(Program.Screen())
      .setting("PS1", "$ ").setting("PATH", folder + ":/usr/bin:/bin")
    program = try variables.reduce(shell) { $0.setting($1.key, $1.value) }.start()
  }

  func start() async throws {
    let answer = try await ask("stty -g")
    settings.update { $0 = answer }
  }

  /// Starts podcli and returns when it is in the terminal's foreground. A signal sent earlier would go to the shell's forked
  /// child and be lost.
  func type(_ command: String) async throws {
    program.type(command + "\n")
    try await until("'\(command)' starts") { $0 != self.program.pid && Self.isPodcli($0) }
  }

  private static func isPodcli(_ pid: pid_t) -> Bool {
    var path = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/\(pid)/exe", &path, path.count)
    return length > 0 && String(decoding: path[..<length], as: UTF8.self).hasSuffix("/podcli")
  }

  func press(_ keys: String) { program.type(keys) }

  /// Sends a signal to the foreground process group, unless that is the shell.
  func send(_ signal: Int32) {
    guard let group = program.foreground, group != program.pid else { return }
    if kill(-group, signal) != 0 { stop("no signal can be sent to \(group)") }
  }

  /// Returns when the shell is in the foreground again.
  func ended(_ name: String) async throws {
    try await until("\(name): the end") { $0 == self.program.pid }
  }

  /// Checks the exit status, the terminal settings, the cursor and the erased status line.
  func check(_ name: String, status: Int32, isKill: Bool) async throws {
    let screen = program.transcript.screen
    if screen.contains("\u{1B}[?25l") { stop("\(name): the cursor was hidden") }
    let answer = try await ask("echo $? $(stty -g)")
    let expected = "\(status) \(settings.value)"
    if answer != expected { stop("\(name): status and terminal are \(answer), expected \(expected)") }
    // Only the output of the last command counts: a killed podcli cannot erase its line.
    let begin = screen.range(of: "$ podcli", backwards: true)?.upperBound ?? screen.startIndex
    guard !isKill, let line = screen.range(of: "▶", backwards: true), line.lowerBound > begin else { return }
    // After the last status line comes the sequence that erases it.
    let rest = screen[line.upperBound...]
    if !rest.contains("\r\u{1B}[K") { stop("\(name): the line was left on the screen") }
  }

  /// Finds the answer between two markers that do not occur in the typed command.
  private func ask(_ command: String) async throws -> String {
    let number = checks.update { count in
      count += 1
      return count
    }
    let (begin, end) = ("<\(number):", ":\(number)>")
    program.type("status=$?; echo \"<\"\"\(number):$( (exit $status); \(command)):\"\"\(number)>\"\n")
    try await program.wait(for: "an answer to \(command)") { $0.screen.contains(end) }
    let screen = program.transcript.screen
    guard let from = screen.range(of: begin, backwards: true), let to = screen.range(of: end, backwards: true),
      from.upperBound <= to.lowerBound
    else { stop("no answer to \(command): \(screen.suffix(300))") }
    return String(screen[from.upperBound..<to.lowerBound])
  }

  private func until(_ what: String, _ holds: (pid_t) -> Bool) async throws {
    let end = Monotonic.seconds + Self.patience
    while Monotonic.seconds < end {
      if let group = program.foreground, holds(group) { return }
      _ = poll(nil, 0, 1)
    }
    stop("waited in vain for \(what): \(program.transcript.screen.suffix(500))")
  }
}

extension String {
  fileprivate func range(of text: String, backwards: Bool) -> Range<String.Index>? {
    let all = ranges(of: text)
    return backwards ? all.last : all.first
  }
}
