import Glibc
import TestSupport

/// The demo's temporary library, the commands that run on it, and the output about them. If the demo runs on a terminal,
/// podcli gets a pseudo-terminal of the same size.
final class Stage: Sendable {
  private let podcli: String
  private let home: TemporaryHome
  private let environment: Observed<[String: String]>
  private let running = Observed<RunningProgram?>(nil)
  private let isTerminal = isatty(STDOUT_FILENO) == 1

  init(podcli: String) throws {
    self.podcli = podcli
    home = try TemporaryHome()
    // The caller's environment selects the audio output; the library is temporary, and the network is this machine.
    var environment = try callersEnvironment().filter { !$0.key.lowercased().hasSuffix("_proxy") }
    environment["PODCLI_HOME"] = home.path
    self.environment = Observed(environment)
  }

  /// Shows a command and its output. A command with a duration is interrupted after it, as by Ctrl-C.
  func run(_ arguments: String..., for duration: Duration? = nil) async throws -> Outcome {
    let command = try start(arguments)
    defer { running.update { $0 = nil } }
    let deadline = Deadline(after: duration ?? .seconds(60))
    if mayLackSound, duration != nil, let outcome = try await silentEnd(of: command) { return outcome }

    announce(arguments)
    var shown = Transcript()
    while !deadline.hasPassed, command.status == nil { await relay(command, beyond: &shown, until: deadline) }
    if command.status == nil { command.send(SIGINT) }
    let outcome = try await command.end(by: Deadline(after: .seconds(10)))
    show(outcome.transcript, beyond: &shown)
    return outcome
  }

  private func start(_ arguments: [String]) throws -> RunningProgram {
    var program = Program(podcli, arguments, environment: environment.value)
    if isTerminal { program = program.on(screenSize()) }
    let command = try program.start()
    running.update { $0 = command }
    return command
  }

  private func announce(_ arguments: [String]) {
    let prefix = wasMadeSilent ? "PODCLI_AO=null " : ""
    Stage.tell(styled("\n$ \(prefix)podcli \(arguments.joined(separator: " "))\n", "1"))
  }

  /// The outcome of a command that found no audio output; nil if it plays. Its output is not shown, since the sound
  /// libraries print long messages on a machine without sound.
  private func silentEnd(of command: RunningProgram) async throws -> Outcome? {
    let playing = "▶"
    try? await command.wait(for: "sound", by: Deadline(after: .milliseconds(1500))) { $0.screen.contains(playing) }
    guard command.status == ExitStatus.exited(8) else { return nil }
    return try await command.end()
  }

  /// Runs a command for its output, without showing it and without a terminal.
  func ask(_ arguments: String...) async throws -> Outcome {
    try await Program(podcli, arguments, environment: environment.value).run()
  }

  func note(_ text: String) { Stage.tell(styled("\n# \(text)\n", "2")) }

  static func tell(_ text: String) { put(Array(text.utf8)[...]) }

  // MARK: Sound

  private var chosenOutput: String? { environment.value["PODCLI_AO"] }
  private var wasMadeSilent: Bool { silenced.value }
  private let silenced = Observed(false)

  /// Whether no output was chosen, by the caller or by the fallback.
  var mayLackSound: Bool { chosenOutput == nil }

  func fallBackToSilence() {
    silenced.update { $0 = true }
    environment.update { $0["PODCLI_AO"] = "null" }
  }

  var sound: String {
    if wasMadeSilent { return "none; the null output stood in for this machine's" }
    return chosenOutput.map { "PODCLI_AO=\($0), as you chose" } ?? "this machine's audio output"
  }

  // MARK: Ending early

  /// Interrupts a running command, so that it saves and ends, and removes the library.
  func tidy() async {
    if let command = running.value {
      command.send(SIGINT)
      _ = try? await command.end(by: Deadline(after: .seconds(5)))
    }
    home.remove()
  }

  // MARK: Showing

  private func relay(_ command: RunningProgram, beyond shown: inout Transcript, until deadline: Deadline) async {
    let seen = shown.length
    try? await command.wait(for: "more to show", by: deadline) { $0.length > seen }
    show(command.transcript, beyond: &shown)
  }

  private func show(_ transcript: Transcript, beyond shown: inout Transcript) {
    Stage.put(transcript.screenBytes.dropFirst(shown.screenBytes.count))
    Stage.put(transcript.outputBytes.dropFirst(shown.outputBytes.count))
    Stage.put(transcript.errorBytes.dropFirst(shown.errorBytes.count))
    shown = transcript
  }

  private static func put(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if written < 0 && errno != EINTR { return }
      rest = rest.dropFirst(max(0, written))
    }
  }

  private func styled(_ text: String, _ style: String) -> String {
    isTerminal && environment.value["NO_COLOR"] == nil ? "\u{1B}[\(style)m\(text)\u{1B}[0m" : text
  }
}

extension Transcript {
  fileprivate var length: Int { outputBytes.count + errorBytes.count + screenBytes.count }
}

private func screenSize() -> Program.Screen {
  var size = winsize()
  guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return .init() }
  return .init(columns: Int(size.ws_col), rows: Int(size.ws_row))
}

private func callersEnvironment() throws -> [String: String] {
  let entries = try contents(of: "/proc/self/environ").split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  return Dictionary(
    entries.map { entry in
      let name = entry.prefix { $0 != "=" }
      return (String(name), String(entry.dropFirst(name.count + 1)))
    }, uniquingKeysWith: { first, _ in first })
}
