import CommandKit
import Glibc
import PodcastModel
import Podcatcher

/// From the command line to the exit status.
enum Entry {
  static func run(_ arguments: [String], _ environment: Environment) -> Never {
    do throws(UsageError) {
      switch try PodcliProgram.program.parse(arguments) {
      case .show(let page): show(page, environment)
      case .candidates(let kind, let prefix): answerShell(kind, prefix, environment)
      case .run(let invocation): run(invocation, environment)
      }
    } catch {
      let failure = Failure(.usage, error.message, hint: error.hint)
      end(failure, Console(environment: environment), asJSON: arguments.contains("--json"))
    }
  }

  // MARK: Pages

  private static func show(_ page: Page, _ environment: Environment) -> Never {
    let console = Console(environment: environment)
    let style = TextStyle(
      width: console.width, measure: { DisplayWidth.of($0) },
      paint: { text, role in
        console.usesColor && role == .heading ? "\u{1B}[1m\(text)\u{1B}[0m" : text
      })
    console.write(PodcliProgram.program.text(of: page, in: style))
    exit(0)
  }

  // MARK: Commands

  private static func run(_ invocation: Invocation, _ environment: Environment) -> Never {
    guard let face = Faces.face(for: invocation) else {
      preconditionFailure("no face answers to \(invocation.name)")
    }
    if face.hasLastWords { Signals.block() }
    let console = console(for: invocation, environment)
    wait(console) { () throws(Failure) in
      try await face.run(invocation, context(for: invocation, environment, console))
    }
  }

  private static func console(for invocation: Invocation, _ environment: Environment) -> Console {
    var console = Console(environment: environment, color: invocation[GlobalOptions.color] ?? .auto)
    console.isQuiet = invocation[GlobalOptions.quiet]
    console.isVerbose = invocation[GlobalOptions.verbose]
    console.isJSON = invocation[GlobalOptions.json]
    return console
  }

  private static func context(
    for invocation: Invocation, _ environment: Environment, _ console: Console
  ) throws(Failure) -> Context {
    guard let places = Places(environment: environment, library: invocation[GlobalOptions.library]) else {
      throw Failure(.library, "there is no home directory", hint: "set HOME, or PODCLI_HOME")
    }
    let live = Live(
      places: places, audioOutput: environment["PODCLI_AO"], isOffline: invocation[GlobalOptions.offline])
    return Context(console: console, live: live)
  }

  /// The main thread only waits; a task does the work and ends the process. What was to be written has been by then,
  /// and nothing is taken apart: audio libraries may be at work on threads of their own.
  private static func wait(_ console: Console, _ work: @escaping @Sendable () async throws(Failure) -> Void) -> Never {
    Task {
      do throws(Failure) {
        try await work()
        _exit(0)
      } catch {
        end(error, console, asJSON: console.isJSON)
      }
    }
    // Not `dispatchMain`, which would open this thread to the signals that were blocked.
    while true { pause() }
  }

  private static func end(_ failure: Failure, _ console: Console, asJSON: Bool) -> Never {
    console.complain(asJSON ? failure.json.compact : failure.text)
    _exit(failure.exitStatus)
  }

  // MARK: Completion

  /// What a shell may offer. A library that cannot be read offers nothing, quietly.
  private static func answerShell(_ kind: String, _ prefix: String, _ environment: Environment) -> Never {
    let console = Console(environment: environment)
    wait(console) { () throws(Failure) in
      guard let places = Places(environment: environment) else { return }
      let live = Live(places: places, audioOutput: nil, isOffline: true)
      let candidates = await Candidates(live: live).candidates(kind: kind, prefix: prefix)
      console.write(PodcliProgram.program.answer(candidates))
    }
  }
}
