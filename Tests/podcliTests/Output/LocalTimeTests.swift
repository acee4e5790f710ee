import PodcastModel
import Testing

@testable import podcli

@Suite struct LocalTimeTests {
  @Test func `a day is Today, Yesterday, or its weekday and date`() {
    // Noon in January: in no time zone do the clocks change.
    let now = Timestamp(seconds: 1_768_478_400)
    func heading(daysAgo: Int64) -> String {
      LocalTime.heading(Timestamp(seconds: now.seconds - daysAgo * 86_400), now: now)
    }
    #expect(heading(daysAgo: 0) == "Today")
    #expect(heading(daysAgo: 1) == "Yesterday")
    let older = Timestamp(seconds: now.seconds - 2 * 86_400)
    #expect(heading(daysAgo: 2).hasSuffix("day, " + LocalTime.day(older)))
  }
}
