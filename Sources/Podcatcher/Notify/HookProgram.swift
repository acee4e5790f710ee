private import Glibc
internal import System

/// One run of the user's program: without a shell, in a process group of its own, with few variables, and with the episode's
/// JSON on its standard input.
///
/// `timeout` kills it after ten seconds, also where podcli has ended by then.
struct HookProgram: Sendable {
  let path: String
  /// A folder for temporary files.
  let folder: String

  private static let seconds = "10"
  private static let kept = ["PATH", "HOME", "LANG", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"]

  /// Starts it, and returns its process; nil without `timeout`.
  func start(_ event: HookEvent, _ json: String) -> Int32? {
    let input = unnamedFile()
    let nothing = open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { [input, nothing].forEach { close($0) } }
    guard input >= 0, nothing >= 0, Files.write(Array((json + "\n").utf8), to: input) else { return nil }
    lseek(input, 0, SEEK_SET)
    return ChildProgram.start(
      "timeout", ["-s", "KILL", Self.seconds, path], streams: [0: input, 1: nothing, 2: nothing],
      environment: Self.environment(event))
  }

  /// Unlike a pipe it never fills up, and outlives podcli.
  private func unnamedFile() -> Int32 {
    guard Files.makeFolder(folder) else { return -1 }
    var name = Array((folder + "/hook-XXXXXX").utf8CString)
    let file = mkstemp(&name)
    if file >= 0 { _ = (unlink(name), fcntl(file, F_SETFD, FD_CLOEXEC)) }
    return file
  }

  /// Blocks until it has ended.
  static func end(of process: Int32) -> HookFailure.Reason? {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    // The exit status of `timeout`, unless its own process group was killed with the program.
    guard status & 0x7F == 0 else { return .timedOut }
    switch (status >> 8) & 0xFF {
    case 0: return nil
    case 126: return .notExecutable
    case 127: return .notFound
    case 137: return .timedOut
    case let status: return .exited(status)
    }
  }

  private static func environment(_ event: HookEvent) -> [String] {
    let inherited = kept.compactMap { name in Environment.process[name].map { "\(name)=\($0)" } }
    return inherited + ["PODCLI_EVENT=\(event.rawValue)"]
  }
}
