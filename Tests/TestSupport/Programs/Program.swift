private import Glibc

/// A program to run, as a value. The child gets nothing else: no environment, signal dispositions, signal mask or
/// descriptors of the test.
package struct Program: Sendable {
  package enum Input: Sendable {
    case nothing
    case bytes([UInt8])
    /// A pipe that the test writes to and closes.
    case open
  }

  /// The terminal that the streams in `streams` are connected to. It is the child's controlling terminal, so the interrupt
  /// key and resizing send their signals; the other streams are pipes.
  package struct Screen: Sendable {
    package var columns: Int
    package var rows: Int
    package var streams: Set<Stream>

    package init(columns: Int = 80, rows: Int = 24, streams: Set<Stream> = [.input, .output, .error]) {
      self.columns = columns
      self.rows = rows
      self.streams = streams
    }
  }

  package enum Stream: Int32, Sendable, CaseIterable {
    case input, output, error
  }

  /// A path, or a name to find on the PATH.
  package var path: String
  package var arguments: [String]
  package var environment: [String: String]
  package var directory: String?
  package var input = Input.nothing
  package var screen: Screen?
  /// Kept alive until the program has ended, since nothing may write into a home that is being removed.
  var home: TemporaryHome?

  package init(_ path: String, _ arguments: [String] = [], environment: [String: String] = [:]) {
    self.path = path
    self.arguments = arguments
    self.environment = environment
  }

  package func input(_ text: String) -> Program { with { $0.input = .bytes(Array(text.utf8)) } }
  package func input(_ input: Input) -> Program { with { $0.input = input } }
  package func on(_ screen: Screen) -> Program { with { $0.screen = screen } }
  package func setting(_ name: String, _ value: String?) -> Program { with { $0.environment[name] = value } }
  package func `in`(_ directory: String) -> Program { with { $0.directory = directory } }

  /// Starts it and returns at once.
  package func start() throws(SystemError) -> RunningProgram { try RunningProgram(self) }

  /// Runs it to its end.
  package func run(by deadline: Deadline = Deadline()) async throws -> Outcome {
    try await start().end(by: deadline)
  }

  private func with(_ change: (inout Program) -> Void) -> Program {
    var copy = self
    change(&copy)
    return copy
  }
}

extension TemporaryHome {
  /// The built product in this home: `try await home.podcli("playlist", "--json").run()`.
  package func podcli(_ arguments: String...) -> Program { podcli(arguments) }

  package func podcli(_ arguments: [String]) -> Program {
    program(builtProduct("podcli"), arguments)
  }

  /// Another program in this home.
  package func program(_ path: String, _ arguments: String...) -> Program { program(path, arguments) }

  package func program(_ path: String, _ arguments: [String]) -> Program {
    var program = Program(path, arguments, environment: environment)
    program.home = self
    return program
  }
}

/// The path of a product. Products lie beside the running test bundle, whatever the configuration and the build folder.
package func builtProduct(_ name: String) -> String {
  let own = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
    let room = buffer.count
    count = max(0, buffer.withMemoryRebound(to: CChar.self) { readlink("/proc/self/exe", $0.baseAddress!, room) })
  }
  return String(decoding: own.prefix(through: own.lastIndex(of: UInt8(ascii: "/")) ?? 0), as: UTF8.self) + name
}
