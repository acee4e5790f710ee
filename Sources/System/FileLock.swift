private import Glibc

/// An advisory lock (`flock`) on a file. The kernel frees it when the process dies, however it dies.
package final class FileLock: Sendable {
  /// A program that inherits it holds the lock, too.
  package let descriptor: Int32

  /// Nil when another process, or another part of this one, holds it, or when the file cannot be made. `pause`: between
  /// two looks, in microseconds.
  package init?(path: String, patience: Duration = .zero, pause: UInt32 = 1_000) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return nil }
    guard Self.lock(descriptor, patience: patience, pause: pause) else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Replaces the text of the file. A reader in between may find a rest of the longer one before, but never none.
  package func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      _ = pwrite(descriptor, bytes.baseAddress, bytes.count, 0)
      ftruncate(descriptor, off_t(bytes.count))
    }
  }

  /// The text of a lock file, held or not. Nil when there is none.
  package static func read(_ path: String) -> String? {
    Files.read(path, atMost: 256).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether a process holds the lock of this file. Also where the file can only be read. Asks with `LOCK_SH`: two that
  /// ask at once do not take each other for the holder, and over NFS a file that is open for reading has no other lock.
  package static func isHeld(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  // MARK: On an open file

  /// False, with `errno`, when the lock was not to be had: `EWOULDBLOCK` where another holds it.
  package static func lock(
    _ descriptor: Int32, patience: Duration = .zero, pause: UInt32 = 1_000
  ) -> Bool {
    let deadline = ContinuousClock.now + patience
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard ContinuousClock.now < deadline else { return false }
      usleep(pause)
    }
    return true
  }

  package static func unlock(_ descriptor: Int32) { flock(descriptor, LOCK_UN) }

  // MARK: On a folder

  /// Reads, changes and replaces a file of this folder without another process in between. Nil, with `errno`, when
  /// the folder cannot be opened, or another process holds the lock for too long.
  package static func holding<Result, Failure: Error>(
    folder: String, patience: Duration = .seconds(5), _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // Some file systems have no locks for folders: processes that share such a folder do without.
    guard lock(descriptor) || (errno != EWOULDBLOCK && errno != EINTR) || lock(descriptor, patience: patience)
    else { return nil }
    return try body()
  }
}
