import Glibc

/// A program that ran: how long, on how much of the processor, in how much memory.
struct Measured {
  var wall: Double
  var processor: Double
  var peakMegabytes: Double
  var status: Int32

  struct CannotStart: Error { var program: String }

  static func run(
    _ program: String, _ arguments: [String], in place: Workplace, with variables: [String] = []
  ) throws -> Measured {
    try run(program, arguments, home: place.library, with: variables)
  }

  /// Whether it can be found.
  static func isInstalled(_ program: String) -> Bool {
    ["/usr/bin/", "/usr/local/bin/", "/bin/"].contains { access($0 + program, X_OK) == 0 }
  }

  /// What this process needs for something itself, in seconds.
  static func processorTime(of work: () -> Void) -> Double {
    let start = clock()
    work()
    return Double(clock() - start) / Double(CLOCKS_PER_SEC)
  }

  /// Its output goes nowhere.
  static func run(
    _ program: String, _ arguments: [String], home: String, with variables: [String] = []
  ) throws -> Measured {
    let start = ContinuousClock.now
    let pid = try spawn(program, arguments, home: home, output: nil, with: variables)
    var (status, usage) = (Int32(0), rusage())
    while wait4(pid, &status, 0, &usage) < 0, errno == EINTR {}
    let elapsed = ContinuousClock.now - start
    let seconds = Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
    return Measured(
      wall: Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) * 1e-18,
      processor: seconds + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6,
      peakMegabytes: Double(usage.ru_maxrss) / 1024, status: (status >> 8) & 0xFF)
  }

  static func spawn(
    _ program: String, _ arguments: [String], home: String, output: Int32?, with more: [String] = []
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let output {
      posix_spawn_file_actions_adddup2(&actions, output, 1)
    } else {
      posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    }
    let environment = ["PODCLI_HOME=\(home)", "HOME=\(home)", "PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"] + more
    let words = ([program] + arguments).map { strdup($0) } + [nil]
    let variables = environment.map { strdup($0) } + [nil]
    defer { (words + variables).forEach { free($0) } }
    var pid: pid_t = 0
    guard posix_spawnp(&pid, program, &actions, nil, words, variables) == 0 else {
      throw CannotStart(program: program)
    }
    return pid
  }
}
