import CSQLite
import Glibc
import PodcastModel
import Testing

@testable import PodcastStore

/// S10: a file system on which processes cannot share memory, as on some networks.
struct WALTests {
  private let away = TemporaryLibrary(in: OddPaths.unshared)
  private let home = TemporaryLibrary()

  init() { OddPaths.begin }

  private func hasWAL(_ library: TemporaryLibrary) -> Bool { library.files.contains("library.db-wal") }

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
    #expect(made.hasLostWAL)
    try await use(made)
    await made.close()
    let opened = try away.open()
    #expect(!opened.hasLostWAL)
    #expect(try await opened.hasClassicJournal())
    try await use(opened)
    #expect(!hasWAL(away))
    #expect(try await away.open(.readOnly).playlist().count == 3)
  }

  @Test(arguments: [StoreAccess.readWrite, .readOnly])
  func `S10: a library that is moved there leaves its WAL, with all that was in it`(
    access: StoreAccess
  ) async throws {
    // Not closed, as after a kill: everything may still be in the WAL.
    try await use(home.open())
    for suffix in ["", "-wal", "-shm"] { rename(home.path + suffix, away.path + suffix) }
    let moved = try away.open(access)
    #expect(moved.hasLostWAL)
    #expect(try await moved.current()?.status.lastListenTime == .seconds(41))
    #expect(!hasWAL(away))
    try await use(away.open())
  }

  @Test func `S10: back on another disk it has a WAL again`() async throws {
    let store = try away.open()
    try await use(store)
    await store.close()
    rename(away.path, home.path)
    let back = try home.open()
    #expect(!back.hasLostWAL)
    #expect(try await !back.hasClassicJournal())
    try await use(back)
    #expect(hasWAL(home))
  }
}

/// The error codes of writes that the system refuses.
struct RefusedWriteTests {
  private let library = TemporaryLibrary(in: OddPaths.refusing)

  init() { OddPaths.begin }

  @Test func `a disk that fails is not called full, and one that is full not broken`() async throws {
    let store = try library.open()
    let id = try await store.subscribe(to: .sample(), at: "https://example.org/feed").added[0]
    for (error, code) in [
      (EDQUOT, StoreError.Code.full), (EIO, .deviceFailed), (EFBIG, .full), (ENOSPC, .full), (EIO, .deviceFailed),
    ] {
      try OddPaths.refuse(with: error, in: library)
      await #expect(throws: StoreError.self) { try await store.mark(.favourite, [id]) }
      do { try await store.mark(.favourite, [id]) } catch { #expect(error.code == code) }
      try OddPaths.refuse(with: nil, in: library)
      #expect(try await store.episode(id)?.isFavourite == false)
    }
    try await store.mark(.favourite, [id])
    #expect(try await store.episode(id)?.isFavourite == true)
    #expect(try await store.problems(.full) == [])
  }
}

/// Directories in which system calls fail. SQLite calls these functions instead of the kernel.
private enum OddPaths {
  /// No file in such a folder can be mapped into shared memory.
  static let unshared = "unshared"
  /// While a file `refusal` is there, nothing can be written, for the reason that it names.
  static let refusing = "refusing"

  static func refuse(with error: Int32?, in library: TemporaryLibrary) throws {
    let path = library.directory + "/refusal"
    unlink(path)
    if let error { try #require(symlink("\(error)", path) == 0) }
  }

  static let begin: Void = {
    let vfs = sqlite3_vfs_find(nil)
    let map: @convention(c) (UnsafeMutableRawPointer?, Int, Int32, Int32, Int32, off_t) -> UnsafeMutableRawPointer? = {
      address, length, protection, flags, file, offset in
      guard folder(of: file)?.hasSuffix("/" + unshared) != true else {
        errno = ENODEV
        return MAP_FAILED
      }
      return mmap(address, length, protection, flags, file, offset)
    }
    let write: @convention(c) (Int32, UnsafeRawPointer?, Int, off_t) -> Int = { file, bytes, count, offset in
      guard let folder = folder(of: file), let error = link(folder + "/refusal").flatMap({ Int32($0) }) else {
        return pwrite(file, bytes, count, offset)
      }
      errno = error
      return -1
    }
    _ = vfs?.pointee.xSetSystemCall(vfs, "mmap", unsafeBitCast(map, to: sqlite3_syscall_ptr.self))
    for name in ["pwrite", "pwrite64"] {
      _ = vfs?.pointee.xSetSystemCall(vfs, name, unsafeBitCast(write, to: sqlite3_syscall_ptr.self))
    }
  }()

  private static func folder(of file: Int32) -> String? {
    link("/proc/self/fd/\(file)").flatMap { path in path.lastIndex(of: "/").map { String(path[..<$0]) } }
  }

  private static func link(_ path: String) -> String? {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink(path, &target, target.count)
    return length < 0 ? nil : String(decoding: target.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
