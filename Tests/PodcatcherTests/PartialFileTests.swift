import Glibc
import PodcastStore
import TestSupport
import Testing

@testable import Podcatcher

@Suite struct PartialFileTests {
  private let home: TemporaryHome
  private let name = MediaFilePath(path: "/media/1-Show/1-One.mp3", in: "/media")!

  init() throws { home = try TemporaryHome() }

  @Test func `bytes of another rendition than the record's are not there, for their owner and for others`() throws {
    let media = home.path + "/media"
    let file = try PartialFile(name, in: media)
    try file.write([UInt8](repeating: 1, count: 1000), at: 0)
    let former = RangeMap([0..<500])
    file.note(RangeMap([0..<800]), of: "one")
    let other = try #require(PartialFile(ownedByAnother: name, in: media))
    for file in [file, other] { #expect(file.present(former, of: "one").ranges == [0..<800]) }
    file.note(RangeMap([0..<1000]), of: "two")
    for file in [file, other] { #expect(file.present(former, of: "one").ranges == []) }
  }

  @Test func `a folder that cannot be made is told by its own reason`() throws {
    let error = #expect(throws: DownloadError.self) { _ = try PartialFile(name, in: "/sys") }
    #expect(error != .file("/sys/1-Show", ENOENT))
  }
}
