private import Glibc

/// A file that is written under another name and then takes its place, so that nobody ever reads a part of it.
package enum WholeFile {
  /// `isLasting`: it is on the disk when this returns. False when it could not be written: what was there still is, and
  /// `errno` says why.
  package static func write(_ bytes: [UInt8], to path: String, isLasting: Bool) -> Bool {
    // Of this process alone: two may write the same file at once.
    let draft = "\(path).\(getpid())"
    unlink(draft)
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return false }
    let isWritten = put(bytes, on: descriptor) && (!isLasting || fsync(descriptor) == 0)
    let isClosed = close(descriptor) == 0
    if isWritten, isClosed, rename(draft, path) == 0 { return true }
    let reason = errno
    unlink(draft)
    errno = reason
    return false
  }

  private static func put(_ bytes: [UInt8], on descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
