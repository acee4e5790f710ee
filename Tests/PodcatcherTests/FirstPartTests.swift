import Playback
import PodcastModel
import PodcastStore
import Synchronization
import TestSupport
import Testing

@testable import Podcatcher

/// The beginning of a file that is being filled: real files, real libmpv, a real library.
@Suite struct FirstPartTests {
  private let show: OneEpisode
  private let bytes: [UInt8]

  init() async throws {
    show = try await OneEpisode()
    let talk = (1...20).reduce(Tone(seconds: 0.5, frequency: 300, sampleRate: 22_050)) { talk, word in
      talk.then(seconds: 0.8, frequency: nil).then(seconds: 0.7, frequency: 300 + Double(word))
    }
    bytes = try await talk.encoded(as: "mp3")
  }

  /// Writes the file as a stream does, and keeps what is here of it; the ranges only in the note.
  private func fill(_ file: PartialFile, _ end: Int, of rendition: String = "one") async throws {
    var record = MediaRecord(episode: show.id, state: .paused)
    let address = try #require(try await show.entry().episode.enclosure).url
    (record.path, record.sourceURL, record.etag) = (show.path, address, "\"\(rendition)\"")
    (record.rendition, record.total) = (rendition, Int64(bytes.count))
    try file.write(bytes[..<end], at: 0)
    // Behind a jump there is more.
    try file.write(bytes[(bytes.count - 1000)...], at: Int64(bytes.count - 1000))
    file.note(RangeMap([0..<Int64(end), Int64(bytes.count - 1000)..<Int64(bytes.count)]), of: rendition)
    try await show.store.save(record)
  }

  private func partialFile() async throws -> PartialFile {
    try PartialFile(MediaFilePath(of: try await show.entry()), in: show.folder)
  }

  private func measureFirstPart() async throws {
    await Measurer(store: show.store) { _ in }.measureFirstPart(of: try await show.entry(), in: show.folder)
  }

  private func kept() async throws -> FirstPartSounding? {
    await FirstPartSounding.kept(of: try await show.entry(), in: show.store)
  }

