import TestSupport
import Testing

@testable import Podcatcher

/// Renditions of one show, made of the same frames.
@Suite struct FrameAlignmentTests {
  /// In frames; a negative one is an advert, whose seed it is.
  private struct Part {
    var seed: UInt64
    var frames: Range<Int>
    static func show(_ frames: Range<Int>) -> Part { Part(seed: 1, frames: frames) }
    static func advert(_ seed: UInt64, _ frames: Int) -> Part { Part(seed: seed, frames: 0..<frames) }
  }

  private static let show = StitchedMP3.frames(20_000, seed: 1)

  private static func bytes(_ parts: [Part]) -> [UInt8] {
    parts.flatMap { part in
      part.seed == 1
        ? Array(show[part.frames.lowerBound * 384..<part.frames.upperBound * 384])
        : StitchedMP3.frames(part.frames.count, seed: part.seed)
    }
  }

  private static let old = [
    Part.advert(2, 1000), .show(0..<5000), .advert(3, 1250), .advert(4, 2500), .show(5000..<13_000), .advert(5, 3750),
    .show(13_000..<20_000), .advert(6, 800),
  ]
  private static let new = [
    Part.show(0..<5000), .advert(7, 3750), .show(5000..<9_000), .advert(3, 1250), .show(9_000..<13_000),
    .advert(8, 625), .show(13_000..<20_000), .advert(2, 1000),
  ]

  private static func present(_ bytes: [UInt8]) -> PresentBytes {
    { offset, count in
      offset < 0 || offset >= bytes.count ? [] : Array(bytes[Int(offset)..<min(bytes.count, Int(offset) + count)])
    }
  }

  private static func print(_ bytes: [UInt8], _ ranges: Range<Int64>...) throws -> FramePrint {
    let all = 0..<Int64(bytes.count)
    return try #require(FramePrint(size: all.upperBound, ranges.isEmpty ? [all] : ranges, in: present(bytes)))
  }

  /// Where each frame of the show begins, in seconds.
  private static func times(_ parts: [Part]) -> [Double] {
    var (times, index) = ([Double](repeating: 0, count: 20_000), 0)
    for part in parts {
      for frame in part.frames {
        if part.seed == 1 { times[frame] = Double(index) * StitchedMP3.frame }
        index += 1
      }
    }
    return times
  }

  @Test func `each moment of the show is found in the other rendition, exactly`() throws {
    let map = FrameAlignment.map(from: try Self.print(Self.bytes(Self.old)), to: try Self.print(Self.bytes(Self.new)))
    #expect(map.ofOneShow != nil)
    let (old, new) = (Self.times(Self.old), Self.times(Self.new))
    var worst = 0.0
    for frame in old.indices {
      let found = try #require(map.position(of: old[frame] + 0.01))
      worst = max(worst, abs(found - new[frame] - 0.01))
    }
    #expect(worst < 0.001)
  }

  @Test func `a moment inside an advert leads to where the show goes on`() throws {
    let map = FrameAlignment.map(from: try Self.print(Self.bytes(Self.old)), to: try Self.print(Self.bytes(Self.new)))
    let (old, new) = (Self.times(Self.old), Self.times(Self.new))
    #expect(map.position(of: 3).map { abs($0 - new[0]) < 0.001 } == true)
    #expect(map.position(of: old[5000] - 40).map { abs($0 - new[5000]) < 0.001 } == true)
    #expect(map.position(of: old[19_999] + 5).map { abs($0 - new[19_999] - 0.024) < 0.001 } == true)
  }

  @Test func `unrelated files have nothing in common, also with the same adverts or in silence`() throws {
    let one = try Self.print(Self.bytes(Self.old))
    for seed in 100..<110 as Range<UInt64> {
      let other = try Self.print(StitchedMP3.frames(3000, seed: seed))
      #expect(FrameAlignment.map(from: one, to: other).pieces.isEmpty)
    }
    let same = Self.bytes([.advert(200, 3000), .advert(3, 1250), .advert(201, 3000)])
    let shared = FrameAlignment.map(from: one, to: try Self.print(same))
    #expect(shared.pieces.count == 1 && shared.ofOneShow == nil)
    let frame: [UInt8] = [0xFF, 0xFB, 0x94, 0] + [UInt8](repeating: 0, count: 380)
    let silence = Array([[UInt8]](repeating: frame, count: 5000).joined())
    #expect(FrameAlignment.map(from: try Self.print(silence), to: try Self.print(silence)).pieces.isEmpty)
  }

  @Test func `of a part of the old file only what was here is found, and a little behind its end`() throws {
    let bytes = Self.bytes(Self.old)
    // Up to a moment of the show's second part, and then a piece of the third.
    let (end, later) = (Int64(384 * 12_000), Int64(384 * 24_000 + 100))
    let part = try Self.print(bytes, 0..<end, later..<later + 384 * 500)
    let map = FrameAlignment.map(from: part, to: try Self.print(Self.bytes(Self.new)))
    let (old, new) = (Self.times(Self.old), Self.times(Self.new))
    for moment in [100, 200, 287.9, 289, 577, 587.5] {
      let frame = try #require(old.firstIndex { $0 > moment - 0.012 })
      #expect(map.position(of: old[frame]).map { abs($0 - new[frame]) < 0.025 } == true, "\(moment)")
    }
    #expect(map.ofOneShow != nil)
  }

