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

  private static let seconds = 10

  /// Starts it, and returns its process; nil without `timeout`.
  func start(_ event: HookEvent, _ json: String) -> Int32? {
    let input = unnamedFile()
    let nothing = open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { [input, nothing].forEach { close($0) } }
    guard input >= 0, nothing >= 0, Files.write(Array((json + "\n").utf8), to: input) else { return nil }
    lseek(input, 0, SEEK_SET)
    return UserProgram.start(
      [path], seconds: Self.seconds, streams: [0: input, 1: nothing, 2: nothing],
      more: ["PODCLI_EVENT=\(event.rawValue)"])
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
  static func end(of process: Int32) -> ProgramFault? {
    UserProgram.fault(ChildProgram.wait(for: process))
  }
}
