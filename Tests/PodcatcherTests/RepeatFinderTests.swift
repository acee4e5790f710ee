import PodcastModel
import PodcastStore
import TestSupport
import Testing

@testable import Podcatcher

/// The stretches that episodes of a podcast share: found where they lie, named by their place, and nothing else.
@Suite struct RepeatFinderTests {
  private static let intro = levels(20, seed: 900)
  private static let jingle = levels(15, seed: 901)
  private static let outro = levels(25, seed: 902)
  private static let advert = levels(30, seed: 903)

  /// Levels of talk, in hundredths of a second.
  static func levels(_ seconds: Int, seed: UInt64) -> [Double] {
    var generator = SeededGenerator(seed: seed)
    var levels: [Double] = []
    while levels.count < seconds * 100 {
      let isPause = Double.random(in: 0...1, using: &generator) < 0.15
      let length = Int.random(in: isPause ? 10...70 : 6...25, using: &generator)
      let peak = isPause ? -62 : Double.random(in: -40 ... -12, using: &generator)
      for index in 0..<length {
        let share = Double(index) / Double(length) - 0.4
        levels.append(peak + (isPause ? 0 : -100 * share * share))
      }
    }
    return Array(levels.prefix(seconds * 100))
  }

  /// As an encoder leaves it.
  private static func print(_ parts: [[Double]], gain: Double = 0, seed: UInt64) -> SoundPrint {
    var generator = SeededGenerator(seed: seed)
    return SoundPrint(
      hundredths: parts.joined().map { Level(decibels: $0 + gain + Double.random(in: -0.7...0.7, using: &generator)) })
  }

  /// With a cold open, so that the intro of each lies elsewhere. Every other one begins with an advert.
  static func episode(_ number: Int, talk: Int = 60) -> SoundPrint {
    let seed = UInt64(number * 10)
    let opening = (number % 2 == 1 ? advert : []) + levels(10 + number, seed: seed)
    return print(
      [opening, intro, levels(talk, seed: seed + 1), jingle, levels(talk, seed: seed + 2), outro],
      gain: number == 3 ? -14 : 0, seed: seed + 3)
  }

  private func found(_ number: Int, among others: [Int]) -> [Repeat] {
    RepeatFinder(in: Self.episode(number), others: others.map { Self.episode($0) }).repeats
  }

  private func isNear(_ stretch: Repeat, _ range: ClosedRange<Double>) -> Bool {
    abs(stretch.range.lowerBound.inSeconds - range.lowerBound) <= 0.2
      && abs(stretch.range.upperBound.inSeconds - range.upperBound) <= 0.2
  }

  @Test func `intro, jingle, outro and advert are found and named, within 0.2 s`() throws {
    let repeats = found(1, among: [2, 3, 4, 5, 6])
    #expect(repeats.map(\.kind) == [.inserted, .intro, .inserted, .outro])
    #expect(repeats.first?.count == 2 && repeats.dropFirst().allSatisfy { $0.count >= 4 }, "\(repeats.map(\.count))")
    #expect(repeats.allSatisfy { $0.total == 5 })
    for (stretch, range) in zip(repeats, [0...30, 41...61, 121...136, 196...221] as [ClosedRange<Double>]) {
      #expect(isNear(stretch, range), "\(stretch)")
    }
  }

  @Test func `where levels fall between levels, nothing of a repeat is cut off`() throws {
    var (cut, off) = ([Double](), [Double]())
    for seed in 35..<65 as Range<UInt64> {
      let part = Self.levels(30, seed: seed)
      // One and a half hundredths later: half a level.
      let between = [part[0]] + zip(part, part.dropFirst()).map { ($0 + $1) / 2 }
      let print = Self.print([part, Self.levels(60, seed: seed + 1000)], seed: seed + 2000)
      let other = Self.print(
        [Self.levels(60, seed: seed + 3000), [-62], between, Self.levels(60, seed: seed + 4000)], gain: -7,
        seed: seed + 5000)
      let found = try #require(RepeatFinder(in: print, others: [other]).repeats.first)
      cut += [found.range.lowerBound.inSeconds, 30 - found.range.upperBound.inSeconds]
      // Beyond an edge a pause of both may lie, which sounds the same.
      off += cut.suffix(2).map(abs)
    }
    #expect(cut.max()! <= 0.3, "\(cut.sorted().suffix(6))")
    off.sort()
    #expect(off[off.count * 8 / 10] <= 0.1, "\(off.suffix(20))")
  }

  @Test func `noise of one loudness behind an intro is no part of it, but for some seconds`() throws {
    let noise = [Double](repeating: -24, count: 12_000)
    let prints = ([10, 20] as [UInt64]).map { seed in
      Self.print([Self.levels(10, seed: seed), Self.intro, noise, Self.levels(60, seed: seed + 1)], seed: seed + 2)
    }
    let found = try #require(RepeatFinder(in: prints[0], others: [prints[1]]).repeats.first)
    #expect((9.8...10.2).contains(found.range.lowerBound.inSeconds), "\(found)")
    #expect((29.8...45).contains(found.range.upperBound.inSeconds), "\(found)")
  }

  @Test func `of two episodes what both have at the start is the intro`() throws {
    #expect(found(2, among: [4]).map(\.kind) == [.intro, .inserted, .outro])
    #expect(found(1, among: []).isEmpty)
  }

