import PodcastModel
import Testing

@testable import Podcatcher

@Suite struct RewindTests {
  @Test(arguments: [(0, 1), (59, 1), (60, 3), (3_599, 3), (3_600, 10), (86_399, 10), (86_400, 20), (-500, 1)])
  func `grows with the absence`(away: Int64, seconds: Int) {
    let now = Timestamp(seconds: 1_800_000_000)
    let position = Rewind.position(
      from: .seconds(100), lastPlayedAt: Timestamp(seconds: now.seconds - away), now: now)
    #expect(position == .seconds(100 - seconds))
  }

  @Test func `never leads before the start`() {
    #expect(Rewind.position(from: .seconds(5), lastPlayedAt: nil, now: .now) == .zero)
  }

  @Test func `it goes back to the beginning of a sentence, where one is near`() {
    func position(_ pauses: [Range<Double>]) -> Duration {
      Rewind.position(
        from: .seconds(100), lastPlayedAt: Timestamp(seconds: 100), now: Timestamp(seconds: 200), pauses: pauses)
    }
    // Three seconds back, and then to the last long pause.
    #expect(position([80..<81, 92..<93, 95..<95.2, 98..<99]) == .milliseconds(92_900))
    #expect(position([80..<81]) == .seconds(97))
    #expect(position([]) == .seconds(97))
  }

  @Test func `a position a little behind the end is near the end, one far behind it is another file's`() {
    #expect(Rewind.position(from: .seconds(3_700), behind: .seconds(3_600)) == .seconds(3_540))
    #expect(Rewind.position(from: .seconds(7_200), behind: .seconds(3_600)) == .zero)
    #expect(Rewind.position(from: .seconds(90), behind: .seconds(5)) == .zero)
  }
}
