import PodcastModel
import System
import TestSupport
import Testing

@testable import FeedKit

@Suite struct ZoneFilesTests {
  private func offset(of name: String, in files: ZoneFiles, local: Int64 = 1_704_103_200) -> Int? {
    let bytes = Array(name.utf8)
    return bytes.withUnsafeBufferPointer { files.offset(of: $0[...], local: local) }
  }

  @Test(arguments: ["America/New_York", "Europe/Berlin"])
  func `without zone files a zone is unknown`(name: String) {
    #expect(offset(of: name, in: ZoneFiles(in: "/there/is/no/such/folder")) == nil)
    #expect(DateText.timestamp("Mon, 01 Jan 2024 10:00:00 No/Such_Zone") == Timestamp(seconds: 1_704_103_200))
  }

  @Test func `a file that is cut, empty or something else is no zone`() throws {
    let zone = try contents(of: "/usr/share/zoneinfo/America/New_York")
    for length in stride(from: 0, to: zone.count, by: 7) { _ = ZoneTable(Array(zone[..<length])) }
    #expect(ZoneTable(Array(zone[..<2000])) == nil)
    #expect(ZoneTable([]) == nil)
    #expect(ZoneTable(Array("TZif".utf8) + [UInt8](repeating: 0xFF, count: 100)) == nil)
  }

  @Test func `a zone that does not change has one offset`() {
    #expect(offset(of: "Etc/UTC", in: .system) == 0)
    #expect(offset(of: "Etc/GMT+5", in: .system) == -5 * 3600)
  }

  @Test(arguments: ["Etc/UTC/", "Etc", "Etc/nothing"])
  func `a folder or no file is unknown`(name: String) { #expect(offset(of: name, in: .system) == nil) }

  @Test(arguments: [("America/New_York", 16), ("Etc/../x", nil), ("Etc/a/../x", 6), ("A/b c", 3), ("A/", nil)])
  func `a name ends where no name goes on`(text: String, end: Int?) {
    let bytes = Array(text.utf8)
    let slash = bytes.firstIndex(of: UInt8(ascii: "/")) ?? 0
    #expect(bytes.withUnsafeBufferPointer { ZoneName.end(in: $0, from: 0, slash: slash) } == end)
  }
}
