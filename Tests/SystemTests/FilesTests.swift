import Glibc
import TestSupport
import Testing

@testable import System

@Suite struct FilesTests {
  private let home: TemporaryHome

  init() throws { home = try TemporaryHome() }

  @Test(arguments: [false, true])
  func `what is written takes the place of what was there`(isDurable: Bool) throws {
    let path = try home.write("something longer", to: "file")
    #expect(Files.replace(path, with: Array("new".utf8), isDurable: isDurable))
    #expect(try contents(of: path) == Array("new".utf8))
    #expect(!names(in: home.path).contains { $0.hasPrefix("file.") })
  }

  @Test func `a private folder is this user's, and open to no other`() throws {
    let path = home.path + "/run/podcli"
    #expect(Files.makePrivateFolder(path))
    #expect(chmod(path, 0o755) == 0 && Files.makePrivateFolder(path))
    var file = stat()
    #expect(lstat(path, &file) == 0 && file.st_mode & 0o777 == 0o700)
    #expect(symlink(path, home.path + "/link") == 0)
    #expect(!Files.makePrivateFolder(home.path + "/link") && errno == EACCES)
    #expect(Files.makePrivateFolder(home.path + "/link", mayBeLink: true))
    _ = try home.write("a file", to: "file")
    #expect(!Files.makePrivateFolder(home.path + "/file") && errno == EACCES)
    // Only root can give a link or a folder away.
    guard geteuid() == 0 else { return }
    #expect(lchown(home.path + "/link", 65_534, 65_534) == 0)
    #expect(!Files.makePrivateFolder(home.path + "/link", mayBeLink: true))
    #expect(chown(path, 65_534, 65_534) == 0 && !Files.makePrivateFolder(path))
  }

  @Test func `what cannot take its place leaves nothing behind, and the reason`() throws {
    mkdir(home.path + "/file", 0o700)
    #expect(!Files.replace(home.path + "/file", with: [1], isDurable: false))
    #expect(errno == EISDIR)
    #expect(!names(in: home.path).contains { $0.hasPrefix("file.") })
  }
}
