import Testing

@testable import Podcatcher

/// Frames of many lengths, and when each of them sounds.
@Suite struct MP3TimelineTests {
  private static let rates: [UInt8] = [5, 9, 9, 11, 14, 3, 7]
  private static let frame: Int64 = 1152 * 320
  private let bytes: [UInt8]
  private let points: [MP3Point]

  init() {
    (bytes, points) = Self.frames(20_000)
  }

  /// MPEG 1, layer 3, 44.1 kHz. What is in them is no sound, and never looks like a frame.
  private static func frames(_ count: Int, behind head: [UInt8] = []) -> ([UInt8], [MP3Point]) {
    var (bytes, points) = (head, [MP3Point]())
    for number in 0..<count {
      let header: [UInt8] = [0xFF, 0xFB, rates[(number / 50 + number) % rates.count] << 4, 0]
      points.append(MP3Point(tick: Int64(number) * frame, byte: Int64(bytes.count)))
      bytes += header + [UInt8](repeating: UInt8(number & 0x7F), count: (MP3Frame(header, at: 0)?.length ?? 4) - 4)
    }
    return (bytes, points)
  }

  /// As if only this much were here.
  private func here(_ ranges: Range<Int>...) -> PresentBytes {
    { offset, count in
      guard let range = ranges.first(where: { $0.contains(Int(offset)) }) else { return [] }
      return Array(bytes[Int(offset)..<min(range.upperBound, Int(offset) + count)])
    }
  }

  private func timeline(contents: [MP3Point] = []) -> MP3Timeline {
    MP3Timeline(
      sound: 0, size: Int64(bytes.count), length: Int64(points.count) * Self.frame, contents: contents)
  }

  @Test func `what is here in line is counted exactly`() {
    var timeline = timeline()
    for number in [0, 1, 77, 12_345, 500, 19_998] {
      let tick = points[number].tick + Self.frame / 2
      #expect(timeline.listen(at: tick, in: here(0..<bytes.count)) == points[number])
      #expect(timeline.heardByte(at: tick, in: here(0..<bytes.count))?.isExact == true)
      #expect(timeline.tick(of: points[number].byte + 7, in: here(0..<bytes.count)) == points[number].tick)
    }
  }

  @Test func `what is not here is not counted, and is once it is`() {
    var timeline = timeline()
    let half = bytes.count / 2
    #expect(timeline.listen(at: points[15_000].tick, in: here(0..<half)) == nil)
    #expect(timeline.listen(at: points[100].tick, in: here(0..<half)) == points[100])
    #expect(timeline.listen(at: points[15_000].tick, in: here(0..<bytes.count)) == points[15_000])
  }

  @Test func `pictures between frames take no time`() {
    let (first, _) = Self.frames(100)
    let junk = Array("ID3".utf8) + [UInt8](repeating: 3, count: 5000)
    let (all, later) = Self.frames(100, behind: first + junk)
    var line = MP3Line(from: MP3Point(tick: 0, byte: 0), isExact: true)
    let point = line.frame(at: 150 * Self.frame) { Array(all[min(Int($0), all.count)...].prefix($1)) }
    #expect(point == MP3Point(tick: 150 * Self.frame, byte: later[50].byte))
  }

  @Test func `an estimate lies between the known points, and follows the table of contents`() {
    var timeline = timeline()
    let half = Int64(bytes.count / 2)
    #expect((half - 50_000..<half + 50_000).contains(timeline.estimate(points[10_000].tick)))
    #expect(timeline.listen(at: points[5_000].tick, in: here(0..<Int(points[6_000].byte))) == points[5_000])
    #expect(timeline.estimate(points[7_000].tick) > points[5_000].byte)
    let crooked = self.timeline(contents: [MP3Point(tick: points[10_000].tick, byte: points[2_000].byte)])
    let told = points[2_000].byte
    #expect((told - 2..<told + 2).contains(crooked.estimate(points[10_000].tick)))
    #expect(crooked.estimate(points[19_999].tick * 2) < crooked.size)
  }

