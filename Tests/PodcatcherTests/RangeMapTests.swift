import Testing

@testable import Podcatcher

@Suite struct RangeMapTests {
  @Test(
    arguments: [
      ([], 5..<9, [5..<9]), ([0..<4], 4..<9, [0..<9]), ([0..<4], 5..<9, [0..<4, 5..<9]), ([5..<9], 0..<5, [0..<9]),
      ([0..<2, 4..<6, 8..<10], 1..<9, [0..<10]), ([0..<2, 8..<10], 4..<6, [0..<2, 4..<6, 8..<10]),
      ([0..<10], 3..<5, [0..<10]), ([3..<5], 0..<10, [0..<10]), ([3..<5], 7..<7, [3..<5]),
    ] as [([Range<Int64>], Range<Int64>, [Range<Int64>])])
  func `what touches becomes one range`(before: [Range<Int64>], new: Range<Int64>, after: [Range<Int64>]) {
    var map = RangeMap(before)
    map.insert(new)
    #expect(map.ranges == after)
  }

  @Test func `any order of insertions says what a set of bytes says`() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      var map = RangeMap()
      var bytes: Set<Int64> = []
      for _ in 0..<20 {
        let start = Int64.random(in: 0..<60, using: &random)
        let range = start..<start + Int64.random(in: 0..<12, using: &random)
        map.insert(range)
        bytes.formUnion(range)
      }
      #expect(map.count == Int64(bytes.count))
      for offset in 0..<Int64(80) {
        let end = (offset...).first { !bytes.contains($0) } ?? offset
        #expect(map.end(from: offset) == end)
        let gapEnd = (end..<80).first { bytes.contains($0) } ?? 80
        #expect(map.gap(from: offset, to: 80) == (end < 80 ? end..<gapEnd : nil))
        let run = (0..<offset).reversed().prefix { bytes.contains($0) }.count
        #expect(map.run(before: offset) == Int64(run))
      }
    }
  }

  @Test func `a note tells what it was told`() throws {
    let note = RangeNote(boot: "b", token: "t", map: RangeMap([0..<100, 200..<300]))
    #expect(RangeNote(note.text) == note)
    #expect(RangeNote(note.text + "the rest of a longer note\n") == note)
    let empty = RangeNote(boot: "b", token: "t", map: RangeMap())
    #expect(RangeNote(empty.text) == empty)
  }

  @Test func `a note that is torn or changed says nothing`() {
    let text = RangeNote(boot: "b", token: "t", map: RangeMap([0..<100, 200..<300])).text
    #expect(RangeNote(String(text.dropLast(2))) == nil)
    #expect(RangeNote(text.replacing("200-299", with: "200-399")) == nil)
    #expect(RangeNote("") == nil)
  }

  @Test func `a note is never longer than a page`() {
    let starts = (0..<1000).map { Int64($0) * 1_000_000_000_000 }
    let ranges = starts.map { $0..<$0 + 7 }
    let text = RangeNote(boot: String(repeating: "b", count: 36), token: "t", map: RangeMap(ranges)).text
    #expect(text.utf8.count < RangeNote.longest)
    #expect(RangeNote(text)?.map.ranges.isEmpty == false)
  }
}

