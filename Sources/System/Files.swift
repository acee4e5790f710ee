private import Glibc

/// Whole files: read, replaced, measured; and the folders they are in. Where a call fails, `errno` says why.
package enum Files {
  // MARK: Reading

  /// The bytes of a file, at most `limit` of them. Nil when it cannot be opened or read.
  package static func read(_ path: String, atMost limit: Int = .max, followsLinks: Bool = true) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | (followsLinks ? 0 : O_NOFOLLOW))
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    while bytes.count < limit {
      let room = min(limit - bytes.count, 1 << 16)
      var count = 0
      let chunk = [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
        count = Glibc.read(descriptor, buffer.baseAddress, room)
        filled = max(0, count)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { break }
      bytes += chunk
    }
    return bytes
  }

  /// Nil when there is no such file.
  package static func size(of path: String) -> Int? {
    var information = stat()
    return stat(path, &information) == 0 ? Int(information.st_size) : nil
  }

  /// The time of the last change of a regular file, in seconds since 1970. Nil when there is no such file.
  package static func writtenAt(_ path: String) -> Int? {
    var information = stat()
    guard stat(path, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return nil }
    return information.st_mtim.tv_sec
  }

  /// The names of a folder's entries, in any order. Nil when it is no folder, or cannot be read.
  package static func names(in folder: String) -> [String]? {
    guard let stream = opendir(folder) else { return nil }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      // In place: an entry is shorter than its type, so that a copy would read behind the buffer.
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  // MARK: Temporary folders

  /// A folder of this user alone, below `$TMPDIR`. Nil when it cannot be made.
  package static func makeTemporaryFolder() -> String? {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/podcli-XXXXXX".utf8CString)
    return mkdtemp(&template).map { String(cString: $0) }
  }

  /// Removes a folder with the files in it; one that has folders in it stays.
  package static func removeFlatFolder(_ folder: String) {
    for name in names(in: folder) ?? [] { unlink(folder + "/" + name) }
    rmdir(folder)
  }

  /// Removes a folder with everything in it. Links are not followed.
  package static func removeFolder(_ path: String) {
    if unlink(path) == 0 || errno == ENOENT { return }
    for name in names(in: path) ?? [] { removeFolder(path + "/" + name) }
    rmdir(path)
  }

  // MARK: Replacing

  /// Writes a draft beside the file and renames it, so that no reader ever sees a part of the new bytes.
  ///
  /// `isDurable`: the bytes and the name are on the disk when this returns. False when they could not be written: the old file is
  /// unchanged.
  package static func replace(_ path: String, with bytes: [UInt8], isDurable: Bool, draft: String? = nil) -> Bool {
    // The process id is in the name: two processes may replace the same file at once.
    let draft = draft ?? "\(path).\(getpid())"
    unlink(draft)
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return false }
    let isWritten = write(bytes, to: descriptor) && (!isDurable || fsync(descriptor) == 0)
    // Some file systems report only here that the bytes did not fit.
    let isClosed = close(descriptor) == 0
    if isWritten, isClosed, rename(draft, path) == 0 {
      if isDurable { syncFolder(folder(of: path)) }
      return true
    }
    let reason = errno
    unlink(draft)
    errno = reason
    return false
  }

  /// Syncs a finished draft to the disk and gives it its name. The folder's entry is made durable by `syncFolder`.
  package static func publish(_ draft: Int32, _ draftPath: String, as path: String) -> Bool {
    fsync(draft) == 0 && rename(draftPath, path) == 0
  }

  /// The same for names in an open folder, whose entry is synced, too.
  package static func publish(_ draft: Int32, _ draftName: String, as name: String, inFolder folder: Int32) -> Bool {
    fsync(draft) == 0 && renameat(folder, draftName, folder, name) == 0 && fsync(folder) == 0
  }

  /// Writes all bytes at the descriptor's offset.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  // MARK: Folders

  /// The folder that a path is in.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Where a path leads to when it is a symbolic link, whether there is a file or not. The path itself where it is none, and
  /// where the link is one of a circle or is no UTF-8.
  package static func target(of name: String) -> String {
    var path = name
    // As many as the kernel follows.
    for _ in 0..<40 {
      let link = withUnsafeTemporaryAllocation(byteCount: Int(PATH_MAX), alignment: 1) { buffer -> String? in
        let count = readlink(path, buffer.baseAddress!.assumingMemoryBound(to: CChar.self), buffer.count)
        return count > 0 ? String(validating: buffer[..<count], as: UTF8.self) ?? "" : nil
      }
      guard let link else { return path }
      guard !link.isEmpty else { return name }
      path = link.hasPrefix("/") ? link : folder(of: path) + "/" + link
    }
    return name
  }

  /// Makes a folder that only this user may enter, or finds it. False, with `errno`, where it or a link to it is another
  /// user's: in a folder like `/tmp`, others may have made it. `mayBeLink`: to a folder of this user.
  package static func makePrivateFolder(_ path: String, mayBeLink: Bool = false) -> Bool {
    var (link, file) = (stat(), stat())
    guard makeFolder(path), lstat(path, &link) == 0, stat(path, &file) == 0 else { return false }
    let isAllowed = mayBeLink || link.st_mode & S_IFMT == S_IFDIR
    guard isAllowed, file.st_mode & S_IFMT == S_IFDIR, file.st_uid == geteuid(), link.st_uid == geteuid() else {
      errno = EACCES
      return false
    }
    return file.st_mode & 0o077 == 0 || chmod(path, 0o700) == 0
  }

  /// Makes the entries of a folder durable: names that were created, changed or removed.
  package static func syncFolder(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// Makes a folder, and those it lies in, with `mode`. True when it is there already.
  package static func makeFolder(_ path: String, mode: UInt32 = 0o700) -> Bool {
    if mkdir(path, mode) == 0 || errno == EEXIST { return true }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return false }
    return makeFolder(String(path[..<slash]), mode: mode) && (mkdir(path, mode) == 0 || errno == EEXIST)
  }
}
