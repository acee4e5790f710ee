private import Glibc

/// Space on a file system, for a small file that must be written when the disk is full. The file that holds it stays: the
/// disk may be full by the time the next process begins.
package final class DiskReserve: Sendable {
  private let descriptor: Int32

  /// Nil where the file cannot be made, or there is no space for it. One that is there already needs none, though some file
  /// systems ask for it anew.
  package init?(path: String, bytes: Int) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return nil }
    guard posix_fallocate(descriptor, 0, off_t(bytes)) == 0 || Self.hasSpace(descriptor, bytes) else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
  }

  private static func hasSpace(_ descriptor: Int32, _ bytes: Int) -> Bool {
    var file = stat()
    return fstat(descriptor, &file) == 0 && Int(file.st_blocks) * 512 >= bytes
  }

  /// Frees the space, for the file that needs it now.
  package func release() { ftruncate(descriptor, 0) }

  deinit { close(descriptor) }
}
