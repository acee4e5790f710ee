import Glibc
import TestSupport
import Testing

@testable import Podcatcher

@Suite struct FileOnDiskTests {
  @Test func `a file is whole until it is cut, grows or goes`() throws {
    let home = try TemporaryHome()
    let bytes = [UInt8](repeating: 7, count: 3 << 20)
    let path = try home.write(bytes, to: "show.wav")
    let media = OpenedMedia(file: path)
    #expect(media.isWhole(announced: nil) && media.fault == nil)
    for other in [Array(bytes.dropLast()), bytes + [7]] {
      _ = try home.write(other, to: "show.wav")
      #expect(!media.isWhole(announced: nil) && media.fault == nil)
    }
    unlink(path)
    #expect(!media.isWhole(announced: nil))
  }
}
