import Glibc
import TestSupport
import Testing

@testable import System

@Suite struct ChildProgramTests {
  @Test func `a program inherits no descriptor beyond its streams`() throws {
    let home = try TemporaryHome()
    // As a shell leaves one open whose lock a program in the background must not hold.
    let lock = open(home.path + "/lock", O_RDWR | O_CREAT, 0o600)
    defer { close(lock) }
    let child = try #require(
      ChildProgram.start("/bin/sh", ["-c", "test ! -e /proc/self/fd/\(lock)"], streams: [:]))
    var status: Int32 = -1
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    #expect(status == 0)
  }
}
