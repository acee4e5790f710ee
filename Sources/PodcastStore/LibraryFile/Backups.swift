private import Glibc
internal import PodcastModel
internal import System

/// The dated copies of a library in the directory beside it.
struct Backups {
  let library: LibraryFile

  init(of path: String) { library = .named(path) }

  private var directory: String { library.directory + "/backups" }

  private func path(at moment: Timestamp) -> String { directory + "/library-\(LibraryFile.stamp(moment)).db" }

  /// The newest first: the names sort by date. A file that the user named otherwise is none of them.
  var paths: [String] { paths(endingIn: ".db").filter(isDated).sorted(by: >) }

  private func isDated(_ path: String) -> Bool {
    let shape = { (path: String) in path.utf8.map { (0x30...0x39).contains($0) ? 0x30 : $0 } }
    return shape(path) == shape(self.path(at: Timestamp(seconds: 0)))
  }

  private func paths(endingIn suffix: String) -> [String] {
    (Files.names(in: directory) ?? []).filter { $0.hasPrefix("library-") && $0.hasSuffix(suffix) }.map {
      directory + "/" + $0
    }
  }

  /// Backups without a path of their own are limited to this number; older ones are deleted.
  private static let kept = 5

  /// Copies the library to `file`, or to a dated file in the directory of backups. Returns the copy's path.
  func make(
    from connection: Connection, to file: String? = nil, carrying document: String? = nil
  ) throws(StoreError) -> String {
    let target = file ?? path(at: .now)
    if file == nil { mkdir(directory, 0o700) }
    try LibraryFile(path: target).write(copyOf: connection, carrying: document)
    if file == nil { removeOld(besides: target) }
    return target
  }

  /// Whether a copy at this path would replace the library, or a file that SQLite keeps beside it.
  func wouldReplaceLibrary(_ file: String) -> Bool {
    let own = ["", "-wal", "-shm", "-journal"].map { library.path + $0 }
    let target = LibraryFile(path: file)
    let isInFolder = Self.isSame(target.directory, library.directory)
    return own.contains { Self.isSame(file, $0) || isInFolder && Self.name($0) == Self.name(file) }
  }

  private static func name(_ path: String) -> Substring? { path.split(separator: "/").last }

  private static func isSame(_ one: String, _ other: String) -> Bool {
    var (first, second) = (stat(), stat())
    return stat(one, &first) == 0 && stat(other, &second) == 0 && first.st_dev == second.st_dev
      && first.st_ino == second.st_ino
  }

  /// `made` stays. Those dated ahead by a wrong clock count as the oldest.
  private func removeOld(besides made: String) {
    let (now, yesterday) = (path(at: .now), path(at: Timestamp(seconds: Timestamp.now.seconds - 86_400)))
    let others = paths.filter { $0 != made }
    let old = (others.filter { $0 <= now } + others.filter { $0 > now }).dropFirst(Self.kept - 1)
    // Drafts that an interrupted backup has left behind go too.
    let drafts = paths(endingIn: ".new").filter { $0 < yesterday }
    for path in old + drafts { unlink(path) }
  }

  // MARK: Once a week

  /// Makes a backup when the last one is a week old, in the library's first week a day, the library is not larger than `limit`, and the disk has room for
  /// all that are kept. Nil when none is due or another process makes it.
  func makeWeekly(from connection: Connection, upTo limit: Int, now: Timestamp) throws(StoreError) -> String? {
    guard let size = library.size, size <= limit, try isDue(connection, now), hasRoom(for: size) else { return nil }
    mkdir(directory, 0o700)
    guard let lock = FileLock(path: directory + "/.lock") else { return nil }
    defer { withExtendedLifetime(lock) {} }
    // The process that had the lock before may have made it.
    return try isDue(connection, now) ? make(from: connection) : nil
  }

  private func isDue(_ connection: Connection, _ now: Timestamp) throws(StoreError) -> Bool {
    guard let began = try connection.integer("SELECT min(subscribed_at) FROM podcasts") else { return false }
    // A young library grows quickly: its first backup soon lacks most of it.
    let days: Int64 = began > now.seconds - 7 * 86_400 ? 1 : 7
    // One dated ahead by a wrong clock does not count.
    let last = paths.first { $0 <= path(at: now) }
    return last ?? "" < path(at: Timestamp(seconds: now.seconds - days * 86_400))
  }

  private func hasRoom(for size: Int) -> Bool {
    guard let free = FreeSpace.at(library.directory) else { return true }
    return free / Int64(Self.kept) > Int64(size) && free > Self.leftFree
  }

  /// A disk with less free space than this gets no automatic backup.
  private static let leftFree: Int64 = 1_000_000_000
}
