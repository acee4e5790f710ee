import Glibc

/// A program that a test starts, with its own environment.
struct Child {
  struct Failure: Error {
    let what: String
  }

  struct Result {
    let status: Int32
    let output: String
  }

  /// Runs to the end; stdout and stderr come back as one text.
  static func run(_ words: [String], environment: [String: String] = [:], input: String = "") throws -> Result {
    var fromChild: [Int32] = [-1, -1]
    var toChild: [Int32] = [-1, -1]
    // Sockets, since they close on exec from the start: other tests start programs at the same time.
    let stream = Int32(SOCK_STREAM.rawValue) | O_CLOEXEC
    guard socketpair(AF_UNIX, stream, 0, &fromChild) == 0, socketpair(AF_UNIX, stream, 0, &toChild) == 0 else {
      throw Failure(what: "no sockets")
    }
    let pid = try spawn(words, environment) { actions in
      posix_spawn_file_actions_adddup2(&actions, toChild[0], 0)
      posix_spawn_file_actions_adddup2(&actions, fromChild[1], 1)
      posix_spawn_file_actions_adddup2(&actions, fromChild[1], 2)
    }
    close(toChild[0])
    close(fromChild[1])
    // A child that does not read its input must not end the test.
    _ = input.utf8CString.withUnsafeBytes {
      send(toChild[1], $0.baseAddress, $0.count - 1, Int32(MSG_NOSIGNAL))
    }
    close(toChild[1])
    defer { close(fromChild[0]) }
    let output = try readAll(fromChild[0])
    return Result(status: wait(for: pid), output: output)
  }

  /// Starts in a session of its own, so that the first terminal it opens becomes its controlling one.
  static func spawn(
    _ words: [String], _ environment: [String: String],
    files: (inout posix_spawn_file_actions_t) -> Void
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    files(&actions)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(0x80))  // POSIX_SPAWN_SETSID

    var arguments = words.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for pointer in arguments + variables { free(pointer) } }
    var pid: pid_t = 0
    let code = posix_spawnp(&pid, words[0], &actions, &attributes, &arguments, &variables)
    guard code == 0 else { throw Failure(what: "\(words[0]) cannot be started: \(String(cString: strerror(code)))") }
    return pid
  }

  static func wait(for pid: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) == -1, errno == EINTR {}
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
  }

  private static func readAll(_ descriptor: Int32) throws -> String {
    var bytes: [UInt8] = []
    while let more = try readSome(descriptor) { bytes += more }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// What comes next, or nil at the end. The deadline only guards against hanging.
  static func readSome(_ descriptor: Int32) throws -> ArraySlice<UInt8>? {
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, 20_000) > 0 else { throw Failure(what: "nothing more came") }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &buffer, buffer.count)
    return count > 0 ? buffer.prefix(count) : nil
  }
}
