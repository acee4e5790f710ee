/// An interactive shell on a terminal that the test types at. Control-O makes the shell print its line between « and »,
/// and the test waits for that instead of a time.
package final class ShellSession {
  private let shell: RunningProgram
  private var answered = 0

  /// Waits for READY, which the shell prints at the end of its startup file.
  package init(_ program: Program) async throws {
    shell = try program.on(Program.Screen(columns: 160, rows: 60)).start()
    try await shell.wait(forScreen: "READY")
  }

  /// Types a text on an empty line; returns the line afterwards, and the output in between.
  package func line(afterTyping keys: String) async throws -> (line: String, shown: String) {
    // Control-U empties the line.
    shell.type("\u{15}" + keys + "\u{0F}")
    let wanted = answered + 1
    try await shell.wait(for: "the line after typing \(keys)") { $0.screen.split(separator: "»").count > wanted }
    let parts = shell.transcript.screen.split(separator: "»", omittingEmptySubsequences: false)[answered]
      .split(separator: "«", maxSplits: 1).map(String.init)
    answered = wanted
    return (parts[1], parts[0])
  }

  package func list(afterTyping keys: String, shows text: String) async throws {
    shell.type("\u{15}" + keys)
    try await shell.wait(forScreen: text)
  }
}
