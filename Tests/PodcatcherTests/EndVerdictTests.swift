import Playback
import Testing

@testable import Podcatcher

@Suite struct EndVerdictTests {
  private func verdict(
    _ reason: EndReason = .reachedEnd, at position: Double?, medium: Double? = nil, feed: Double? = nil,
    isWhole: Bool = false, isBroken: Bool = false, share: Double? = nil, tail: Double = 15
  ) -> EndVerdict {
    EndVerdict(
      .init(
        reason, position: position.map { .seconds($0) }, mediumDuration: medium.map { .seconds($0) },
        feedDuration: feed.map { .seconds($0) }, isWholeMedium: isWhole, isBroken: isBroken,
        share: share, tail: .seconds(tail)))
  }

  @Test func `the end of the bytes within the tail finishes the episode`() {
    #expect(verdict(at: 3_590, medium: 3_600) == .finished)
    #expect(verdict(at: 3_585, medium: 3_600, feed: 3_600) == .finished)
  }

  @Test func `the end of the bytes long before the tail is an interruption`() {
    #expect(verdict(at: 1_200, medium: 3_600) == .interrupted)
    #expect(verdict(at: 3_584, medium: 3_600) == .interrupted)
  }

  @Test func `the longer of two announced durations counts`() {
    #expect(verdict(at: 88, medium: 88, feed: 3_600) == .interrupted)
    #expect(verdict(at: 3_600, medium: 3_600, feed: 60) == .finished)
  }

  @Test func `a media file read to its last byte is finished whatever was announced`() {
    #expect(verdict(at: 50, medium: 50, feed: 3_600, isWhole: true) == .finished)
  }

  @Test func `an end that is not proven is an interruption where far fewer bytes came than were announced`() {
    #expect(verdict(at: 1_200, medium: 1_200, share: 0.33) == .interrupted)
    #expect(verdict(at: 1_200, medium: 1_200, share: 0.95) == .finished)
    #expect(verdict(at: 1_200, share: 0.95) == .finished)
    #expect(verdict(at: 1_200, feed: 3_600, share: 0.95) == .interrupted)
    // The feed's duration says that the announced number of bytes is wrong.
    #expect(verdict(at: 1_195, medium: 1_200, feed: 1_200, share: 0.01) == .finished)
    #expect(verdict(at: 1_000, medium: 1_000, feed: 1_200, share: 0.85) == .interrupted)
    #expect(verdict(at: 1_350, medium: 1_350, feed: 45, share: 0.5) == .interrupted)
    // Before the end nothing but the position counts: the next episode is not to be opened yet.
    #expect(verdict(at: 10, medium: 1_200, share: 1) == .interrupted)
  }

  @Test func `without a length that is known, missing bytes are an interruption however many came`() {
    #expect(verdict(at: 1_200, isBroken: true, share: 0.95) == .interrupted)
    #expect(verdict(at: 1_200, feed: 1_200, isBroken: true, share: 0.95) == .finished)
  }

  @Test func `nothing heard is never finished`() {
    #expect(verdict(at: nil, medium: 3_600, isWhole: true) == .interrupted)
    #expect(verdict(at: 10) == .interrupted)
  }

  @Test func `an episode shorter than the tail must be half heard`() {
    #expect(verdict(at: 2, medium: 10) == .interrupted)
    #expect(verdict(at: 9, medium: 10) == .finished)
  }

  @Test func `other reasons are what they are`() {
    let error = PlaybackError(.noAudioOutput, "no device")
    #expect(verdict(.failed(error), at: 3_600, medium: 3_600) == .failed(error))
    #expect(verdict(.replaced, at: 3_600, medium: 3_600) == .replaced)
    #expect(verdict(.stopped, at: 3_600, medium: 3_600) == .stopped)
  }
}
