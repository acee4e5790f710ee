import Glibc
import PodcastModel
import PodcastStore
import Synchronization
import TestSupport
import Testing

@testable import Playback
@testable import Podcatcher

/// Real files, real libmpv, a real library.
@Suite struct MeasurerTests {
  private let show: OneEpisode

  init() async throws { show = try await OneEpisode() }

  /// Words with pauses between them.
  private static let talk = (1...20).reduce(Tone(seconds: 0.5, frequency: 300, sampleRate: 22_050)) { talk, word in
    talk.then(seconds: 0.8, frequency: nil).then(seconds: 0.7, frequency: 300 + Double(word))
  }

  private func measure() async throws -> Result<Sounding, MeasureError>? {
    let ended = Mutex<Result<Sounding, MeasureError>?>(nil)
    let entry = try await show.entry()
    await Measurer(store: show.store) { report in
      if case .ended(_, let result) = report { ended.withLock { $0 = result } }
    }.measure([entry])
    return ended.withLock { $0 }
  }

  @Test func `a download is measured once, and its pauses are where it says nothing`() async throws {
    show.serve(try await Self.talk.encoded(as: "mp3"))
    _ = try #require(try await show.download()).get()
    let sounding = try #require(try await measure()).get()
    #expect(sounding.pauses.count == 20)
    for (index, pause) in sounding.pauses.enumerated() {
      #expect(abs(pause.lowerBound - (0.5 + 1.5 * Double(index))) < 0.07, "\(pause)")
      #expect(abs(pause.upperBound - (1.3 + 1.5 * Double(index))) < 0.07, "\(pause)")
    }
    let kept = try #require(try await show.store.sounding(of: show.id))
    #expect(kept.isComplete && Sounding(kept) == sounding)
    #expect(try #require(try await measure()).get() == sounding)
    #expect(try await show.store.sounding(of: show.id) == kept)
  }

  @Test func `a pass goes on where another was killed, and finds the same`() async throws {
    show.serve(try await Self.talk.encoded(as: "mp3"))
    _ = try #require(try await show.download()).get()
    let whole = try #require(try await measure()).get()
    let file = try #require(FileFingerprint.of(show.path))
    let draft = Mutex(SoundingDraft())
    try await SoundDecoder.decode(file: show.path) { piece in
      draft.withLock { draft in
        draft.add(piece)
        return draft.heard < 12.3
      }
    }
    try await show.store.save(draft.withLock { $0 }.record(of: show.id, file: file))
    let resumed = try #require(try await measure()).get()
    #expect(resumed.pauses.count == whole.pauses.count)
    // Its samples may be one of 11,025 off.
    for (one, other) in zip(resumed.pauses, whole.pauses) {
      #expect(abs(one.lowerBound - other.lowerBound) < 0.011 && abs(one.upperBound - other.upperBound) < 0.011)
    }
    #expect(abs(try #require(resumed.loudness) - #require(whole.loudness)) < 0.05)
    #expect(resumed.levels.count == whole.levels.count)
  }

  @Test func `two equal channels are found, also by a pass that goes on`() async throws {
    show.serve(try await Self.talk.encoded(as: "mp3", options: ["-ac", "2"]))
    _ = try #require(try await show.download()).get()
    #expect(try #require(try await measure()).get().hasEqualChannels)
    let file = try #require(FileFingerprint.of(show.path))
    var draft = SoundingDraft()
    for (differs, expected) in [(false, true), (true, false)] {
      draft.add(DecodedSound(start: draft.heard, momentary: -3, peak: 1, samples: [], hasEqualChannels: !differs))
      try await show.store.save(draft.record(of: show.id, file: file))
      #expect(try #require(try await measure()).get().hasEqualChannels == expected)
    }
  }

  @Test func `a draft of other bytes is not gone on with`() async throws {
    show.serve(Self.talk.wav)
    _ = try #require(try await show.download()).get()
    let whole = try #require(try await measure()).get()
    var draft = SoundingDraft()
    for tenth in 0..<100 {
      draft.add(DecodedSound(start: Double(tenth) / 10, momentary: -3, peak: 1, samples: []))
    }
    try await show.store.save(draft.record(of: show.id, file: "other"))
    #expect(try #require(try await measure()).get() == whole)
  }

  @Test func `what is not here whole, or is no sound, is not measured`() async throws {
    guard case .failure(.notHere)? = try await measure() else {
      Issue.record("measured without a file")
      return
    }
    show.serve((0..<40_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 9) })
    _ = try #require(try await show.download()).get()
    guard case .failure(.playback)? = try await measure() else {
      Issue.record("measured what is no sound")
      return
    }
    #expect(try await show.store.sounding(of: show.id) == nil)
  }

  @Test func `silence has no loudness and no pauses`() async throws {
    show.serve(Tone(seconds: 3, frequency: nil).wav)
    _ = try #require(try await show.download()).get()
    let sounding = try #require(try await measure()).get()
    #expect(sounding.loudness == nil && sounding.pauses == [])
    #expect(abs(sounding.duration - 3) < 0.2)
  }

  @Test func `other bytes have another fingerprint, of whatever length they are`() throws {
    let home = try TemporaryHome()
    var bytes = [UInt8](repeating: 1, count: 100_000)
    let one = try home.write(bytes, to: "one")
    bytes[99_999] = 2
    let other = try home.write(bytes, to: "other")
    let empty = try home.write([], to: "empty")
    #expect(FileFingerprint.of(one) != FileFingerprint.of(other))
    #expect(FileFingerprint.of(empty) != nil && FileFingerprint.of(home.path) == nil)
    #expect(FileFingerprint.of(home.path + "/nothing") == nil)
  }
}
