import Glibc
import TestSupport
import Testing

@testable import System

@Suite struct FileLockTests {
  private let home: TemporaryHome
  private var path: String { home.path + "/lock" }

  init() throws { home = try TemporaryHome() }

  @Test func `a lock is held until its owner lets it go`() throws {
    var lock = FileLock(path: path)
    #expect(lock != nil)
    #expect(FileLock.isHeld(path))
    #expect(FileLock(path: path) == nil)
    lock = nil
    #expect(!FileLock.isHeld(path))
  }

  @Test func `one that asks whether a lock is held is not taken for its holder`() throws {
    let descriptor = open(try home.write("", to: "lock"), O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    // As `isHeld` takes it for a moment.
    #expect(flock(descriptor, LOCK_SH | LOCK_NB) == 0)
    #expect(!FileLock.isHeld(path))
  }
}

@Suite struct FreeSpaceTests {
  @Test func `a file system without a size tells no free space`() throws {
    let home = try TemporaryHome()
    #expect(FreeSpace.at("/proc") == nil)
    #expect(try #require(FreeSpace.at(home.path)) > 0)
  }
}