  @Test func `unrelated talk, silence and nothing at all share nothing`() {
    let talks = (20..<24).map { Self.print([Self.levels(300, seed: $0)], seed: $0) }
    #expect(RepeatFinder(in: talks[0], others: Array(talks.dropFirst())).repeats.isEmpty)
    let silence = SoundPrint(hundredths: [Level](repeating: 0, count: 30_000))
    #expect(RepeatFinder(in: silence, others: [silence, talks[0]]).repeats.isEmpty)
    let nothing = SoundPrint(hundredths: [])
    #expect(RepeatFinder(in: nothing, others: [nothing, talks[0]]).repeats.isEmpty)
    #expect(RepeatFinder(in: talks[0], others: [nothing, silence]).repeats.isEmpty)
  }

  @Test func `copies of an episode do not make it one long repeat, and do not count`() {
    let copy = Self.episode(1)
    #expect(RepeatFinder(in: copy, others: [copy, copy]).repeats.isEmpty)
    let repeats = RepeatFinder(in: copy, others: [copy, Self.episode(2)]).repeats
    #expect(repeats.map(\.kind) == [.intro, .inserted, .outro] && repeats.allSatisfy { $0.total == 1 })
    // The same show once more, with other adverts.
    let parts = [Self.levels(200, seed: 50), Self.levels(200, seed: 51)]
    let (one, other) = (
      Self.print([parts[0], Self.advert, parts[1]], seed: 1), Self.print([Self.outro] + parts, seed: 2)
    )
    #expect(RepeatFinder(in: one, others: [other]).repeats.isEmpty)
  }

  @Test func `an outro and the advert behind it are two, as elsewhere they are apart`() throws {
    let one = Self.print([Self.levels(100, seed: 70), Self.outro, Self.advert], seed: 5)
    let others = (71..<74 as Range<UInt64>).map { seed in
      Self.print([Self.advert, Self.levels(100, seed: seed), Self.outro], seed: seed + 100)
    }
    let repeats = RepeatFinder(in: one, others: others).repeats
    try #require(repeats.count == 2, "\(repeats)")
    #expect(isNear(repeats[0], 100...125) && isNear(repeats[1], 125...155), "\(repeats)")
  }

  @Test func `where two of five have another beginning, the whole stretch is found`() throws {
    let one = Self.print([Self.levels(100, seed: 80), Self.advert, Self.levels(100, seed: 81)], seed: 6)
    let others = (82..<87 as Range<UInt64>).map { seed in
      var advert = Self.advert
      if seed < 84 { advert.replaceSubrange(..<130, with: Self.levels(2, seed: seed + 200).prefix(130)) }
      return Self.print([Self.levels(90, seed: seed), advert, Self.levels(100, seed: seed + 10)], seed: seed + 100)
    }
    let repeats = RepeatFinder(in: one, others: others).repeats
    try #require(repeats.count == 1, "\(repeats)")
    #expect(isNear(repeats[0], 100...130), "\(repeats)")
  }

  @Test func `of two prints that share everything in any order, so many runs are looked at`() {
    let words = (110..<114 as Range<UInt64>).map { Self.levels(10, seed: $0) }
    let (one, other) = (
      Self.print((0..<24).map { words[$0 % 4] }, seed: 1), Self.print((0..<24).map { words[$0 * 3 / 7 % 4] }, seed: 2)
    )
    #expect(SoundAlignment.shared(one, other).count > 12)
    #expect(SoundAlignment.shared(one, other, mostRuns: 5).count <= 5)
  }

  @Test func `a long part of a show that is heard again is no repeat`() {
    let part = Self.levels(310, seed: 60)
    let one = Self.print([Self.intro, Self.levels(400, seed: 61), part], seed: 3)
    let other = Self.print([Self.intro, part, Self.levels(400, seed: 62)], seed: 4)
    #expect(RepeatFinder(in: one, others: [other]).repeats.map(\.kind) == [.intro])
  }

  @Test func `edges of other repeats nearby never turn a stretch round`() {
    // By the middle of the edges near it, the stretch from 100 to 105.3 would begin at 103.9 and end at 103.4.
    let finder = RepeatFinder(
      seconds: 130,
      shared: [
        [95..<101.3, 103.9..<110.2], [95.6..<103.4], [80..<98.7, 105.3..<120], [80.1..<99.4, 106..<120.1],
        [80.2..<100, 104.6..<120.2], [80.3..<100.7, 106.7..<120.3],
      ])
    #expect(finder.repeats.contains { $0.range.contains(.seconds(102)) })
  }

  @Test func `stretches of many alike edges are in order and do not overlap`() {
    var generator = SeededGenerator(seed: 12)
    for _ in 0..<2000 {
      let shared = (0..<5).map { _ in
        (0..<3).map { part -> Range<Double> in
          let start = Double(part) * 9 + Double.random(in: 0..<5, using: &generator)
          return start..<start + Double.random(in: 4..<9, using: &generator)
        }
      }
      let repeats = RepeatFinder(seconds: 60, shared: shared).repeats
      for (one, next) in zip(repeats, repeats.dropFirst()) {
        #expect(one.range.upperBound <= next.range.lowerBound, "\(shared)")
      }
    }
  }
}
