private import Glibc
private import PodcastStore
internal import System

/// The file that is being filled, and the note of its ranges. It is locked while a process fills it, and gets the media
/// file's name in one step. No symbolic link is followed out of the folder.
final class PartialFile: Sendable {
  /// Of the whole file.
  let path: String
  private let name: MediaFilePath
  private let folder: Int32
  private let file: Int32
  private let note: Int32

  init(_ name: MediaFilePath, in media: String) throws(DownloadError) {
    self.name = name
    path = name.path(in: media)
    let folder = try Self.openFolder(name.folder, in: media)
    self.folder = folder
    do throws(DownloadError) {
      file = try Self.openLocked(name.partial, in: folder, about: path)
    } catch {
      close(folder)
      throw error
    }
    // Without a note fewer bytes count as present after a kill; that is no reason to fetch nothing.
    note = (try? Self.openOrMake(name.note, in: folder, about: path)) ?? -1
  }

  /// To read what its owner, another process, has filled by now. Nil where there is no such file.
  init?(ownedByAnother name: MediaFilePath, in media: String) {
    self.name = name
    path = name.path(in: media)
    guard let folder = try? Self.openFolder(name.folder, in: media) else { return nil }
    self.folder = folder
    file = openat(folder, name.partial, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    note = openat(folder, name.note, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
  }

  deinit {
    close(note)
    close(file)
    close(folder)
  }

  /// Other processes may fill it from now on. An open file may still be read.
  func unlock() { FileLock.unlock(file) }

  var size: Int64 {
    var information = stat()
    return fstat(file, &information) == 0 ? Int64(information.st_size) : 0
  }

  /// Bytes that this user may still write here.
  var freeSpace: Int64 { FreeSpace.around(file) ?? .max }

  func write(_ bytes: some Collection<UInt8>, at offset: Int64) throws(DownloadError) {
    let bytes = Array(bytes)
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, off_t(offset) + off_t(done)) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .file(path, errno) }
      done += count
    }
    startOnItsWay(upTo: offset + Int64(done), from: offset)
  }

  /// Starts writing whole stretches to the disk without waiting for them, so that a later sync has little left to do.
  private func startOnItsWay(upTo end: Int64, from start: Int64) {
    advise(every: 8 << 20, from: start, upTo: end)
  }

  /// For bytes that are not read soon: once they are on the disk, their pages in memory are free for the bytes that
  /// follow. That is quicker than filling ever more memory, and takes none from other programs.
  func dropCache(from start: Int64, upTo end: Int64) {
    advise(every: 2 << 20, goingBack: 14 << 20, from: start, upTo: end)
  }

  /// `POSIX_FADV_DONTNEED` for every stretch that is complete by now: it starts writing dirty pages and drops clean ones. A
  /// dirty page takes two calls, so some of the bytes before are advised again.
  private func advise(every stretch: Int64, goingBack: Int64 = 0, from start: Int64, upTo end: Int64) {
    let (first, behind) = (start / stretch * stretch, end / stretch * stretch)
    guard first < behind else { return }
    let begin = max(0, first - goingBack)
    posix_fadvise(file, off_t(begin), off_t(behind - begin), POSIX_FADV_DONTNEED)
  }

  /// How many bytes could be read; nil when the disk fails.
  func read(into target: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int? {
    while true {
      let count = pread(file, target.baseAddress, target.count, off_t(offset))
      if count < 0, errno == EINTR { continue }
      return count < 0 ? nil : count
    }
  }

  /// Makes the written bytes durable.
  func sync() -> Bool { fdatasync(file) == 0 }

  // MARK: Ranges

  /// Replaces the note, after the bytes are written: it never claims too much.
  func note(_ map: RangeMap, of token: String) {
    guard let boot = RangeNote.currentBoot else { return }
    var text = RangeNote(boot: boot, token: token, map: map).text
    _ = text.withUTF8 { pwrite(note, $0.baseAddress, $0.count, 0) }
  }

  /// The bytes that are surely here: the record's synced ranges, and the note's ranges if it is of this rendition and of
  /// this start of the system. A file shorter than that is another file, and where the note is of another rendition, the
  /// bytes were begun anew after the record was read: nothing counts.
  func present(_ synced: RangeMap, of token: String?) -> RangeMap {
    var map = synced
    if let token, let note = readNote(), note.boot == RangeNote.currentBoot {
      guard note.token == token else { return RangeMap() }
      for range in note.map.ranges { map.insert(range) }
    }
    return map.end <= size ? map : RangeMap()
  }

  private func readNote() -> RangeNote? {
    var bytes = [UInt8](repeating: 0, count: RangeNote.longest)
    let count = pread(note, &bytes, bytes.count, 0)
    return count > 0 ? RangeNote(String(decoding: bytes[..<count], as: UTF8.self)) : nil
  }

  // MARK: Its end

  func cut(to size: Int64) throws(DownloadError) {
    guard ftruncate(file, off_t(size)) == 0 else { throw .file(path, errno) }
  }

  /// Syncs the whole file and gives it its name.
  func finish() throws(DownloadError) {
    // Removed meanwhile: the name may be that of another process's file.
    guard Self.isStill(name.partial, in: folder, file) else { throw .file(path, ENOENT) }
    guard Files.publish(file, name.partial, as: name.file, inFolder: folder) else {
      throw .file(path, errno)
    }
    unlinkat(folder, name.note, 0)
  }

  /// Also the file itself, where it has its name already.
  func discardAll() {
    discard()
    if Self.isStill(name.file, in: folder, file) { unlinkat(folder, name.file, 0) }
  }

  func discard() {
    unlinkat(folder, name.partial, 0)
    unlinkat(folder, name.note, 0)
  }

  // MARK: Opening

  private static func openFolder(_ name: String, in media: String) throws(DownloadError) -> Int32 {
    _ = Files.makeFolder(media)
    let parent = open(media, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard parent >= 0 else { throw .file(media, errno) }
    defer { close(parent) }
    let path = media + "/" + name
    if mkdirat(parent, name, 0o700) == 0 {
      fsync(parent)
    } else if errno != EEXIST {
      throw .file(path, errno)
    }
    let folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard folder >= 0 else { throw .file(path, errno) }
    return folder
  }

  private static func openLocked(_ name: String, in folder: Int32, about path: String) throws(DownloadError) -> Int32 {
    while true {
      let file = try openOrMake(name, in: folder, about: path)
      // One that only asks whether it is locked has it for a moment.
      guard FileLock.lock(file, patience: .milliseconds(30)) else {
        // Some file systems have no locks.
        let reason = errno
        close(file)
        throw reason == EWOULDBLOCK ? .underway : .file(path, reason)
      }
      if isStill(name, in: folder, file) { return file }
      // The former holder of the lock has finished in between, and the name now means nothing or another file.
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
