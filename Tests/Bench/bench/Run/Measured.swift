import Glibc
private import TestSupport

/// The time, processor time and peak memory of a program that ran.
struct Measured {
  var wall: Double
  var processor: Double
  var peakMegabytes: Double
  var status: Int32

  struct CannotStart: Error { var program: String }

  static func run(
    _ program: String, _ arguments: [String], in workspace: Workspace, with variables: [String] = []
  ) throws -> Measured {
    try run(program, arguments, home: workspace.library, with: variables)
  }

  /// The PATH of this program and of the programs that it measures.
  static var searchPath: String { getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin" }

  static func isInstalled(_ program: String) -> Bool {
    searchPath.split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
  }

  /// The processor time that `work` takes in this process, in seconds.
  static func processorTime(of work: () -> Void) -> Double {
    let start = clock()
    work()
    return Double(clock() - start) / Double(CLOCKS_PER_SEC)
  }

  /// Discards the program's output. The small `podcli-measure` starts it, since a child's peak memory includes its parent's.
  static func run(
    _ program: String, _ arguments: [String], home: String, with variables: [String] = []
  ) throws -> Measured {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw CannotStart(program: "a pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    let pid = try spawn(
      builtProduct("podcli-measure"), [program] + arguments, home: home, output: nil, verdict: ends[1],
      with: variables)
    close(ends[1])
    var bytes = [UInt8](repeating: 0, count: 128)
    let count = read(ends[0], &bytes, bytes.count)
    while waitpid(pid, nil, 0) < 0, errno == EINTR {}
    let numbers = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split { $0 == " " || $0 == "\n" }
      .compactMap { Double($0) }
    guard numbers.count == 4 else { throw CannotStart(program: program) }
    return Measured(
      wall: numbers[0], processor: numbers[1], peakMegabytes: numbers[2] / 1024, status: Int32(numbers[3]))
  }

  /// The peak memory so far of a running process.
  static func peakMegabytes(of pid: pid_t) -> Double {
    let text = String(decoding: (try? contents(of: "/proc/\(pid)/status")) ?? [], as: UTF8.self)
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    return line.split(separator: " ").dropFirst().first.flatMap { Double($0.filter(\.isNumber)) }.map { $0 / 1024 } ?? 0
  }

  static func spawn(
    _ program: String, _ arguments: [String], home: String, output: Int32?, verdict: Int32? = nil,
    with more: [String] = []
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let output {
      posix_spawn_file_actions_adddup2(&actions, output, 1)
    } else {
      posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    }
    if let verdict { posix_spawn_file_actions_adddup2(&actions, verdict, 3) }
    // A pool thread may have inherited blocked signals; the child must have none blocked.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let environment = ["PODCLI_HOME=\(home)", "HOME=\(home)", "PATH=\(searchPath)", "LC_ALL=C.UTF-8"] + more
    let words = ([program] + arguments).map { strdup($0) } + [nil]
    let variables = environment.map { strdup($0) } + [nil]
    defer { (words + variables).forEach { free($0) } }
    var pid: pid_t = 0
    guard posix_spawnp(&pid, program, &actions, &attributes, words, variables) == 0 else {
      throw CannotStart(program: program)
    }
    return pid
  }
}
