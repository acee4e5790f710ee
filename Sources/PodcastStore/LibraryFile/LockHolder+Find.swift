private import Glibc

extension LockHolder {
  /// The process that holds the library's write lock, as the kernel lists it.
  ///
  /// The files themselves must not be opened to find out: closing them would drop this process's own locks.
  static func find(for path: String) -> LockHolder? {
    contents(of: "/proc/locks").flatMap { find(for: path, in: $0) }
  }

  /// `table`: as `/proc/locks` has it. Some file systems (btrfs) have another device there than `stat` tells: by its inode
  /// alone a file is found only where no line has that device.
  static func find(for path: String, in table: String) -> LockHolder? {
    let files = [path + "-shm", path].compactMap(file)
    let locks = table.split(separator: "\n").compactMap { line in
      held(line.split(separator: " ", omittingEmptySubsequences: true))
    }
    let isDeviceKnown = locks.contains { lock in files.contains { $0.device == lock.file.device } }
    let lock = locks.first { lock in
      lock.pid != getpid()
        && files.contains { $0.inode == lock.file.inode && ($0.device == lock.file.device || !isDeviceKnown) }
    }
    return lock.map { LockHolder(pid: $0.pid, name: name(of: $0.pid)) }
  }

  private struct File {
    /// `fe:01`
    var device: String
    var inode: UInt64
  }

  /// `1: POSIX  ADVISORY  WRITE 4211 fe:01:1234 120 120`
  private static func held(_ words: [Substring]) -> (pid: Int32, file: File)? {
    guard words.count >= 6, words[1] != "->", words[3] == "WRITE", let pid = Int32(words[4]) else { return nil }
    let parts = words[5].split(separator: ":")
    guard parts.count == 3, let inode = UInt64(parts[2]) else { return nil }
    return (pid, File(device: "\(parts[0]):\(parts[1])", inode: inode))
  }

  private static func file(_ path: String) -> File? {
    var information = stat()
    guard stat(path, &information) == 0 else { return nil }
    // As `makedev` puts them together.
    let device = UInt64(information.st_dev)
    let (major, minor) = (device >> 8 & 0xFFF | device >> 32 & ~0xFFF, device & 0xFF | device >> 12 & ~0xFF)
    let numbers = [major, minor].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    return File(device: numbers.joined(separator: ":"), inode: UInt64(information.st_ino))
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