@Suite struct MP4IndexTests {
  private static func box(_ type: String, _ size: UInt64, isLong: Bool = false) -> [UInt8] {
    func number(_ value: UInt64, _ bytes: Int) -> [UInt8] {
      (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    return number(isLong ? 1 : size, 4) + Array(type.utf8) + (isLong ? number(size, 8) : [])
  }

  private static let brand = box("ftyp", 24) + [UInt8](repeating: 0, count: 16)

  private static let found: [([UInt8], Range<Int64>)] = {
    let behind: Int64 = 5000 + 16384
    let free: [UInt8] = box("free", 16) + [UInt8](repeating: 0, count: 8)
    return [
      (brand + box("moov", 5000), 24..<24 + behind), (brand + box("moov", 5000, isLong: true), 24..<24 + behind),
      (brand + free + box("moov", 5000), 40..<40 + behind),
      // Behind the sound.
      (brand + box("mdat", 99_000_000), 99_000_024..<100_000_000),
      (brand + box("mdat", 99_000_000, isLong: true), 99_000_024..<100_000_000),
    ]
  }()

  private static let unknown: [[UInt8]] = [
    // Too much follows, nothing, or the file is too short.
    brand + box("mdat", 80_000_000), brand + box("mdat", 99_999_976), brand + box("mdat", 4_000_000_000),
    // To the end of the file, and sizes that cannot be.
    brand + box("mdat", 0), brand + box("moov", 7), brand + box("moov", 1 << 60, isLong: true),
    brand + box("moov", .max, isLong: true), Array("ID3 and what follows it in an MP3 file".utf8), [],
  ]

  private func range(in bytes: [UInt8]) -> Range<Int64>? {
    let bytes = bytes.isEmpty ? [] : bytes + [UInt8](repeating: 0, count: 16)
    return MP4Index.range(from: 0, to: Int64(bytes.count), of: 100_000_000) { offset, count in
      Array(bytes.dropFirst(Int(offset)).prefix(count))
    }
  }

  @Test func `the index is told by the heads of the boxes`() {
    for (bytes, index) in Self.found { #expect(range(in: bytes) == index) }
    for bytes in Self.unknown { #expect(range(in: bytes) == nil, "\(bytes)") }
  }
}

@Suite struct FillPlanTests {
  private let megabyte: Int64 = 1 << 20

  private func step(
    _ ranges: [Range<Int64>], of total: Int64?, reader: Int64, inLine: Int64 = 100 << 20, wantsAll: Bool = false
  ) -> FillPlan.Step {
    FillPlan(map: RangeMap(ranges), total: total, reader: reader, readInLine: inLine, wantsAll: wantsAll).step
  }

  @Test func `what the reader waits for comes first, in a short stretch`() {
    #expect(step([], of: nil, reader: 0) == .fetch(0..<FillPlan.shortest))
    #expect(
      step([0..<megabyte], of: 100 * megabyte, reader: 50 * megabyte)
        == .fetch(50 * megabyte..<50 * megabyte + FillPlan.shortest))
  }

  @Test func `each stretch in line is twice as long, up to a limit`() {
    #expect(step([0..<megabyte], of: nil, reader: 0) == .fetch(megabyte..<2 * megabyte))
    let run = 50 * megabyte
    #expect(step([0..<run], of: nil, reader: run - 1) == .fetch(run..<run + FillPlan.longest))
  }

  @Test func `the index of an MP4 is one stretch, and nothing is fetched behind it until it is left`() {
    func step(_ end: Int64, reader: Int64, wantsAll: Bool = false) -> FillPlan.Step {
      FillPlan(
        map: RangeMap([0..<end]), total: 100 * megabyte, reader: reader, readInLine: reader, index: 32..<megabyte,
        wantsAll: wantsAll
      ).step
    }
    #expect(step(1000, reader: 900) == .fetch(1000..<megabyte))
    #expect(step(megabyte, reader: megabyte - 1) == .rest)
    #expect(step(megabyte, reader: megabyte) == .fetch(megabyte..<2 * megabyte))
    #expect(step(megabyte, reader: 1000, wantsAll: true) == .fetch(megabyte..<100 * megabyte))
  }

  @Test func `no byte that is here is fetched again`() {
    #expect(
      step([0..<megabyte, megabyte + 1000..<5 * megabyte], of: 9 * megabyte, reader: 0)
        == .fetch(megabyte..<megabyte + 1000))
  }

  @Test func `enough ahead is enough, and all of it is the end`() {
    #expect(step([0..<9 * megabyte], of: 50 * megabyte, reader: 0) == .rest)
    #expect(step([0..<9 * megabyte], of: 9 * megabyte, reader: 0) == .done)
    #expect(step([0..<megabyte, 8 * megabyte..<9 * megabyte], of: 9 * megabyte, reader: 9 * megabyte) == .rest)
  }

  @Test func `who has only just come here may leave again, so little is fetched ahead of him`() {
    #expect(step([0..<megabyte], of: 50 * megabyte, reader: 0, inLine: 0) == .rest)
    #expect(step([0..<megabyte], of: 50 * megabyte, reader: 0, inLine: megabyte) == .fetch(megabyte..<2 * megabyte))
  }

  @Test func `whoever wants all of it gets what lies behind the reader, too`() {
    let ranges = [0..<megabyte, 8 * megabyte..<9 * megabyte]
    #expect(step(ranges, of: 9 * megabyte, reader: 8 * megabyte, wantsAll: true) == .fetch(megabyte..<8 * megabyte))
    #expect(step([], of: 9 * megabyte, reader: 0, wantsAll: true) == .fetch(0..<9 * megabyte))
  }

  @Test func `a fetch that will bring what is missing in a moment is left alone`() {
    let plan = FillPlan(map: RangeMap([0..<1000]), total: 100 * megabyte, reader: 1000, readInLine: 0)
    #expect(plan.isServed(by: 1000, until: megabyte))
    let ahead = FillPlan(map: RangeMap([0..<1000]), total: 100 * megabyte, reader: 50_000, readInLine: 0)
    #expect(ahead.isServed(by: 1000, until: megabyte))
    #expect(!ahead.isServed(by: 1000, until: 40_000))
    let away = FillPlan(map: RangeMap([0..<1000]), total: 100 * megabyte, reader: 50 * megabyte, readInLine: 0)
    #expect(!away.isServed(by: 1000, until: megabyte))
    #expect(!away.isServed(by: 60 * megabyte, until: 61 * megabyte))
  }

  @Test func `nobody is kept waiting by what is fetched ahead of him`() {
    let plan = FillPlan(map: RangeMap([0..<1000]), total: 100 * megabyte, reader: 10, readInLine: 0)
    #expect(plan.isServed(by: 70 * megabyte, until: 71 * megabyte))
  }
}
