private import Glibc

/// One at a time: who reads a file of this folder, changes it and puts it back. The kernel frees it when the process
/// dies, however it dies.
package enum FolderLock {
  /// Nil, with `errno`, when the folder cannot be opened, or others hold it for too long.
  package static func whileHeld<Result, Failure: Error>(
    _ folder: String, patience: Duration = .seconds(5), _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let deadline = ContinuousClock.now + patience
    // A file system that has no locks for folders says something else, and has to do without.
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR {
      guard ContinuousClock.now < deadline else { return nil }
      usleep(1_000)
    }
    return try body()
  }
}
