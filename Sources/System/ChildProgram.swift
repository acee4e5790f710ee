private import Glibc
private import Synchronization

/// Another program, started with default signal handling.
package enum ChildProgram {
  /// The path of this program; after an update the path of the new one.
  package static let thisProgram: String = {
    for candidate in ["/proc/self/exe", executedPath] {
      guard let path = realpath(candidate, nil) else { continue }
      defer { free(path) }
      return String(cString: path)
    }
    return "podcli"
  }()

  /// `AT_EXECFN`, which the kernel tells without /proc. Swift does not see `getauxval`.
  private static var executedPath: String {
    guard let symbol = dlsym(nil, "getauxval") else { return "" }
    let value = unsafeBitCast(symbol, to: (@convention(c) (UInt) -> UInt).self)
    return UnsafePointer<CChar>(bitPattern: value(31)).map { String(cString: $0) } ?? ""
  }

  /// Starts `program`, which is looked up in PATH; nil when there is none. `streams` maps descriptors of the program to
  /// descriptors of this process; it inherits the others of 0, 1 and 2, and the variables where `environment` names none.
  /// In a group of its own, the keys of the terminal send it no signals; in a session of its own it has no terminal.
  package static func start(
    _ program: String, _ arguments: [String], streams: [Int32: Int32], environment: [String]? = nil,
    inOwnGroup: Bool = false, inOwnSession: Bool = false
  ) -> Int32? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (descriptor, end) in streams { posix_spawn_file_actions_adddup2(&actions, end, descriptor) }
    // A lock that a shell has taken before it started this process must not be held by a program that outlives it.
    for descriptor: Int32 in 3..<1024 where streams[descriptor] == nil {
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }
    var attributes = cleanSignals((inOwnGroup ? POSIX_SPAWN_SETPGROUP : 0) | (inOwnSession ? newSession : 0))
    defer { posix_spawnattr_destroy(&attributes) }
    let words = ([program] + arguments).map { strdup($0) } + [nil]
    var variables = environment?.map { strdup($0) } ?? []
    variables.append(nil)
    defer { (words + variables).forEach { free($0) } }
    var child = pid_t()
    let code = variables.withUnsafeMutableBufferPointer { variables in
      posix_spawnp(&child, program, &actions, &attributes, words, environment == nil ? environ : variables.baseAddress!)
    }
    return code == 0 ? child : nil
  }

  /// A pipe that no other program inherits.
  package static func pipe() -> (read: Int32, write: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Waits until it has ended, and returns its status.
  @discardableResult
  package static func wait(for child: Int32) -> Int32 {
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return status
  }

  /// Those that were started detached and may have ended.
  private static let detached = Mutex<[pid_t]>([])

  /// Starts `program` without a terminal; it may outlive this process. Those before that have ended are waited for, which
  /// takes their entries out of the table of processes.
  package static func startDetached(_ program: String, _ arguments: [String]) {
    let nowhere = open("/dev/null", O_RDWR | O_CLOEXEC)
    guard nowhere >= 0 else { return }
    defer { close(nowhere) }
    let child = start(program, arguments, streams: [0: nowhere, 1: nowhere, 2: nowhere], inOwnGroup: true)
    detached.withLock { pids in
      pids.removeAll { waitpid($0, nil, WNOHANG) != 0 }
      if let child { pids.append(child) }
    }
  }

  /// `POSIX_SPAWN_SETSID`, which Swift does not see.
  private static let newSession: Int32 = 0x80

  private static func cleanSignals(_ more: Int32) -> posix_spawnattr_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var all = sigset_t()
    sigfillset(&all)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | more))
    return attributes
  }
}
