import PodcastModel
import PodcastStore
import Testing

@testable import Podcatcher

@Suite struct SoundingTests {
  @Test func `loudness is gated: neither silence nor what is far quieter counts`() throws {
    func loudness(_ parts: [(decibels: Double, count: Int)]) -> Double? {
      GatedLoudness.of(parts.flatMap { [Level](repeating: Level(decibels: $0.decibels), count: $0.count) })
    }
    #expect(loudness([]) == nil)
    #expect(loudness([(-80, 100)]) == nil)
    #expect(loudness([(-20, 100), (-80, 900)]) == -20)
    #expect(loudness([(-20, 100), (-40, 900)]) == -20)
    // The mean of power lies near the louder half.
    #expect(abs(try #require(loudness([(-20, 100), (-26, 100)])) - -22.03) < 0.01)
    // Damaged frames, louder than full scale.
    #expect(loudness([(-20, 1000), (27, 5)]) == -20)
    #expect(abs(try #require(loudness([(2, 10)])) - 2) < 0.01)
  }

  /// Levels of 10 ms.
  private func levels(_ parts: [(decibels: Double, count: Int)]) -> [Level] {
    parts.flatMap { [Level](repeating: Level(decibels: $0.decibels), count: $0.count) }
  }

  @Test(arguments: [0.0, -20]) func `pauses are found in loud and in quiet recordings`(gain: Double) {
    let talk = (0..<10).flatMap { _ in
      levels([(-20 + gain, 100), (-62 + gain, 50), (-25 + gain, 80), (-62 + gain, 10), (-25 + gain, 20)])
    }
    let pauses = SilenceMap.pauses(in: talk)
    #expect(pauses.count == 10)
    #expect(pauses.allSatisfy { abs($0.upperBound - $0.lowerBound - 0.5) <= 0.03 })
    #expect(abs(pauses[1].lowerBound - 3.6) <= 0.02)
  }

  @Test func `a pause reaches from voice to voice, but for the end of one that the noise hides`() {
    let talk = (0..<10).flatMap { _ in levels([(-16, 100), (-62, 50)]) } + levels([(-16, 100)])
    #expect(SilenceMap.pauses(in: talk).first == 1..<1.5)
    let noisy = (0..<10).flatMap { _ in levels([(-30, 100), (-53, 50)]) } + levels([(-30, 100)])
    #expect(SilenceMap.pauses(in: noisy).first == 1.05..<1.5)
  }

  @Test func `pauses around a voice of one moment do not overlap`() throws {
    let click = levels([(-16, 100), (-80, 60), (-54.5, 1), (-62, 1), (-54.5, 1), (-80, 60)])
    let pauses = SilenceMap.pauses(in: (0..<10).flatMap { _ in click } + levels([(-16, 100)]))
    #expect(pauses.count > 10)
    #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound })
    let sounding = Sounding(loudness: -18, peak: -1, levels: [0], pauses: pauses)
    #expect(Sounding(sounding.record(of: EpisodeID(rawValue: 1), file: "a"))?.pauses == pauses)
  }

  @Test func `breaths above the noise are no pauses, nor is anything in even sound or in silence`() {
    let breath = levels([(-20, 300), (-62, 30), (-55, 30), (-62, 30), (-20, 300)])
    #expect(SilenceMap.pauses(in: breath).count == 2)
    #expect(SilenceMap.pauses(in: levels([(-20, 500)])) == [])
    #expect(SilenceMap.pauses(in: levels([(-100, 500)])) == [])
    #expect(SilenceMap.pauses(in: []) == [])
    let unknown = levels([(-20, 300)]) + [Level](repeating: SilenceMap.unknown, count: 100) + levels([(-20, 300)])
    #expect(SilenceMap.pauses(in: unknown) == [])
  }

  @Test func `the form in the library gives back what went into it`() throws {
    let sounding = Sounding(
      loudness: -18.5, peak: -1, levels: [0, 1, 200, 254], pauses: [0.5..<0.75, 2..<3, 5_000..<5_001.25],
      hasEqualChannels: true)
    let id = EpisodeID(rawValue: 1)
    #expect(Sounding(sounding.record(of: id, file: "a")) == sounding)
    var record = sounding.record(of: id, file: "a")
    record.format += 1
    #expect(Sounding(record) == nil)
    record = sounding.record(of: id, file: "a")
    record.data = record.data?.dropLast()
    #expect(Sounding(record) == nil)
    record.data = nil
    #expect(Sounding(record) == nil)
  }

  @Test func `no byte of a damaged row is believed to be more than it is`() {
    for length in 0..<40 {
      var record = Sounding(levels: [], pauses: []).record(of: EpisodeID(rawValue: 1), file: "a")
      record.data = [UInt8](repeating: 0xFF, count: length)
      #expect(Sounding(record) == nil || length == 0)
    }
  }

  @Test func `a draft is of one file only, and is no result`() {
    let draft = SoundingDraft()
    let record = draft.record(of: EpisodeID(rawValue: 1), file: "a")
    #expect(Sounding(record) == nil)
    #expect(SoundingDraft(record, of: "b") == nil)
    #expect(SoundingDraft(record, of: "a") == draft)
  }
}
