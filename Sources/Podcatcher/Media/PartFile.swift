private import Glibc

/// The file that a download grows in. It is locked for as long as somebody works on it, and becomes the medium in
/// one step; nothing is ever followed out of the folder.
final class PartFile: Sendable {
  let path: String
  private let place: DownloadPlace
  private let folder: Int32
  private let file: Int32

  init(_ place: DownloadPlace, in media: String) throws(DownloadError) {
    self.place = place
    path = place.path(in: media)
    folder = try Self.openFolder(place.folder, in: media)
    do throws(DownloadError) {
      file = try Self.openLocked(place.part, in: folder, about: path)
    } catch {
      close(folder)
      throw error
    }
  }

  deinit {
    close(file)
    close(folder)
  }

  var size: Int64 {
    var information = stat()
    return fstat(file, &information) == 0 ? Int64(information.st_size) : 0
  }

  /// Bytes that this user may still write here.
  var freeSpace: Int64 {
    var information = statvfs()
    guard fstatvfs(file, &information) == 0 else { return .max }
    let bytes = Int64(clamping: information.f_bavail).multipliedReportingOverflow(by: Int64(information.f_frsize))
    return bytes.overflow ? .max : bytes.partialValue
  }

  func write(_ bytes: some Collection<UInt8>, at offset: Int64) throws(DownloadError) {
    let bytes = Array(bytes)
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, off_t(offset) + off_t(done)) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .file(path, errno) }
      done += count
    }
  }

  func cut(to size: Int64) throws(DownloadError) {
    guard ftruncate(file, off_t(size)) == 0 else { throw .file(path, errno) }
  }

  /// Whole, on the disk, and under its name.
  func finish() throws(DownloadError) {
    guard fsync(file) == 0, renameat(folder, place.part, folder, place.file) == 0, fsync(folder) == 0 else {
      throw .file(path, errno)
    }
  }

  func discard() { unlinkat(folder, place.part, 0) }

  // MARK: Opening

  private static func openFolder(_ name: String, in media: String) throws(DownloadError) -> Int32 {
    _ = makePrivateFolder(media)
    let parent = open(media, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard parent >= 0 else { throw .file(media, errno) }
    defer { close(parent) }
    if mkdirat(parent, name, 0o700) == 0 { fsync(parent) }
    let folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard folder >= 0 else { throw .file(media + "/" + name, errno) }
    return folder
  }

  private static func openLocked(_ name: String, in folder: Int32, about path: String) throws(DownloadError) -> Int32 {
    while true {
      let file = try openOrMake(name, in: folder, about: path)
      guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
        close(file)
        throw .underway
      }
      if isStill(name, in: folder, file) { return file }
      // Whoever had the lock has finished in between, and the name now means nothing or another file.
      close(file)
    }
  }

  private static func openOrMake(_ name: String, in folder: Int32, about path: String) throws(DownloadError) -> Int32 {
    let always = O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    while true {
      var file = openat(folder, name, always)
      if file < 0, errno == ENOENT { file = openat(folder, name, always | O_CREAT | O_EXCL, 0o600) }
      if file >= 0 { return file }
      guard errno == EEXIST || errno == EINTR else { throw .file(path, errno) }
    }
  }

  private static func isStill(_ name: String, in folder: Int32, _ file: Int32) -> Bool {
    var own = stat()
    var named = stat()
    guard fstat(file, &own) == 0, fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0 else { return false }
    return own.st_ino == named.st_ino && own.st_dev == named.st_dev
  }
}
