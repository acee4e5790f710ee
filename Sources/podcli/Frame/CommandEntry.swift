import CommandKit

/// A command entry: a declared command and the function that runs it.
struct CommandEntry: Sendable {
  let command: Command
  /// A signal ends the command with an orderly shutdown, so signals are blocked before any thread starts.
  var endsByShutdown = false
  let run: @Sendable (Invocation, Context) async throws(Failure) -> Void
}
