private import Glibc
private import PodcastStore
internal import System

/// The file that a medium grows in, and the note of what is in it. It is locked for as long as somebody works on it,
/// and becomes the medium in one step; nothing is ever followed out of the folder.
final class PartFile: Sendable {
  let path: String
  private let place: DownloadPlace
  private let folder: Int32
  private let file: Int32
  private let note: Int32

  init(_ place: DownloadPlace, in media: String) throws(DownloadError) {
    self.place = place
    path = place.path(in: media)
    let folder = try Self.openFolder(place.folder, in: media)
    self.folder = folder
    do throws(DownloadError) {
      file = try Self.openLocked(place.part, in: folder, about: path)
    } catch {
      close(folder)
      throw error
    }
    // Without a note less is believed to be here after a kill; that is no reason to fetch nothing.
    note = (try? Self.openOrMake(place.note, in: folder, about: path)) ?? -1
  }

  deinit {
    close(note)
    close(file)
    close(folder)
  }

  /// For others from now on. What is open may still be read.
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

  /// To the disk, a stretch at a time and without waiting, so that little is left to wait for when it has to be there.
  private func startOnItsWay(upTo end: Int64, from start: Int64) {
    advise(every: 8 << 20, from: start, upTo: end)
  }

  /// Nobody reads soon what was written there: once it is on the disk its room in memory is for the bytes that follow.
  /// That is quicker than ever more memory, and takes none from others.
  func letGo(from start: Int64, upTo end: Int64) {
    advise(every: 2 << 20, goingBack: 14 << 20, from: start, upTo: end)
  }

  /// Of every stretch that is whole by now: what is not yet on the disk sets out for it, and what is there leaves memory.
  /// That takes two looks, so some of what lies before is looked at again.
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

  /// On the disk, whatever happens to the system.
  func sync() -> Bool { fdatasync(file) == 0 }

  // MARK: What is in it

  /// Replaces the note. It comes after the bytes that it tells of, so it never says too much.
  func note(_ map: RangeMap, of token: String) {
    guard let boot = MapNote.currentBoot else { return }
    var text = MapNote(boot: boot, token: token, map: map).text
    _ = text.withUTF8 { pwrite(note, $0.baseAddress, $0.count, 0) }
  }

  /// The bytes that are surely here: what the library was told once they were on the disk, and what the note says if it
  /// is of this file and of this start of the system. A file shorter than that is not the one they speak of.
  func present(_ synced: RangeMap, of token: String?) -> RangeMap {
    var map = synced
    if let token, let note = readNote(), note.token == token, note.boot == MapNote.currentBoot {
      for range in note.map.ranges { map.insert(range) }
    }
    return map.end <= size ? map : RangeMap()
  }

  private func readNote() -> MapNote? {
    var bytes = [UInt8](repeating: 0, count: MapNote.longest)
    let count = pread(note, &bytes, bytes.count, 0)
    return count > 0 ? MapNote(String(decoding: bytes[..<count], as: UTF8.self)) : nil
  }

  // MARK: Its end

  func cut(to size: Int64) throws(DownloadError) {
    guard ftruncate(file, off_t(size)) == 0 else { throw .file(path, errno) }
  }

  /// Whole, on the disk, and under its name.
  func finish() throws(DownloadError) {
    guard Files.publish(file, place.part, as: place.file, inFolder: folder) else {
      throw .file(path, errno)
    }
    unlinkat(folder, place.note, 0)
  }

  func discard() {
    unlinkat(folder, place.part, 0)
    unlinkat(folder, place.note, 0)
  }

  // MARK: Opening

  private static func openFolder(_ name: String, in media: String) throws(DownloadError) -> Int32 {
    _ = Files.makeFolder(media)
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
      guard FileLock.lock(file) else {
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
