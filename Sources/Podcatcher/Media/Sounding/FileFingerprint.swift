private import Glibc
private import Text

/// Stands for the bytes of a file: its length and a hash of samples of it. New adverts or another encoding change it.
enum FileFingerprint {
  private static let (samples, sampleSize) = (16, 4096)

  /// Nil when the file cannot be read. No task's thread waits for the disk.
  static func ofFile(at path: String) async -> String? { await BlockingWork.run { of(path) } }

  static func of(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var information = stat()
    guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return nil }
    let size = Int(information.st_size)
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: sampleSize)
    for number in 0..<samples {
      let offset = max(0, size - sampleSize) * number / (samples - 1)
      let count = pread(descriptor, &buffer, sampleSize, off_t(offset))
      guard count >= 0 else { return nil }
      bytes += buffer[..<count]
    }
    return "\(size)-" + SHA1.hex(bytes)
  }
}
