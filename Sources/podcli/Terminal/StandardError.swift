import Glibc
import Synchronization

/// Standard error, and its current descriptor.
enum StandardError {
  private static let current = Atomic<Int32>(2)

  static var descriptor: Int32 { current.load(ordering: .relaxed) }

  /// Stops libdispatch from writing to the system log, at every command, that only root may raise the priority of
  /// threads. To be called before the first thread.
  static func keepDispatchQuiet() { setenv("LIBDISPATCH_LOG", "NO", 0) }

  /// Redirects descriptor 2 to /dev/null and keeps a copy for podcli: audio libraries write to it about every device
  /// they try.
  static func keepLibrariesQuiet() {
    let ours = fcntl(2, F_DUPFD_CLOEXEC, 10)
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    guard ours >= 0, nowhere >= 0 else { return }
    dup2(nowhere, 2)
    close(nowhere)
    current.store(ours, ordering: .relaxed)
  }
}
