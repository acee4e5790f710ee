private import Glibc
internal import PodcastStore
internal import System

/// The folder that machines share: a file of lines for each, which only that machine writes.
struct SyncFolder {
  /// The folder that the user named.
  let path: String
  private var root: String { path + "/podcli-sync-1" }

  /// A file that may hold lines.
  struct Entry: Hashable {
    var name: String
    var size: Int
    /// Size, time and number; empty for a file of the last seconds, whose next change might not show in them.
    var signature: String
    var isTooLarge: Bool { size > SyncFolder.largest }
  }

  static let largest = 64 << 20
  /// Of all files that one sync reads: more waits for the next.
  static let largestRound = 256 << 20
  private static let mostFiles = 1000

  /// Of an unplugged stick an empty mount point is left. Nothing is ever made in it.
  var isThere: Bool {
    var information = stat()
    return lstat(root, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
  }

  /// Only `podcli sync folder PATH` does that.
  func make() throws(SyncError) {
    var information = stat()
    guard stat(path, &information) == 0, information.st_mode & S_IFMT == S_IFDIR else {
      throw .folderMissing(path: path)
    }
    guard mkdir(root, 0o755) == 0 || (errno == EEXIST && isThere) else { throw failure() }
    guard access(root, R_OK | W_OK | X_OK) == 0 else { throw failure() }
    Files.syncFolder(path)
  }

  private func failure() -> SyncError {
    errno == ENOSPC || errno == EDQUOT
      ? .diskFull(path: path) : .folderFailed(path: path, reason: String(cString: strerror(errno)))
  }

  // MARK: Reading

  /// Regular files by their names, conflict copies included, but no drafts.
  func entries() throws(SyncError) -> [Entry] {
    guard let names = Files.names(in: root) else { throw isThere ? failure() : .folderMissing(path: path) }
    var entries: [Entry] = []
    let files = names.filter { $0.hasSuffix(".jsonl") && !$0.hasPrefix(".") && !$0.hasPrefix("~") }
    for name in files.sorted().prefix(Self.mostFiles) {
      var information = stat()
      guard lstat(root + "/" + name, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { continue }
      entries.append(Entry(name: name, size: Int(information.st_size), signature: Self.signature(information)))
    }
    return entries
  }

  private static func signature(_ information: stat) -> String {
    // Seconds and nanoseconds. By its members, the compiler refuses it in some incremental builds.
    let modified = withUnsafeBytes(of: information.st_mtim) { Array($0.bindMemory(to: Int.self)) }
    // A file system may have any time.
    let (age, overflows) = time(nil).subtractingReportingOverflow(modified[0])
    guard overflows || age.magnitude > 5 else { return "" }
    return "\(information.st_size) \(modified[0]).\(modified[1]) \(information.st_ino)"
  }

  /// Nil where it cannot be read, or is no regular file any more.
  func read(_ name: String) -> [UInt8]? {
    let descriptor = open(root + "/" + name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var information = stat()
    guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG,
      information.st_size <= Self.largest
    else { return nil }
    var count = 0
    let size = Int(information.st_size)
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
      while count < size {
        let more = Glibc.read(descriptor, buffer.baseAddress! + count, size - count)
        if more < 0, errno == EINTR { continue }
        guard more > 0 else { break }
        count += more
      }
      filled = count
    }
    return bytes
  }

  // MARK: Writing

  /// Appends whole lines. False when the file is not as long as it was left.
  func append(_ bytes: [UInt8], to name: String, ofSize size: Int) throws(SyncError) -> Bool {
    let descriptor = open(root + "/" + name, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return false }
      throw failure()
    }
    defer { close(descriptor) }
    var information = stat()
    guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG,
      Int(information.st_size) == size
    else { return false }
    guard Files.write(bytes, to: descriptor), fsync(descriptor) == 0 else {
      let failure = failure()
      // A full disk may have taken a part.
      ftruncate(descriptor, off_t(size))
      throw failure
    }
    return true
  }

  /// Writes the file anew, so that every machine sees the old one or the new one.
  func replace(_ name: String, with bytes: [UInt8]) throws(SyncError) {
    guard isThere else { throw .folderMissing(path: path) }
    guard Files.replace(root + "/" + name, with: bytes, isDurable: true, draft: root + "/." + name + ".tmp") else {
      throw failure()
    }
  }

  func remove(_ name: String) throws(SyncError) {
    guard unlink(root + "/" + name) == 0 || errno == ENOENT else { throw failure() }
    Files.syncFolder(root)
  }
}
