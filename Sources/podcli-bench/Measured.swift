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

  /// Its output goes nowhere. A small process starts it: the kernel counts the memory of whoever starts a program towards
  /// that program's peak, and this one may hold a feed of 50 MB.
  static func run(
    _ program: String, _ arguments: [String], home: String, with variables: [String] = []
  ) throws -> Measured {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0, fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0, fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0 else {
      throw CannotStart(program: "a pipe")
    }
    defer { close(ends[0]) }
    let launcher = try spawn(
      "/proc/self/exe", ["launch", program] + arguments, home: home, output: ends[1], with: variables)
    close(ends[1])
    var line = [UInt8](repeating: 0, count: 128)
    let count = read(ends[0], &line, line.count)
    waitpid(launcher, nil, 0)
    let figures = String(decoding: line.prefix(max(0, count)), as: UTF8.self).split(whereSeparator: \.isWhitespace)
      .compactMap {
        Double($0)
      }
    guard figures.count == 4 else { throw CannotStart(program: program) }
    return Measured(wall: figures[0], processor: figures[1], peakMegabytes: figures[2], status: Int32(figures[3]))
  }

  /// What the small process does: start it, wait, and say what it took.
  static func launch(_ words: [String]) throws {
    guard let program = words.first else { return }
    let start = ContinuousClock.now
    var inherited: [UnsafeMutablePointer<CChar>?] = []
    while let variable = environ[inherited.count] { inherited.append(variable) }
    let pid = try spawn(program, Array(words.dropFirst()), output: nil, inherited + [nil])
    var (status, usage) = (Int32(0), rusage())
    while wait4(pid, &status, 0, &usage) < 0, errno == EINTR {}
    let elapsed = (ContinuousClock.now - start).inSecondsAsNumber
    let seconds = Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
    let processor = seconds + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
    print(elapsed, processor, Double(usage.ru_maxrss) / 1024, (status >> 8) & 0xFF)
  }

  static func spawn(
    _ program: String, _ arguments: [String], home: String, output: Int32?, with more: [String] = []
  ) throws -> pid_t {
    let environment = ["PODCLI_HOME=\(home)", "HOME=\(home)", "PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"] + more
    let variables = environment.map { strdup($0) } + [nil]
    defer { variables.forEach { free($0) } }
    return try spawn(program, arguments, output: output, variables)
  }

  private static func spawn(
    _ program: String, _ arguments: [String], output: Int32?, _ variables: [UnsafeMutablePointer<CChar>?]
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let output {
      posix_spawn_file_actions_adddup2(&actions, output, 1)
    } else {
      posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    }
    let words = ([program] + arguments).map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    // Threads of Swift's pool hear no signals, and what they start would inherit that.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var pid: pid_t = 0
    guard posix_spawnp(&pid, program, &actions, &attributes, words, variables) == 0 else {
      throw CannotStart(program: program)
    }
    return pid
  }
}
