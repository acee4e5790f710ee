import Testing

@testable import Podcatcher

@Suite struct MP3LayoutTests {
  /// MPEG 1, layer 3, 44.1 kHz, stereo: bitrates by their number in the header.
  private func frame(_ rate: UInt8, tag: [UInt8] = [], at tagPlace: Int = 36) -> [UInt8] {
    let header: [UInt8] = [0xFF, 0xFB, rate << 4, 0x00]
    let length = MP3Frame(header, at: 0)?.length ?? 0
    var bytes = header + [UInt8](repeating: 0, count: length - 4)
    bytes.replaceSubrange(tagPlace..<tagPlace + tag.count, with: tag)
    return bytes
  }

  private func tag(_ name: String, size: Int64) -> [UInt8] {
    Array(name.utf8) + [0, 0, 0, 2] + (0..<4).reversed().map { UInt8(truncatingIfNeeded: size >> ($0 * 8)) } + [
      0, 0, 0, 0,
    ]
  }

  private func layout(_ bytes: [UInt8], size: Int64? = nil) -> MP3Layout? {
    guard case .layout(let layout) = MP3Layout.read(bytes, size: size ?? Int64(bytes.count), isAll: true) else {
      return nil
    }
    return layout
  }

  private func frames(_ rates: [UInt8], _ count: Int = 150) -> [UInt8] {
    (0..<count).flatMap { frame(rates[$0 % rates.count]) }
  }

  @Test(
    arguments: [
      ([0xFF, 0xFB, 0x90, 0x00], 128_000, 44100, 417), ([0xFF, 0xFB, 0x92, 0x00], 128_000, 44100, 418),
      ([0xFF, 0xFB, 0x94, 0xC0], 128_000, 48000, 384), ([0xFF, 0xF3, 0x80, 0xC0], 64_000, 22050, 208),
      ([0xFF, 0xE3, 0x48, 0xC0], 32_000, 8000, 288),
    ] as [([UInt8], Int, Int, Int)])
  func `reads a frame's four bytes`(bytes: [UInt8], bitrate: Int, sampleRate: Int, length: Int) throws {
    let frame = try #require(MP3Frame(bytes, at: 0))
    #expect((frame.bitrate, frame.sampleRate, frame.length) == (bitrate, sampleRate, length))
  }

  @Test(arguments: [[0xFF, 0xFD, 0x90, 0], [0xFF, 0xFB, 0xF0, 0], [0xFF, 0xFB, 0x9C, 0], [0x49, 0x44, 0x33, 4]])
  func `anything else is no frame`(bytes: [UInt8]) {
    #expect(MP3Frame(bytes, at: 0) == nil)
  }

  @Test func `frames that are alike make a constant rate, others do not`() {
    #expect(layout(frames([9]))?.isConstant == true)
    #expect(layout(frames([9, 9, 9, 9, 5]))?.isConstant == false)
    #expect(layout(frames([9]))?.bitrate == 128_000)
  }

  @Test func `a tag is believed while it fits the file`() {
    let sound = frames([9])
    let size = Int64(sound.count + 417)
    #expect(layout(frame(9, tag: tag("Info", size: size)) + sound)?.isConstant == true)
    #expect(layout(frame(9, tag: tag("Info", size: size)) + sound, size: size + 900_000)?.isConstant == false)
    #expect(layout(frame(9, tag: tag("Xing", size: size)) + sound)?.isConstant == false)
    #expect(layout(frame(9, tag: Array("VBRI".utf8)) + sound)?.isConstant == false)
  }

  @Test func `the sound begins behind the pictures`() {
    let id3: [UInt8] = Array("ID3".utf8) + [4, 0, 0, 0, 0, 2, 0] + [UInt8](repeating: 0, count: 256)
    #expect(layout(id3 + frames([9]))?.start == 266)
    #expect(MP3Layout.read(Array(id3.prefix(100)), size: nil, isAll: false) == .needs(266 + 4096))
  }

  /// A stream waits for every byte that is asked for before it sounds.
  @Test func `of frames that are alike no more is asked for than a hundred of them`() throws {
    let file = frames([3], 600)
    var most: Int64 = 0
    let layout = MP3Layout.read(size: Int64(file.count)) { count in
      most = max(most, count)
      return Array(file.prefix(Int(count)))
    }
    #expect(layout?.isConstant == true && layout?.bitrate == 48_000)
    #expect(most < 20_000)
  }

  @Test func `what is no MP3 is none`() {
    #expect(MP3Layout.read([UInt8](repeating: 0, count: 100_000), size: nil, isAll: true) == .notMP3)
    #expect(MP3Layout.read(Array("OggS".utf8) + [UInt8](repeating: 9, count: 9000), size: nil, isAll: false) == .notMP3)
  }

  @Test(arguments: [(1000.0, false), (1030, false), (1200, true), (30, false), (nil, false)] as [(Double?, Bool)])
  func `a length that the feed tells may speak against it`(seconds: Double?, isContradicted: Bool) {
    let layout = MP3Layout(start: 0, isConstant: true, bitrate: 128_000)
    #expect(layout.contradicts(seconds: seconds, size: 16_000_000) == isContradicted)
  }
}
