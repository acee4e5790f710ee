private import Glibc

/// Space on a file system, for a small file that must be written when the disk is full. It has no name: the kernel frees it
/// when the process ends, however it ends.
package final class DiskReserve: Sendable {
  private let descriptor: Int32

  /// Nil where the file system has no files without a name, or no space.
  package init?(inFolder folder: String, bytes: Int) {
    // O_TMPFILE, a macro that Swift does not import.
    let temporary = 0o20000000 | O_DIRECTORY
    let descriptor = open(folder, O_RDWR | O_CLOEXEC | temporary, 0o600)
    guard descriptor >= 0 else { return nil }
    guard posix_fallocate(descriptor, 0, off_t(bytes)) == 0 else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
  }

  /// Frees the space, for the file that needs it now.
  package func release() { ftruncate(descriptor, 0) }

  deinit { close(descriptor) }
}
