import PodcastModel
import Testing

@testable import Podcatcher

@Suite struct RewindTests {
  @Test(arguments: [(0, 1), (59, 1), (60, 3), (3_599, 3), (3_600, 10), (86_399, 10), (86_400, 20), (-500, 1)])
  func `grows with the absence`(away: Int64, seconds: Int) {
    let now = Timestamp(seconds: 1_800_000_000)
    let place = Rewind.place(
      from: .seconds(100), lastPlayedAt: Timestamp(seconds: now.seconds - away), now: now)
    #expect(place == .seconds(100 - seconds))
  }

  @Test func `never leads before the start`() {
    #expect(Rewind.place(from: .seconds(5), lastPlayedAt: nil, now: .now) == .zero)
  }
}
