private import Glibc

/// A media file of this machine, as it was when it was opened. libmpv takes an error of reading for the end.
struct FileOnDisk: Sendable {
  private let path: String
  private let size: Int64?

  init(_ path: String) {
    self.path = path
    size = RegularFile.size(of: path)
  }

  /// Whether all of it is still there, and can be read.
  var isWhole: Bool {
    guard let size else { return true }
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return false }
    defer { close(file) }
    var information = stat()
    guard fstat(file, &information) == 0, information.st_mode & S_IFMT == S_IFREG, information.st_size == size else {
      return false
    }
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var done: Int64 = 0
    while done <= size {
      let count = read(file, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count == 0 && done == size }
      done += Int64(count)
    }
    return false
  }
}
