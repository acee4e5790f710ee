import PodcastModel
import Testing

@testable import Podcatcher

@Suite struct ClipEndsTests {
  private func moved(_ from: Double, _ to: Double, _ pauses: [Range<Double>]) -> [Double] {
    let range = ClipEnds.moved(.seconds(from)..<(.seconds(to)), pauses: pauses)
    return [range.lowerBound, range.upperBound].map { ($0.inSeconds * 1000).rounded() / 1000 }
  }

  @Test func `ends move outwards into the nearest pause`() {
    #expect(moved(10.5, 20.5, [2..<3, 9..<10, 21..<22, 30..<31]) == [9.8, 21.2])
    #expect(moved(10.5, 20.5, [9.9..<10, 21..<21.15]) == [9.9, 21.15])
  }

  @Test func `an end in a pause stays, and so does one that is far from any`() {
    #expect(moved(9.5, 21.5, [9..<10, 21..<22]) == [9.5, 21.5])
    #expect(moved(10.5, 20.5, [7..<8, 23..<24]) == [10.5, 20.5])
    #expect(moved(10.5, 20.5, []) == [10.5, 20.5])
  }

  private func tag(_ version: UInt8, flags: UInt8 = 0, _ frames: [(String, [UInt8])]) -> [UInt8] {
    func sevenBits(_ number: Int) -> [UInt8] { [21, 14, 7, 0].map { UInt8(number >> $0 & 127) } }
    func eightBits(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(number >> $0 & 255) } }
    let body = frames.flatMap { name, content in
      Array(name.utf8) + (version == 4 ? sevenBits(content.count) : eightBits(content.count)) + [0, 0] + content
    }
    return Array("ID3".utf8) + [version, 0, flags] + sevenBits(body.count + 20) + body
      + [UInt8](repeating: 0, count: 20)
  }

  private func picture(in file: [UInt8]) -> [UInt8]? {
    ClipPicture.content { offset, count in
      offset < file.count ? Array(file[Int(offset)..<min(file.count, Int(offset) + count)]) : []
    }
  }

  @Test func `the picture of a tag is found in both versions, behind other frames`() {
    let content = [UInt8](repeating: 7, count: 300)
    for version: UInt8 in [3, 4] {
      #expect(picture(in: tag(version, [("TIT2", [3, 65]), ("APIC", content), ("TALB", [3, 66])])) == content)
    }
  }

  @Test func `no picture, a large one, a cut one and what is no tag give none`() {
    #expect(picture(in: []) == nil && picture(in: Array("ID3".utf8)) == nil)
    #expect(picture(in: [UInt8](repeating: 0xFF, count: 100)) == nil)
    #expect(picture(in: tag(4, [("TIT2", [3, 65])])) == nil)
    #expect(picture(in: tag(3, [("APIC", [UInt8](repeating: 7, count: 600 << 10))])) == nil)
    #expect(picture(in: tag(3, flags: 0x80, [("APIC", [1, 2, 3])])) == nil)
    let whole = tag(3, [("APIC", [UInt8](repeating: 7, count: 300))])
    for length in 0..<320 { #expect(picture(in: Array(whole.prefix(length))) == nil) }
  }
}
