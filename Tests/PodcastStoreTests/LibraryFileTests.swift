import Glibc
import PodcastModel
import System
import TestSupport
import Testing

@testable import PodcastStore

/// Hard machines and broken files.
struct LibraryFileTests {
  private let library = TemporaryLibrary()
  private let url = "https://example.org/feed"

  private func filled() async throws -> (store: PodcastStore, ids: [EpisodeID]) {
    let store = try library.open()
    return (store, try await store.subscribe(to: .sample(episodes: 200), at: url).added)
  }

  private func code(_ body: () async throws -> Void) async -> StoreError.Code? {
    do {
      try await body()
      return nil
    } catch {
      return (error as? StoreError)?.code
    }
  }

  private func overwrite(at offset: Int, count: Int, with byte: UInt8 = 0xAA) {
    let descriptor = open(library.path, O_RDWR)
    defer { close(descriptor) }
    let bytes = [UInt8](repeating: byte, count: count)
    pwrite(descriptor, bytes, count, off_t(offset))
  }

  private func copy(_ source: String, to target: String) throws {
    let bytes = try contents(of: source)
    let descriptor = open(target, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    defer { close(descriptor) }
    try #require(write(descriptor, bytes, bytes.count) == bytes.count)
  }

  @Test func `a library and its WAL are for its owner only`() async throws {
    let (store, _) = try await filled()
    defer { withExtendedLifetime(store) {} }
    for name in library.files where name.hasPrefix("library.db") {
      var information = stat()
      #expect(stat(library.directory + "/" + name, &information) == 0)
      #expect(information.st_mode & 0o777 == 0o600, "\(name)")
    }
  }

  @Test func `the WAL has room for positions on a full disk`() async throws {
    let (store, _) = try await filled()
    await store.close()
    let reopened = try library.open()
    var information = stat()
    #expect(stat(library.path + "-wal", &information) == 0 && information.st_size > 64 * 4096)
    #expect(try await reopened.playlist().count == 200)
  }

  @Test(arguments: [StoreAccess.readOnly, .readWrite], ["", "/library.db"])
  func `S11: a link to a disk that is not there is refused, and stays`(access: StoreAccess, name: String) async throws {
    let (store, ids) = try await filled()
    await store.close()
    let (disk, home) = (library.directory + "/disk", library.directory + "/home")
    mkdir(disk, 0o700)
    for file in library.files where file.hasPrefix("library.db") {
      rename(library.directory + "/" + file, disk + "/" + file)
    }
    if name.isEmpty { symlink(disk, home) } else { mkdir(home, 0o700) }
    if !name.isEmpty { symlink(disk + name, home + name) }
    rename(disk, disk + ".gone")
    #expect(await code { _ = try PodcastStore(path: home + "/library.db", access: access) } == .cannotOpen)
    rename(disk + ".gone", disk)
    #expect(try await PodcastStore(path: home + "/library.db", access: access).playlist().count == ids.count)
  }

  @Test func `S4: an emptied file is refused, not filled`() async throws {
    let (store, _) = try await filled()
    await store.close()
    truncate(library.path, 0)
    let code = await code { _ = try library.open(.readOnly) }
    #expect(code == .damaged)
    #expect(LibraryFile(path: library.path).size == 0 && LibraryFile(path: library.path).setAside == [])
  }

  @Test func `S4: a file that is no database is refused`() async throws {
    let (store, _) = try await filled()
    await store.close()
    overwrite(at: 0, count: 4096)
    unlink(library.path + "-wal")
    let code = await code { _ = try library.open() }
    #expect(code == .damaged)
    #expect(access(library.path, F_OK) == 0)
  }

  @Test func `S4: damage inside is noticed, and the file stays`() async throws {
    let (store, _) = try await filled()
    try await store.copyWAL()
    await store.close()
    unlink(library.path + "-wal")
    var information = stat()
    stat(library.path, &information)
    overwrite(at: 8192, count: Int(information.st_size) - 8192)
    let code = await code { _ = try await library.open(.readOnly).playlist() }
    #expect(code == .damaged)
    #expect(access(library.path, F_OK) == 0)
  }

  @Test func `S4: damage that one read has found keeps every later one from a library, until it is mended`()
    async throws
  {
    let (store, ids) = try await filled()
    try await store.copyWAL()
    await store.close()
    unlink(library.path + "-wal")
    let page = try Connection(path: library.path, mode: .readWrite).integer(
      "SELECT rootpage FROM sqlite_schema WHERE name = 'playlist'")
    let before = try contents(of: library.path)
    overwrite(at: (Int(try #require(page)) - 1) * 4096, count: 4096)
    #expect(try await library.open(.readOnly).episode(ids[0]) != nil)
    #expect(await code { _ = try await library.open(.readOnly).playlist() } == .damaged)
    #expect(await code { _ = try await library.open(.readOnly).episode(ids[0]) } == .damaged)
    #expect(await code { _ = try library.open() } == .damaged)
    try before.withUnsafeBytes { bytes in
      let descriptor = open(library.path, O_RDWR)
      defer { close(descriptor) }
      try #require(pwrite(descriptor, bytes.baseAddress, bytes.count, 0) == bytes.count)
    }
    #expect(try await library.open(.readOnly).playlist().count == 200)
    #expect(!library.files.contains("library.db.damaged"))
  }

  @Test func `S4: an empty library takes the place of a damaged one only when asked to, and never that of a sound one`()
    async throws
  {
    let (store, _) = try await filled()
    await store.close()
    #expect(await code { try PodcastStore.startAnew(at: library.path) } == .refused)
    truncate(library.path, 8192)
    let old = try #require(try PodcastStore.startAnew(at: library.path))
    #expect(LibraryFile(path: old).size == 8192 && LibraryFile(path: library.path).setAside == [old])
    #expect(try await library.open().playlist().isEmpty)
    // As an older podcli leaves it, which moved a damaged library away.
    for name in library.files where !name.contains("corrupt") { unlink(library.directory + "/" + name) }
    #expect(await code { _ = try library.open() } == .damaged)
    #expect(await code { _ = try library.open(.readOnly) } == .damaged)
    #expect(try PodcastStore.startAnew(at: library.path) == nil)
    #expect(try await library.open().playlist().isEmpty)
  }

  @Test func `another program's database is refused and untouched`() async throws {
    let other = try Connection(path: library.path, mode: .create)
    try other.executeScript("CREATE TABLE t (a); INSERT INTO t VALUES (1);")
    #expect(await code { _ = try library.open() } == .notALibrary)
    #expect(try other.integer("SELECT a FROM t") == 1)
    #expect(library.files == ["library.db"])
  }

  @Test(arguments: [StoreAccess.readOnly, .readWrite])
  func `a file that never was a library is refused and untouched`(access: StoreAccess) async throws {
    let text = [UInt8]("What I heard this year, and what I thought of it.\n".utf8)
    let descriptor = open(library.path, O_WRONLY | O_CREAT, 0o600)
    write(descriptor, text, text.count)
    close(descriptor)
    #expect(await code { _ = try library.open(access) } == .notALibrary)
    #expect(library.files == ["library.db"])
  }

  @Test func `S4: a library without its first page and without its WAL is still refused as damaged`() async throws {
    let (store, _) = try await filled()
    try await store.copyWAL()
    await store.close()
    overwrite(at: 0, count: 4096)
    for name in library.files where name != "library.db" { unlink(library.directory + "/" + name) }
    let code = await code { _ = try library.open() }
    #expect(code == .damaged)
    #expect(access(library.path, F_OK) == 0)
  }

  @Test(arguments: [0, -5])
  func `S8: a library without a version is damaged`(version: Int) async throws {
    let (store, _) = try await filled()
    try await store.run("PRAGMA user_version = \(version)")
    await store.close()
    for access in [StoreAccess.readOnly, .readWrite] {
      #expect(await code { _ = try library.open(access) } == .damaged)
    }
  }

  @Test func `S8: a library from a newer podcli is refused and untouched`() async throws {
    let (store, _) = try await filled()
    try await store.run("PRAGMA user_version = 99")
    await store.close()
    for access in [StoreAccess.readOnly, .readWrite] {
      #expect(await code { _ = try library.open(access) } == .newerVersion(99))
    }
    let other = try Connection(path: library.path, mode: .readWrite)
    #expect(try other.integer("SELECT count(*) FROM episodes") == 200)
  }

  @Test func `S7: the next merge finishes the work of a killed process`() async throws {
    let (store, _) = try await filled()
    try await store.run("UPDATE podcasts SET is_subscribed = 0")
    #expect(try await store.playlist().count == 200)
    _ = try await store.subscribe(to: .sample("Another", episodes: 2), at: url + "/another")
    #expect(try await store.playlist().count == 2)
    #expect(try await store.problems(.full) == [])
  }

  @Test func `a file deleted while it is open is not written into`() async throws {
    let (store, ids) = try await filled()
    unlink(library.path)
    #expect(await code { try await store.savePosition(.seconds(5), of: ids[0], urgency: .flush) } == .movedAway)
  }

  @Test func `S5: a locked library can be read at once, and written after the wait is over`() async throws {
    let (store, ids) = try await filled()
    let other = try Connection(path: library.path, mode: .readWrite)
    try other.executeScript("BEGIN IMMEDIATE")
    #expect(try await store.playlist().count == 200)
    let code = await code { try await store.savePosition(.seconds(5), of: ids[0], urgency: .tick) }
    guard case .busy = code else {
      Issue.record("\(String(describing: code))")
      return
    }
    try other.executeScript("COMMIT")
    try await store.savePosition(.seconds(5), of: ids[0], urgency: .tick)
  }

  @Test func `S9: the clock may jump by thirty years: the last position counts, and everything stays`() async throws {
    let (store, ids) = try await filled()
    let now = Timestamp.now
    for (second, years) in [0, 30, -30, 0].enumerated() {
      let moment = Timestamp(seconds: now.seconds + Int64(years) * 365 * 86_400)
      try await store.startPlaying(ids[3], at: moment)
      try await store.savePosition(.seconds(second + 60), of: ids[3], urgency: .tick, at: moment)
      #expect(try await store.episode(ids[3])?.status.lastListenTime == .seconds(second + 60))
      _ = try await store.subscribe(to: .sample(episodes: 200), at: url)
    }
    #expect(try await store.current()?.episode.id == ids[3])
    #expect(try await store.playlist().count == 200)
  }

  @Test func `a store for reading writes nothing`() async throws {
    let (store, ids) = try await filled()
    await store.close()
    let reader = try library.open(.readOnly)
    #expect(await code { try await reader.startPlaying(ids[0]) } == .readOnly)
  }

  @Test func `a closed store says so`() async throws {
    let (store, _) = try await filled()
    await store.close()
    #expect(await code { _ = try await store.playlist() } == .cannotOpen)
  }

  @Test func `a directory that is not there cannot be opened`() async {
    #expect(await code { _ = try PodcastStore(path: "/nonexistent/library.db") } == .cannotOpen)
  }

  // MARK: Backups

  @Test func `two restored one right after the other put away two libraries`() async throws {
    let store = try library.open()
    _ = try await store.subscribe(to: .sample(episodes: 1), at: "https://example.org/1")
    let file = library.path + ".copy"
    _ = try await store.backUp(to: file)
    await store.close()
    let olds = try (1...3).map { _ in try #require(try PodcastStore.restore(file, to: library.path)) }
    #expect(Set(olds).count == 3)
    for old in olds { #expect(LibraryFile(path: old).size ?? 0 > 0) }
  }

  @Test func `a library that cannot be moved aside is not replaced`() async throws {
    // The name under which it would be kept is too long.
    let path = library.directory + "/" + String(repeating: "l", count: 227) + ".db"
    let store = try PodcastStore(path: path)
    _ = try await store.subscribe(to: .sample(episodes: 1), at: "https://example.org/1")
    await store.close()
    #expect(throws: StoreError.self) { try LibraryFile(path: path).replaceByEmpty(keepingAs: "corrupt") }
    #expect(try await PodcastStore(path: path).podcasts().count == 1)
  }

  @Test func `a backup taken in the middle is a whole library`() async throws {
    let (store, ids) = try await filled()
    try await store.savePosition(.seconds(61), of: ids[3], urgency: .tick)
    let file = library.directory + "/copy.db"
    #expect(try await store.backUp(to: file) == file)
    try await store.savePosition(.seconds(99), of: ids[3], urgency: .tick)
    await store.close()
    let old = try #require(try PodcastStore.restore(file, to: library.path))
    #expect(access(old, F_OK) == 0)
    let restored = try library.open()
    #expect(try await restored.episode(ids[3])?.status.lastListenTime == .seconds(61))
    #expect(try await restored.problems(.full) == [])
    #expect(try await restored.search("topic7*").isEmpty == false)
  }

  @Test func `a library that was killed is restored with all that only its WAL holds`() async throws {
    let (store, ids) = try await filled()
    try await store.savePosition(.seconds(61), of: ids[3], urgency: .flush)
    let file = library.directory + "/killed.db"
    for suffix in ["", "-wal"] { try copy(library.path + suffix, to: file + suffix) }
    let wal = try contents(of: file + "-wal")
    try await store.savePosition(.seconds(99), of: ids[3], urgency: .flush)
    await store.close()
    try PodcastStore.restore(file, to: library.path)
    let restored = try library.open()
    #expect(try await restored.playlist().count == 200)
    #expect(try await restored.episode(ids[3])?.status.lastListenTime == .seconds(61))
    #expect(try contents(of: file + "-wal") == wal)
    #expect(library.files.filter { $0.contains("killed") || $0.contains("given") } == ["killed.db", "killed.db-wal"])
  }

  @Test func `a WAL that an older file has left beside a backup is no part of it`() async throws {
    let (store, ids) = try await filled()
    try await store.savePosition(.seconds(61), of: ids[3], urgency: .flush)
    let file = library.directory + "/copy.db"
    try await store.backUp(to: file)
    try await store.savePosition(.seconds(99), of: ids[3], urgency: .flush)
    try copy(library.path + "-wal", to: file + "-wal")
    await store.close()
    try PodcastStore.restore(file, to: library.path)
    #expect(try await library.open().episode(ids[3])?.status.lastListenTime == .seconds(61))
  }

  @Test func `the WAL of a deleted library is no part of the next one`() async throws {
    let (store, _) = try await filled()
    await store.close()
    let wal = try contents(of: library.path + "-wal")
    unlink(library.path)
    unlink(library.path + "-shm")
    let next = try library.open()
    #expect(try await next.playlist().isEmpty)
    #expect(try await next.problems(.full) == [])
    let kept = try #require(library.files.first { $0.contains(".before-") })
    #expect(try contents(of: library.directory + "/" + kept) == wal)
  }

  @Test func `of backups without a name of their own five are kept`() async throws {
    let (store, _) = try await filled()
    let backups = library.directory + "/backups"
    mkdir(backups, 0o700)
    for day in 1...7 { close(creat(backups + "/library-2020-01-0\(day)T000000Z.db", 0o600)) }
    let named = ["library-before-trip.db", "library-2020-01-01T000000Z-keep.db"].map { backups + "/" + $0 }
    for file in named { close(creat(file, 0o600)) }
    let newest = try await store.backUp()
    let kept = PodcastStore.backups(of: library.path)
    #expect(kept.count == 5 && kept.first == newest && kept.last?.contains("2020-01-04") == true)
    #expect(named.allSatisfy { access($0, F_OK) == 0 })
  }

  @Test func `a backup made now stays beside backups that a wrong clock has dated ahead`() async throws {
    let (store, _) = try await filled()
    let backups = library.directory + "/backups"
    mkdir(backups, 0o700)
    for day in 1...5 { close(creat(backups + "/library-2099-01-0\(day)T000000Z.db", 0o600)) }
    close(creat(backups + "/library-2020-01-01T000000Z.db", 0o600))
    let newest = try await store.backUp()
    let kept = PodcastStore.backups(of: library.path)
    #expect(kept.count == 5 && kept.contains(newest) && kept.last?.contains("2020-01-01") == true)
  }

  @Test func `what ended processes have left of a copy is deleted an hour later by the next one`()
    async throws
  {
    let (store, _) = try await filled()
    let file = library.directory + "/notes.db"
    let (old, new) = (["new", "new-journal"].map { "\(file).12.\($0)" }, "\(file).13.new")
    for draft in old + [new] { close(creat(draft, 0o600)) }
    var times = utimbuf(actime: time(nil), modtime: time(nil) - 7200)
    for draft in old { utime(draft, &times) }
    try await store.backUp(to: file)
    #expect(old.allSatisfy { access($0, F_OK) != 0 } && access(new, F_OK) == 0)
  }

  @Test func `a file that has the name of a backup with an ending stays`() async throws {
    let (store, _) = try await filled()
    let file = library.directory + "/notes.db.new"
    close(creat(file, 0o600))
    try await store.backUp(to: library.directory + "/notes.db")
    #expect(access(file, F_OK) == 0 && library.files.count { $0.hasPrefix("notes.db") } == 2)
  }

  @Test(arguments: [StoreAccess.readOnly, .readWrite])
  func `a restoring that was killed between its two renames is ended by the next command`(
    access: StoreAccess
  ) async throws {
    let (store, ids) = try await filled()
    let file = library.directory + "/copy.db"
    try await store.backUp(to: file)
    await store.close()
    // As the kill leaves it: the WAL is not moved yet.
    let moved = library.path + ".before-2099-01-01T000000Z"
    rename(library.path, moved)
    try #require(library.files.contains("library.db-wal"))
    rename(file, library.path + ".restored")
    let restored = try PodcastStore(path: library.path, access: access)
    #expect(try await restored.playlist().count == ids.count)
    #expect(library.files.contains("library.db") && !library.files.contains("library.db.restored"))
    #expect(Glibc.access(moved + "-wal", F_OK) == 0)
    await restored.close()
    // Once it is ended, a backup that lies about is not taken for the library.
    rename(library.path, library.path + ".restored")
    rename(moved, library.path + ".before-2020-01-01T000000Z")
    #expect(try await PodcastStore(path: library.path, access: access).playlist().isEmpty)
  }

  @Test func `one a week is made by itself, and one a day of a library that is not a week old`() async throws {
    let (store, _) = try await filled()
    let now = Timestamp.now
    func backups() -> [String] { PodcastStore.backups(of: library.path) }
    #expect(try await TemporaryLibrary().open().backUpWeekly() == nil, "it is empty")
    #expect(try await store.backUpWeekly() != nil)
    #expect(try await store.backUpWeekly() == nil, "it was made just now")
    #expect(try await store.backUpWeekly(now: Timestamp(seconds: now.seconds + 2 * 86_400)) != nil)
    for path in backups() { unlink(path) }
    try await store.run("UPDATE podcasts SET subscribed_at = \(now.seconds - 8 * 86_400)")
    #expect(try await store.backUpWeekly(upTo: 1000) == nil, "it is too large")
    #expect(backups() == [])
    // A backup dated by a wrong clock, and the draft of an interrupted one.
    mkdir(library.directory + "/backups", 0o700)
    let brokenOff = library.directory + "/backups/library-2020-01-01T000000Z.db.new"
    for path in [library.directory + "/backups/library-2099-01-01T000000Z.db", brokenOff] { close(creat(path, 0o600)) }
    let lock = try #require(FileLock(path: library.directory + "/backups/.lock"))
    #expect(try await store.backUpWeekly() == nil, "another is at it")
    withExtendedLifetime(lock) {}
    _ = consume lock
    let made = try #require(try await store.backUpWeekly())
    #expect(backups().contains(made) && access(brokenOff, F_OK) != 0)
    #expect(try await store.backUpWeekly() == nil)
    #expect(try await store.backUpWeekly(now: Timestamp(seconds: now.seconds + 8 * 86_400)) != nil)
    #expect(try PodcastStore.restore(made, to: library.path) != nil)
  }

  @Test func `a damaged or missing backup is not restored, and the library in use stays`() async throws {
    let (store, _) = try await filled()
    let file = library.directory + "/copy.db"
    try await store.backUp(to: file)
    let descriptor = open(file, O_RDWR)
    let bytes = [UInt8](repeating: 7, count: 4096)
    pwrite(descriptor, bytes, 4096, 4096 * 3)
    close(descriptor)
    let damaged = await code { try PodcastStore.restore(file, to: library.path) }
    #expect(damaged == .damaged)
    #expect(await code { try PodcastStore.restore(library.directory + "/none", to: library.path) } == .notFound)
    #expect(try await store.playlist().count == 200)
  }

  @Test func `the checks find wrong counters and index entries, and a rebuild repairs them`() async throws {
    let (store, ids) = try await filled()
    try await store.indexForSearch()
    #expect(try await store.problems(.full) == [])
    try await store.run(
      """
      UPDATE counters SET unplayed = 7;
      UPDATE episodes SET title = 'else' WHERE id = \(ids[0].rawValue);
      """)
    #expect(try await store.problems(.full).count == 2)
    try await store.rebuild()
    #expect(try await store.problems(.full) == [])
  }
}

extension PodcastStore {
  fileprivate func run(_ script: String) throws(StoreError) { try connection.executeScript(script) }
  fileprivate func copyWAL() throws(StoreError) { try connection.checkpoint() }
}