  /// Returns the result, and from where on the pass heard it.
  private func measure() async throws -> (Sounding, from: Duration) {
    let seen = Mutex<(result: Result<Sounding, MeasureError>?, first: Duration?)>((nil, nil))
    await Measurer(store: show.store) { report in
      seen.withLock { seen in
        switch report {
        case .progress(_, let heard): seen.first = seen.first ?? heard
        case .ended(_, let result): seen.result = result
        }
      }
    }.measure([try await show.entry()])
    let (result, first) = seen.withLock { $0 }
    return (try #require(result).get(), first ?? .zero)
  }

  @Test func `what is here is measured, then the rest, and the whole goes on there`() async throws {
    let file = try await partialFile()
    try await fill(file, bytes.count / 3)
    try await measureFirstPart()
    let first = try #require(try await kept())
    #expect((8.2...10.1).contains(first.sounding.duration), "\(first.sounding.duration)")
    #expect(first.sounding.pauses.count == 6 && first.loudness == nil)
    #expect(try await show.store.sounding(of: show.id)?.isComplete == false)

    try await fill(file, bytes.count / 3 * 2)
    try await measureFirstPart()
    let second = try #require(try await kept())
    #expect((18.2...20.1).contains(second.sounding.duration), "\(second.sounding.duration)")
    #expect(zip(first.sounding.pauses, second.sounding.pauses).allSatisfy { abs($0.upperBound - $1.upperBound) < 0.03 })

    try await fill(file, bytes.count)
    try file.finish()
    var record = try #require(try await show.row())
    record.complete(Int64(bytes.count))
    try await show.store.save(record)
    let (whole, start) = try await measure()
    #expect(start > .seconds(17), "\(start)")
    try await show.store.removeMedia(of: show.id)
    try await show.store.save(record)
    let (alone, beginning) = try await measure()
    #expect(beginning < .seconds(1) && whole.levels.count == alone.levels.count)
    // Each part has its tenths of a second begin inside a frame.
    let (one, other) = (try #require(whole.loudness), try #require(alone.loudness))
    #expect(abs(one - other) < 0.2, "\(one) \(other)")
    #expect(whole.pauses.count == 20 && alone.pauses.count == 20)
    #expect(zip(whole.pauses, alone.pauses).allSatisfy { abs($0.lowerBound - $1.lowerBound) <= 0.021 })
  }

  @Test func `of a rendition that was replaced nothing is believed`() async throws {
    let file = try await partialFile()
    try await fill(file, bytes.count / 2)
    try await measureFirstPart()
    try #require(try await kept() != nil)
    try await fill(file, bytes.count / 3, of: "two")
    #expect(try await kept() == nil)
    try await measureFirstPart()
    #expect(try #require(try await kept()).sounding.duration < 10.1)
    try await show.store.removeMedia(of: show.id)
    #expect(try await show.store.sounding(of: show.id) == nil)
    #expect(try await kept() == nil)
  }

  @Test func `nothing is measured twice, of a whole file, or over a measurement`() async throws {
    let file = try await partialFile()
    try await measureFirstPart()
    #expect(try await show.store.sounding(of: show.id) == nil)
    try await fill(file, bytes.count / 2)
    try await measureFirstPart()
    let draft = try #require(try await show.store.sounding(of: show.id))
    try await measureFirstPart()
    #expect(try await show.store.sounding(of: show.id) == draft)
    let complete = Sounding(loudness: -20, levels: [], pauses: []).record(of: show.id, file: "x")
    try await show.store.save(complete)
    try await show.store.saveDraft(draft)
    try await measureFirstPart()
    #expect(try await show.store.sounding(of: show.id) == complete)
  }

  @Test func `an estimate is one of the talk, once there is enough of it`() throws {
    func part(_ parts: [(decibels: Double, seconds: Int)]) -> FirstPartSounding {
      var (draft, start) = (SoundingDraft(), 0.0)
      for part in parts {
        for _ in 0..<part.seconds * 10 {
          draft.add(DecodedSound(start: start, momentary: part.decibels, peak: 0.5, samples: [1, 2]))
          start += 0.1
        }
      }
      return FirstPartSounding(draft)
    }
    #expect(part([(-10, 90), (-20, 200)]).loudness == nil)
    #expect(abs(try #require(part([(-10, 90), (-20, 241)]).loudness) + 20) < 0.1)
  }

  @Test func `pauses are cut where they are known, and the estimate goes behind all else`() async throws {
    let guide = SoundGuide(store: show.store)
    let entry = try await show.entry()
    var draft = SoundingDraft()
    for tenth in 0..<4000 {
      draft.add(DecodedSound(start: Double(tenth) / 10, momentary: -20, peak: 0.5, samples: [1, 2]))
    }
    let part = FirstPartSounding(draft)
    let settings = Listener.Settings()
    let estimated = await guide.correction(of: entry, settings, nil, part: part)
    #expect(abs(try #require(estimated.gain) - 4) < 0.1 && estimated.gainOverTags == nil)
    #expect(estimated.pausesEnd == 400 && estimated.pauses == [])
    let tagged = await guide.correction(of: entry, settings, nil, part: part, hasTags: true)
    #expect(tagged.gain == nil && tagged.gainOverTags == 2)
    try await show.store.save(Sounding(loudness: -26, levels: [], pauses: []).record(of: show.id, file: "x"))
    let history = await guide.correction(of: entry, settings, nil, part: part, hasTags: true)
    #expect(history.gain == 10)
    let measured = await guide.correction(
      of: entry, settings, Sounding(loudness: -18, levels: [], pauses: []), part: part)
    #expect(measured.gain == 2 && measured.pausesEnd == nil)
  }
}