  @Test func `behind an estimate frames are counted, and a step back is one from there`() throws {
    var timeline = timeline()
    let island = here(Int(points[9_000].byte)..<bytes.count)
    // Wrong by a thousand frames.
    let point = MP3Point(tick: points[10_000].tick, byte: points[11_000].byte + 5)
    timeline.adopt(point, inRunFrom: points[9_000].byte, in: island)
    #expect(timeline.listen(at: points[10_000].tick, in: island)?.byte == points[11_000].byte)
    #expect(timeline.listen(at: points[12_000].tick, in: island)?.byte == points[13_000].byte)
    #expect(timeline.heardByte(at: points[9_000].tick, in: island)?.byte == points[10_000].byte)
    // Also once the true time is known: the estimate that is listened to stays.
    let later = timeline.heardByte(at: points[10_000].tick, in: here(0..<bytes.count))
    #expect(later?.byte == points[11_000].byte && later?.isExact == false)
    #expect(timeline.tick(of: points[11_000].byte, in: here(0..<bytes.count)) == points[11_000].tick)
  }

  @Test func `without frames there is no position`() {
    var timeline = MP3Timeline(sound: 0, size: 1_000_000, length: 1_000_000)
    let nothing: PresentBytes = { offset, count in [UInt8](repeating: 0, count: min(count, Int(1_000_000 - offset))) }
    timeline.adopt(MP3Point(tick: 500_000, byte: 500_000), inRunFrom: 400_000, in: nothing)
    #expect(timeline.listen(at: 500_000, in: nothing) == nil)
    #expect((0..<1_000_000).contains(timeline.estimate(500_000)))
  }

  // MARK: The first frame

  private func layout(_ bytes: [UInt8]) -> MP3Layout? {
    guard case .layout(let layout) = MP3Layout.read(bytes, size: Int64(bytes.count), isAll: true) else { return nil }
    return layout
  }

  @Test func `an engine is told the length, by a frame of its own where the file has none`() throws {
    let head = try #require(layout(bytes)?.head(announcing: 0x01020304))
    #expect((head.start, head.sound, head.lead) == (0, 0, 0))
    let frame = try #require(MP3Frame(head.frame, at: 0))
    #expect(frame.length == head.frame.count)
    let told: [UInt8] = Array("Info".utf8) + [0, 0, 0, 1, 1, 2, 3, 4]
    #expect(Array(head.frame[36..<48]) == told)
  }

  private func number(_ value: Int, _ width: Int) -> [UInt8] {
    (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  /// A first frame of 417 bytes without sound.
  private func frame(tag: [UInt8]...) -> [UInt8] {
    let start: [UInt8] = [0xFF, 0xFB, 0x90, 0] + [UInt8](repeating: 0, count: 32)
    let text = start + tag.joined()
    return text + [UInt8](repeating: 0, count: 417 - text.count)
  }

  @Test func `a tag of the file's own gives way to it, but for what it says of the encoder`() throws {
    let size = 417 + bytes.count
    let encoder = Array("LAME3.100".utf8) + [UInt8](repeating: 0, count: 12) + [0x24, 0x00, 0x00]
    let tagged = frame(
      tag: Array("Xing".utf8), number(15, 4), number(20_000, 4), number(size, 4), (0..<100).map { $0 * 2 },
      number(0, 4), encoder)
    let found = try #require(layout(tagged + bytes))
    #expect(!found.isConstant && found.sound == 417 && found.tag?.frames == 20_000)
    let middle = MP3Tag.Entry(frame: 10_000, offset: Int64(100 * size / 256))
    #expect(found.tag?.contents[50] == middle)
    #expect(found.lead == 1105 * 320)
    let head = try #require(found.head(announcing: 20_000))
    #expect(head.frame.count == 417 && head.end == 417)
    #expect(Array(head.frame[48..<57]) == Array("LAME3.100".utf8))
  }

  @Test func `the other kind of tag has a table, too`() throws {
    let size = 417 + bytes.count
    let tagged = frame(
      tag: Array("VBRI".utf8), number(1, 2), number(0, 4), number(size, 4), number(20_000, 4), number(3, 2),
      number(2, 2), number(2, 2), number(100, 2), number(256, 2), number(512, 2), number(768, 2))
    let contents = try #require(layout(tagged + bytes)?.tag?.contents)
    #expect(contents.map(\.frame) == [0, 100, 200])
    #expect(contents.map(\.offset) == [417, 929, 1953])
  }
}
