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

  @Test func `what cannot take its place leaves nothing behind, and the reason`() throws {
    mkdir(home.path + "/file", 0o700)
    #expect(!Files.replace(home.path + "/file", with: [1], isDurable: false))
    #expect(errno == EISDIR)
    #expect(!names(in: home.path).contains { $0.hasPrefix("file.") })
  }
}
