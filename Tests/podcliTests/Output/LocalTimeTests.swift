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

  @Test func `a list counts days by midnights, and the hours of the last one`() {
    // Noon at Greenwich in January, so that the days are the same in most zones.
    let noon: Int64 = 1_768_478_400
    for (hours, text) in [
      (23, "23 h ago"), (25, "yesterday"), (47, "2 days ago"), (48, "2 days ago"), (145, "6 days ago"),
      (168, "2026-01-08"),
    ] as [(Int64, String)] {
      #expect(DateText.relative(Timestamp(seconds: noon - hours * 3600), now: Timestamp(seconds: noon)) == text)
    }
  }
}
