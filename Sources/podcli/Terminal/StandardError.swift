import Glibc
import Synchronization

/// Where talk goes: standard error, under whatever number it has by now.
enum StandardError {
  private static let current = Atomic<Int32>(2)

  static var descriptor: Int32 { current.load(ordering: .relaxed) }

  /// Only root may give threads the priority that libdispatch wants for them. It would tell everybody else's system log
  /// so, at every command. To be called before the first thread.
  static func keepDispatchQuiet() { setenv("LIBDISPATCH_LOG", "NO", 0) }

  /// Audio libraries complain on descriptor 2 about every device they try. From here on they complain to nobody,
  /// and the screen is podcli's alone.
  static func keepLibrariesQuiet() {
    let ours = fcntl(2, F_DUPFD_CLOEXEC, 10)
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    guard ours >= 0, nowhere >= 0 else { return }
    dup2(nowhere, 2)
    close(nowhere)
    current.store(ours, ordering: .relaxed)
  }
}
