import CBuild
import CommandKit
import Glibc
import PodcastModel
import Podcatcher
import ScreenKit
import System
import Text

/// Parses the command line, runs the command, and ends the process with its exit status.
enum Entry {
  static func run(_ arguments: [String], _ environment: Environment) -> Never {
    let call = arguments.drop { $0.hasPrefix("-") }
    if call.count == 2, call.first == PictureLoader.command {
      keepPicture(at: arguments[arguments.count - 1], isOffline: arguments.contains("--offline"), environment)
    }
    do throws(UsageError) {
      switch try Program.podcli.parse(arguments) {
      case .show(let page): show(page, arguments, environment)
      case .candidates(let kind, let prefix, let line): answerShell(kind, prefix, line, environment)
      case .start(let invocation):
        if FullScreen.isWanted(invocation, environment) { runScreen(invocation, environment) }
        show(.help(path: [], .short), arguments, environment)
      case .run(let invocation): run(invocation, environment)
      }
    } catch {
      let failure = Failure(.usage, error.message, hint: error.hint)
      end(failure, Console(environment: environment), asJSON: arguments.contains("--json"))
    }
  }

  // MARK: Pages

  private static func show(_ page: Page, _ arguments: [String], _ environment: Environment) -> Never {
    let console = Console(environment: environment, color: color(in: arguments))
    if arguments.contains("--json"), page == .version {
      let document: JSON = ["version": JSON(Program.podcli.version)]
      console.write(document.compact + "\n")
      exit(0)
    }
    let commit = String(cString: podcli_commit())
    if page == .version, !commit.isEmpty {
      console.write("podcli \(Program.podcli.version) (\(commit))\n")
      exit(0)
    }
    let style = TextStyle(
      width: console.width, measure: { DisplayWidth.of($0) },
      paint: { text, role in
        role == .heading ? Paint(console).bold(text) : text
      })
    Pager.show(Program.podcli.text(of: page, in: style), console)
    exit(0)
  }

  /// Looks for `--color` in unparsed words, as a page is shown even if the rest of the line is wrong.
  private static func color(in arguments: [String]) -> Console.ColorChoice {
    let name = "--color"
    let words =
      zip(arguments, arguments.dropFirst()).compactMap { $0 == name ? $1 : nil }
      + arguments.compactMap { $0.hasPrefix(name + "=") ? String($0.dropFirst(name.count + 1)) : nil }
    return words.last.flatMap(Console.ColorChoice.init(rawValue:)) ?? .auto
  }

  // MARK: Commands

  private static func run(_ invocation: Invocation, _ environment: Environment) -> Never {
    guard let entry = invocation.path.first.flatMap(CommandList.entry) else {
      preconditionFailure("no command entry for \(invocation.name)")
    }
    if entry.endsByShutdown { Signals.block() }
    let console = console(for: invocation, environment)
    wait(console) { () throws(Failure) in
      try await entry.run(invocation, context(for: invocation, environment, console))
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
    guard let paths = Paths(environment: environment, library: invocation[GlobalOptions.library]) else {
      throw Failure(.library, "there is no home directory", hint: "set HOME, or PODCLI_HOME")
    }
    if let folder = invocation[GlobalOptions.library] { try refuseFile(folder) }
    let live = Live(
      paths: paths, audioOutput: environment["PODCLI_AO"], isOffline: invocation[GlobalOptions.offline])
    return Context(console: console, live: live)
  }

  private static func refuseFile(_ path: String) throws(Failure) {
    if path.isEmpty {
      throw Failure(.usage, "--library names no folder", hint: "without it podcli uses your own library")
    }
    var information = stat()
    guard stat(path, &information) == 0, information.st_mode & S_IFMT != S_IFDIR else { return }
    let isLibrary = path.hasSuffix("library.db")
    throw Failure(
      .library, "--library names a folder, which this is not: \(path)",
      hint: isLibrary ? "podcli --library \(Files.folder(of: path)) uses the library in it" : nil)
  }

  /// Runs the work as a task, which ends the process.
  private static func wait(
    _ console: Console, _ work: @escaping @Sendable () async throws(Failure) -> Void
  ) -> Never {
    Task(executorPreference: MainThread.executor) {
      do throws(Failure) {
        try await work()
        leave(0)
      } catch {
        end(error, console, asJSON: console.isJSON)
      }
    }
    MainThread.executor.run()
  }

  private static func end(_ failure: Failure, _ console: Console, asJSON: Bool) -> Never {
    if !failure.isTold { console.complain(asJSON ? failure.json.compact : failure.text) }
    leave(failure.code.exitStatus)
  }

  /// By `_exit`, without exit handlers: those of OpenSSL and the audio libraries free what other threads may still use. All
  /// output is written by then. A handler writes the profile of a build that measures coverage.
  private static func leave(_ status: Int32) -> Never {
    #if COVERAGE
      exit(status)
    #else
      _exit(status)
    #endif
  }

  // MARK: The screen

  private static func runScreen(_ invocation: Invocation, _ environment: Environment) -> Never {
    Signals.block(ScreenTerminal.signals)
    // Its tasks are short, or wait for other processes.
    TaskQueue.replacePool()
    let console = console(for: invocation, environment)
    wait(console) { () throws(Failure) in
      let context = try context(for: invocation, environment, console)
      let shared = invocation.words(of: [GlobalOptions.library, GlobalOptions.offline])
      try await FullScreen({ .podcli }, context, environment, options: shared).run()
    }
  }

  /// Fetches and decodes a picture for the screen, whose process loads neither network nor decoder.
  private static func keepPicture(at url: String, isOffline: Bool, _ environment: Environment) -> Never {
    wait(Console(environment: environment)) { () throws(Failure) in
      guard let paths = Paths(environment: environment) else { return }
      StandardError.keepLibrariesQuiet()
      _ = await Live(paths: paths, audioOutput: nil, isOffline: isOffline).artwork.picture(at: url)
    }
  }

  // MARK: Completion

  /// Prints completion candidates. A library that cannot be read gives none, without a message.
  private static func answerShell(
    _ kind: String, _ prefix: String, _ line: Invocation, _ environment: Environment
  ) -> Never {
    let console = Console(environment: environment)
    wait(console) { () throws(Failure) in
      guard let paths = Paths(environment: environment, library: line[GlobalOptions.library]) else { return }
      let live = Live(paths: paths, audioOutput: nil, isOffline: true)
      let candidates = await Candidates(live: live).candidates(kind: kind, prefix: prefix)
      console.write(Program.podcli.answer(candidates))
    }
  }
}
