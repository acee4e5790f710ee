private import CTestSupport
internal import Glibc

/// The pipes between the test and a child, and the spawn attributes that connect them.
struct Wiring {
  private(set) var input: Descriptor?
  private(set) var output: Descriptor?
  private(set) var error: Descriptor?
  private let terminal: PseudoTerminal?
  /// The child's ends. The test's copies are closed when this value is released, right after the start.
  private var childEnds: [Program.Stream: Descriptor] = [:]

  init(_ program: Program, terminal: PseudoTerminal?) throws(SystemError) {
    self.terminal = terminal
    let onScreen = program.screen?.streams ?? []
    if !onScreen.contains(.input), !program.input.isNothing {
      let (read, write) = try makePipe()
      input = write
      childEnds[.input] = read
    }
    if !onScreen.contains(.output) {
      let (read, write) = try makePipe()
      output = read
      childEnds[.output] = write
    }
    if !onScreen.contains(.error) {
      let (read, write) = try makePipe()
      error = read
      childEnds[.error] = write
    }
  }

  /// Starts the program and closes the child's ends.
  mutating func spawn(_ program: Program) throws(SystemError) -> pid_t {
    defer { childEnds = [:] }
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    connectStreams(&actions, onScreen: program.screen?.streams ?? [])
    if let directory = program.directory { posix_spawn_file_actions_addchdir_np(&actions, directory) }
    resetSignals(&attributes)

    var pid: pid_t = 0
    let arguments = ([program.path] + program.arguments).map { strdup($0) } + [nil]
    let environment = program.environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (arguments + environment).forEach { free($0) } }
    let code = posix_spawnp(&pid, program.path, &actions, &attributes, arguments, environment)
    guard code == 0 else { throw SystemError("start \(program.path)", code: code) }
    return pid
  }

  /// A session leader that opens a terminal gets it as its controlling terminal.
  private func connectStreams(_ actions: inout posix_spawn_file_actions_t, onScreen: Set<Program.Stream>) {
    for stream in Program.Stream.allCases {
      if let terminal, onScreen.contains(stream) {
        posix_spawn_file_actions_addopen(&actions, stream.rawValue, terminal.secondaryPath, O_RDWR, 0)
      } else if let end = childEnds[stream] {
        posix_spawn_file_actions_adddup2(&actions, end.number, stream.rawValue)
      } else {
        posix_spawn_file_actions_addopen(&actions, stream.rawValue, "/dev/null", O_RDONLY, 0)
      }
    }
    posix_spawn_file_actions_addclosefrom_np(&actions, 3)
  }

  private func resetSignals(_ attributes: inout posix_spawnattr_t) {
    var all = sigset_t()
    var none = sigset_t()
    sigfillset(&all)
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | (terminal == nil ? 0 : Int32(podcli_spawn_setsid))
    posix_spawnattr_setflags(&attributes, Int16(flags))
  }
}

extension Program.Input {
  fileprivate var isNothing: Bool {
    if case .nothing = self { return true }
    return false
  }
}

private func makePipe() throws(SystemError) -> (read: Descriptor, write: Descriptor) {
  var ends: [Int32] = [-1, -1]
  guard pipe2(&ends, O_CLOEXEC) == 0 else { throw SystemError("pipe2") }
  return (try Descriptor(ends[0], from: "pipe2"), try Descriptor(ends[1], from: "pipe2"))
}