  @Test func `damaged and truncated files are compared as far as they go`() throws {
    var generator = SeededGenerator(seed: 9)
    let old = try Self.print(Self.bytes(Self.old))
    var damaged = Self.bytes(Self.new)
    for _ in 0..<200 {
      damaged[Int.random(in: 1000..<damaged.count, using: &generator)] = .random(in: 0...255, using: &generator)
    }
    let map = FrameAlignment.map(from: old, to: try Self.print(damaged))
    let (from, to) = (Self.times(Self.old), Self.times(Self.new))
    for frame in stride(from: 100, to: 19_900, by: 500) {
      #expect(map.position(of: from[frame]).map { abs($0 - to[frame]) < 0.3 } == true, "\(frame)")
    }
    let short = try Self.print(Array(Self.bytes(Self.new).prefix(384 * 4000 + 7)))
    #expect(
      FrameAlignment.map(from: old, to: short).position(of: from[3000]).map { abs($0 - to[3000]) < 0.001 } == true)
    #expect(FrameAlignment.map(from: old, to: short).position(of: from[19_000]) == nil)
  }

  @Test func `a print is read as it was kept, and what is no print is refused`() throws {
    let print = try Self.print(Self.bytes([.show(0..<300), .advert(3, 50)]))
    #expect(FramePrint(data: print.data)?.stretches == print.stretches)
    #expect(FramePrint(data: []) == nil && FramePrint(data: Array(print.data.dropLast())) == nil)
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<500 {
      let random = (0..<Int.random(in: 1...60, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      if let odd = FramePrint(data: [1] + random) { _ = FrameAlignment.map(from: odd, to: print) }
    }
    #expect(FramePrint(size: 4000, [0..<4000], in: Self.present([UInt8](repeating: 7, count: 4000))) == nil)
  }

  // MARK: In a file that is being fetched

  private func search(_ moment: Double, from old: FramePrint, in bytes: [UInt8]) -> (
    PositionSearch.Found?, fetched: Int
  ) {
    let fetched = Observed<Set<Int>>([])
    let search = PositionSearch(old, size: Int64(bytes.count)) { count, offset in
      fetched.update { $0.formUnion(Int(offset) / 4096..<(Int(offset) + count + 4095) / 4096) }
      return Self.present(bytes)(offset, count)
    }
    return (search?.find(moment), fetched.value.count * 4096)
  }

  @Test func `a moment is found by fetching what lies around it`() throws {
    let (bytes, times) = (Self.bytes(Self.new), Self.times(Self.new))
    let old = try Self.print(Self.bytes(Self.old))
    for frame in [200, 4990, 5000, 12_999, 13_000, 19_000] {
      let (found, fetched) = search(Self.times(Self.old)[frame], from: old, in: bytes)
      #expect(found.map { abs($0.seconds - times[frame]) < 0.025 } == true, "\(frame): \(String(describing: found))")
      #expect(found.map { abs($0.byte - Int64((times[frame] / 0.024).rounded()) * 384) < 400 } == true)
      #expect(fetched < 4 << 20, "\(frame)")
    }
  }

  @Test func `of what was heard, only the end need be here to find where to go on`() throws {
    let bytes = Self.bytes(Self.old)
    let part = try Self.print(bytes, 0..<1000, Int64(384 * 11_000)..<Int64(384 * 12_000))
    let (found, _) = search(288.5, from: part, in: Self.bytes(Self.new))
    // Frame 12000 of the old file is frame 7250 of the show.
    let wanted = Self.times(Self.new)[7250] + 0.5
    #expect(found.map { abs($0.seconds - wanted) < 0.025 } == true, "\(String(describing: found)) \(wanted)")
  }

  @Test func `a part of the file that is elsewhere does not tell where to go on`() throws {
    let show = Self.bytes([.show(0..<20_000)])
    // The start of the file, and the end of what was heard later on.
    let part = try Self.print(show, 0..<Int64(384 * 340), Int64(384 * 4000)..<Int64(384 * 4330))
    let new = Self.bytes([.advert(9, 1600), .show(0..<20_000)])
    let heard = 4329 * StitchedMP3.frame
    let there: Double = heard + 1600 * StitchedMP3.frame
    let found = try #require(search(heard, from: part, in: new).0)
    #expect(abs(found.seconds - there) < 0.01)
    // No byte comes behind the start of the show.
    var present = 384 * 2600
    while present > 0 {
      let cut = PositionSearch(part, size: Int64(new.count)) { count, offset in
        Self.present(Array(new[..<present]))(offset, count)
      }
      #expect(cut?.find(heard) == nil, "\(present)")
      present -= 384 * 400
    }
    // The moment itself may be in what is here, before what is missing.
    let long = try Self.print(Self.bytes([.advert(9, 8000), .show(0..<12_000)]))
    let rest = 384 * 4000
    let start = Array(show[..<rest])
    let here = PositionSearch(long, size: Int64(show.count)) { Self.present(start)($1, $0) }
    let back = try #require(here?.find((8000 + 3000) * StitchedMP3.frame))
    #expect(abs(back.seconds - 3000 * StitchedMP3.frame) < 0.01)
    let map = FrameAlignment.map(from: part, to: try Self.print(Array(new[..<(384 * 2600)])))
    #expect(map.pieces.count == 1 && map.position(of: heard) == nil)
  }

  @Test func `in an unrelated file nothing is found, and little fetched`() throws {
    let (found, fetched) = search(
      300, from: try Self.print(Self.bytes(Self.old)), in: StitchedMP3.frames(60_000, seed: 77))
    #expect(found == nil && fetched < 20 << 20)
  }

  @Test func `a moment behind all that is known of the old file is not looked for`() throws {
    let show = Self.bytes([.show(0..<20_000)])
    let part = try Self.print(show, 0..<Int64(384 * 4000))
    let heard = 4000 * StitchedMP3.frame
    #expect(search(heard + 4, from: part, in: show).0 != nil)
    let (found, fetched) = search(heard + 60, from: part, in: show)
    #expect(found == nil && fetched < 64 << 10, "\(fetched)")
  }
}
