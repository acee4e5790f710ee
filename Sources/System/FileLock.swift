private import Glibc

/// An advisory lock on a file. The kernel frees it when the process dies, however it dies.
package final class FileLock: Sendable {
  private let descriptor: Int32

  /// Nil when another process, or another part of this one, holds it, or when the file cannot be made.
  package init?(path: String, patience: Duration = .zero) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return nil }
    guard Self.lock(descriptor, until: .now + patience) else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  private static func lock(_ descriptor: Int32, until deadline: ContinuousClock.Instant) -> Bool {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard ContinuousClock.now < deadline else { return false }
      usleep(2_000)
    }
    return true
  }

  /// Replaces what the file says.
  package func write(_ text: String) {
    ftruncate(descriptor, 0)
    var text = text
    _ = text.withUTF8 { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  }

  /// What the file says, whoever holds it. Nil when there is none.
  package static func read(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let text = String(unsafeUninitializedCapacity: 256) { max(0, Glibc.read(descriptor, $0.baseAddress, $0.count)) }
    return text
  }
}
