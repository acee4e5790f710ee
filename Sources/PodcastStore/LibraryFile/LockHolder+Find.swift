private import Glibc

extension LockHolder {
  /// The process that holds the library's write lock, as the kernel lists it.
  ///
  /// The files themselves must not be opened to find out: closing them would drop this process's own locks.
  static func find(for path: String) -> LockHolder? {
    let files = [path + "-shm", path].compactMap(inode)
    guard let table = contents(of: "/proc/locks") else { return nil }
    for line in table.split(separator: "\n") {
      let words = line.split(separator: " ", omittingEmptySubsequences: true)
      guard let holder = holder(words), holder.pid != getpid(), files.contains(holder.inode) else { continue }
      return LockHolder(pid: holder.pid, name: name(of: holder.pid))
    }
    return nil
  }

  /// `1: POSIX  ADVISORY  WRITE 4211 fe:01:1234 120 120`
  private static func holder(_ words: [Substring]) -> (pid: Int32, inode: UInt64)? {
    guard words.count >= 6, words[1] != "->", words[3] == "WRITE", let pid = Int32(words[4]) else { return nil }
    guard let inode = words[5].split(separator: ":").last.flatMap({ UInt64($0) }) else { return nil }
    return (pid, inode)
  }

  private static func inode(of path: String) -> UInt64? {
    var information = stat()
    return stat(path, &information) == 0 ? UInt64(information.st_ino) : nil
  }

  private static func name(of pid: Int32) -> String {
    let name = contents(of: "/proc/\(pid)/comm") ?? ""
    return name.isEmpty ? "process \(pid)" : String(name.prefix { $0 != "\n" })
  }

  private static func contents(of path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while case let count = read(descriptor, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension StoreError {
  /// Adds the process that holds the lock, when that is the reason.
  func naming(_ holder: @autoclosure () -> LockHolder?) -> StoreError {
    guard case .busy(holder: nil) = code else { return self }
    var error = self
    error.code = .busy(holder: holder())
    return error
  }
}
