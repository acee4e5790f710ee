private import Glibc
internal import System

/// A program that the user names: it runs without a shell and with few variables, and is killed when it takes too long,
/// also where podcli has ended by then.
enum UserProgram {
  private static let kept = ["PATH", "HOME", "LANG", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"]

  /// In a process group of its own, whose number it returns; nil without `timeout`. `before`: programs that run it.
  static func start(
    _ words: [String], seconds: Int, before: [String] = [], streams: [Int32: Int32], more variables: [String] = []
  ) -> Int32? {
    let words = before + ["timeout", "-s", "KILL", String(seconds)] + words
    let inherited = kept.compactMap { name in Environment.process[name].map { "\(name)=\($0)" } }
    return ChildProgram.start(
      words[0], Array(words.dropFirst()), streams: streams, environment: inherited + variables, inOwnGroup: true)
  }

  /// Nil where all went well. `status`: of `waitpid`.
  static func fault(_ status: Int32) -> ProgramFault? {
    // The exit status of `timeout`, which ends itself as the program did; in time, it kills its own process group.
    guard status & 0x7F == 0 else { return status & 0x7F == SIGKILL ? .timedOut : .ended(bySignal: status & 0x7F) }
    switch (status >> 8) & 0xFF {
    case 0: return nil
    case 126: return .notExecutable
    case 127: return .notFound
    case 137: return .timedOut
    case let status: return .exited(status)
    }
  }
}

/// Why a program of the user did not do its work, as far as its exit status shows it.
package enum ProgramFault: Hashable, Sendable {
  case notFound, notExecutable
  /// It was killed.
  case timedOut
  case ended(bySignal: Int32)
  case exited(Int32)
  /// The program `timeout`, which ends one that takes too long.
  case noTimeout
}
