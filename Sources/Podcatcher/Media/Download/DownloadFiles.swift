private import Glibc
package import PodcastModel
package import PodcastStore
internal import System

/// The files of downloaded episodes: removing them, and copying them out.
package struct DownloadFiles: Sendable {
  private let store: PodcastStore
  private let media: String

  /// `media`: the folder of all media files.
  package init(store: PodcastStore, media: String) {
    self.store = store
    self.media = media
  }

  /// All downloads, the last request first, as they are on the disk.
  package func entries() async throws(StoreError) -> [EpisodeEntry] { try await store.downloads().map(checked) }

  /// A download whose process has ended, however it ended, is paused, and one that a player fills is not; one whose file was deleted by another program, or never
  /// was on this machine, has failed.
  package func checked(_ entry: EpisodeEntry) -> EpisodeEntry {
    var entry = entry
    switch entry.download?.state {
    case .downloading?: return Self.pausedIfEnded(entry)
    case .paused? where isFilled(entry): entry.download?.state = .downloading
    case .complete? where entry.download?.path.map(Self.isGone) ?? true:
      entry.download = Download(state: .failed, path: entry.download?.path, error: "its file is gone")
    default: break
    }
    return entry
  }

  /// A download whose process has ended, however it ended, is paused. For long lists: looks at nothing of other episodes.
  package static func pausedIfEnded(_ entry: EpisodeEntry) -> EpisodeEntry {
    guard entry.download?.state == .downloading, !(entry.download?.path.map(isFilled) ?? false) else { return entry }
    var entry = entry
    entry.download?.state = .paused
    return entry
  }

  private static func isGone(_ path: String) -> Bool { access(path, F_OK) != 0 && [ENOENT, ENOTDIR].contains(errno) }

  /// Whether a process downloads it now.
  package func isUnderway(_ entry: EpisodeEntry) -> Bool { entry.download?.state == .downloading && isFilled(entry) }

  /// Whether a process fills its file now, also while it plays.
  package func isFilled(_ entry: EpisodeEntry) -> Bool { entry.download?.path.map(Self.isFilled) ?? false }

  private static func isFilled(_ path: String) -> Bool { FileLock.isHeld(path + ".part") }

  // MARK: Removing

  /// Returns the bytes that are free now. Nil where a process fills the file, which stays.
  package func remove(_ id: EpisodeID) async throws(StoreError) -> Int64? {
    guard let row = try await store.mediaRecord(of: id) else { return 0 }
    if let path = row.path, Self.isFilled(path) { return nil }
    await keepMarks(row)
    try await forget(row)
    // Only files that podcli made are deleted.
    guard let path = row.path, MediaFilePath(path: path, in: media) != nil else { return 0 }
    _ = Self.delete(path + ".part.map")
    return Self.delete(path) + Self.delete(path + ".part")
  }

  /// The library first: it must not promise a file that is gone.
  private func forget(_ row: MediaRecord) async throws(StoreError) {
    // So a refresh does not download it again.
    var memory = MediaRecord(episode: row.episode, state: .paused)
    memory.isAutomatic = true
    try await store.removeMedia(of: row.episode, remembering: row.isAutomatic || row.isKept ? memory : nil)
  }

  /// Ends a download of another process. Returns the bytes that are free then, nil where the process has not ended it by the
  /// time that a person waits.
  package func end(_ id: EpisodeID) async throws(StoreError) -> Int64? {
    guard let row = try await store.mediaRecord(of: id), let path = row.path else { return 0 }
    let size = Self.size(path + ".part")
    try await forget(row)
    guard await Self.isLetGo(path) else { return nil }
    // The process deletes what it has of the file. It may have finished it just before, or have been killed.
    guard MediaFilePath(path: path, in: media) != nil, let lock = FileLock(path: path + ".part"),
      try await store.isMediaRemoved(id)
    else { return size }
    defer { withExtendedLifetime(lock) {} }
    _ = Self.delete(path + ".part.map")
    return max(size, Self.delete(path) + Self.delete(path + ".part"))
  }

  /// The process that fills the file looks every second whether it was removed.
  private static func isLetGo(_ path: String) async -> Bool {
    let deadline = ContinuousClock.now + .seconds(5)
    while isFilled(path) {
      guard ContinuousClock.now < deadline else { return false }
      try? await Task.sleep(for: .milliseconds(20))
    }
    return true
  }

  /// The paths of all media files of a podcast that is about to be forgotten: nothing names them afterwards.
  package func paths(of podcast: PodcastID) async throws(StoreError) -> [String] {
    try await store.mediaRecords(of: podcast).compactMap(\.path).filter { MediaFilePath(path: $0, in: media) != nil }
  }

  /// Deletes files that the library names no more.
  package func delete(_ paths: [String]) {
    for path in paths {
      for suffix in ["", ".part", ".part.map"] { _ = Self.delete(path + suffix) }
    }
    // A folder goes with the last of its files.
    for folder in Set(paths.map(Files.folder)) { rmdir(folder) }
  }

  /// Of the file that goes.
  private func keepMarks(_ record: MediaRecord) async {
    guard let path = record.path, let name = MediaFilePath(path: path, in: media) else { return }
    let former = FormerRenditions(store: store)
    if record.state == .complete { return await former.keep(record, file: path) }
    guard let file = PartialFile(ownedByAnother: name, in: media) else { return }
    await former.keep(record, partly: file)
  }

  /// Returns the size on the disk.
  private static func delete(_ path: String) -> Int64 {
    var information = stat()
    guard lstat(path, &information) == 0, unlink(path) == 0 else { return 0 }
    return size(information)
  }

  private static func size(_ path: String) -> Int64 {
    var information = stat()
    return lstat(path, &information) == 0 ? size(information) : 0
  }

  /// A file with holes in it takes less than its length.
  private static func size(_ information: stat) -> Int64 {
    min(Int64(information.st_size), Int64(information.st_blocks) * 512)
  }

  /// Downloads, complete and failed ones, that were heard to their end, except favourites, queued ones, and those begun anew.
  package func done() async throws(StoreError) -> [EpisodeEntry] {
    let queued = Set(try await store.queue().map(\.episode.id))
    return try await store.downloads().filter { entry in
      [.complete, .failed].contains(entry.download?.state) && entry.status.hasCompleted
        && entry.status.lastListenTime == nil
        && !entry.isFavourite && !entry.status.isCurrentlyPlaying && !queued.contains(entry.episode.id)
    }
  }

  // MARK: Copying out

  /// Copies to `folder/{podcast}/{date} {title}.{ext}` and returns where that is.
  package static func copy(_ entry: EpisodeEntry, from path: String, to folder: String) throws(DownloadError) -> String
  {
    let podcast = FileNameText.readable(entry.podcast.title)
    let target = folder + "/" + (podcast.isEmpty ? "Podcast \(entry.podcast.id.rawValue)" : podcast)
    guard Files.makeFolder(target, mode: 0o777) else { throw .file(target, errno) }
    let number = entry.episode.id.rawValue
    let title = FileNameText.readable(entry.episode.title)
    let name = [entry.episode.publishedAt?.dateText, title.isEmpty ? String(number) : title].compactMap(\.self)
      .joined(separator: " ")
    let ending = path.split(separator: "/").last?.split(separator: ".").last.map { "." + $0 } ?? ""
    for name in [name, "\(name) [\(number)]"] {
      let file = target + "/" + name + ending
      if try copy(path, to: file) { return file }
    }
    throw .fileSystem(path: target + "/" + name + ending, reason: "another file has this name")
  }

  /// False when another file is there.
  private static func copy(_ source: String, to target: String) throws(DownloadError) -> Bool {
    let input = open(source, O_RDONLY | O_CLOEXEC)
    guard input >= 0 else { throw .file(source, errno) }
    defer { close(input) }
    if access(target, F_OK) == 0 { return isEqual(input, to: target) }
    // The process id is in the name: the folder is the user's.
    let temporary = "\(target).\(getpid()).part"
    unlink(temporary)
    let output = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
    guard output >= 0 else { throw .file(target, errno) }
    defer { close(output) }
    do throws(DownloadError) {
      try pour(input, into: output, about: target)
      guard Files.publish(output, temporary, as: target) else { throw .file(target, errno) }
      return true
    } catch {
      unlink(temporary)
      throw error
    }
  }

  private static func pour(_ input: Int32, into output: Int32, about path: String) throws(DownloadError) {
    while true {
      let count = sendfile(output, input, nil, 1 << 20)
      if count == 0 { return }
      guard count > 0 || errno == EINTR else { throw .file(path, errno) }
    }
  }

  private static func isEqual(_ input: Int32, to path: String) -> Bool {
    let other = open(path, O_RDONLY | O_CLOEXEC)
    guard other >= 0 else { return false }
    defer { close(other) }
    var (left, right) = ([UInt8](repeating: 0, count: 1 << 18), [UInt8](repeating: 0, count: 1 << 18))
    while true {
      let count = read(input, &left, left.count)
      guard count >= 0, read(other, &right, right.count) == count, left[..<count] == right[..<count] else {
        return false
      }
      if count == 0 { return true }
    }
  }
}
