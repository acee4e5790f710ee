import CSQLite
import Glibc
import PodcastModel
import Testing

@testable import PodcastStore

/// S10: a file system that does not let processes share memory, as some on a network.
struct OddPlaceTests {
  private let away = TemporaryLibrary(Unshared.name)
  private let home = TemporaryLibrary()

  init() { Unshared.begin }

  private func hasLog(_ library: TemporaryLibrary) -> Bool { library.files.contains("library.db-wal") }

  private func use(_ store: PodcastStore) async throws {
    _ = try await store.subscribe(to: .sample(), at: "https://example.org/feed")
    let id = try #require(try await store.playlist().first).episode.id
    try await store.startPlaying(id)
    try await store.savePosition(.seconds(41), of: id, urgency: .tick)
    try await store.mark(.favourite, [id])
    try await store.indexForSearch()
    #expect(try await store.problems(.full) == [])
    #expect(try await store.current()?.status.lastListenTime == .seconds(41))
  }

  @Test func `S10: a library made where no memory is shared has the classic journal, and says so once`() async throws {
    let made = try away.open()
    #expect(made.hasLostLog)
    try await use(made)
    await made.close()
    let opened = try away.open()
    #expect(!opened.hasLostLog)
    #expect(try await opened.hasClassicJournal())
    try await use(opened)
    #expect(!hasLog(away))
    #expect(try await away.open(.readOnly).playlist().count == 3)
  }

  @Test(arguments: [PodcastStore.Access.readWrite, .readOnly])
  func `S10: a library that is moved there leaves its log, with all that was in it`(
    access: PodcastStore.Access
  ) async throws {
    // Not closed, as if it had been killed: all there is may be in the log.
    try await use(home.open())
    for suffix in ["", "-wal", "-shm"] { rename(home.path + suffix, away.path + suffix) }
    let moved = try away.open(access)
    #expect(moved.hasLostLog)
    #expect(try await moved.current()?.status.lastListenTime == .seconds(41))
    #expect(!hasLog(away))
    try await use(away.open())
  }

  @Test func `S10: back on another disk it has a log again`() async throws {
    let store = try away.open()
    try await use(store)
    await store.close()
    rename(away.path, home.path)
    let back = try home.open()
    #expect(!back.hasLostLog)
    #expect(try await !back.hasClassicJournal())
    try await use(back)
    #expect(hasLog(home))
  }
}

/// Folders of which files cannot be mapped into shared memory. SQLite is asked to use our answer for the kernel's.
private enum Unshared {
  static let name = "podcli-unshared"

  static let begin: Void = {
    let vfs = sqlite3_vfs_find(nil)
    let map: @convention(c) (UnsafeMutableRawPointer?, Int, Int32, Int32, Int32, off_t) -> UnsafeMutableRawPointer? = {
      address, length, protection, flags, file, offset in
      guard !Unshared.holds(file) else {
        errno = ENODEV
        return MAP_FAILED
      }
      return mmap(address, length, protection, flags, file, offset)
    }
    _ = vfs?.pointee.xSetSystemCall(vfs, "mmap", unsafeBitCast(map, to: sqlite3_syscall_ptr.self))
  }()

  private static func holds(_ file: Int32) -> Bool {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = max(0, readlink("/proc/self/fd/\(file)", &path, path.count))
    return String(decoding: path.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self).contains("/\(name)-")
  }
}
