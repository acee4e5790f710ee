import PodcastModel
import PodcastStore
import ScreenKit
import TestSupport
import Testing
import Text

@testable import podcli

@Suite struct StatsCommandTests {
  @Test func `stats has sums, days and podcasts`() async throws {
    let stage = try await HistoryCommandTests.stage()
    let output = try await stage.run("stats").output
    #expect(output.hasPrefix("listened\t\t900\nsaved-by-speed\t\t360\n"))
    #expect(output.contains("day\t2026-01-01\t600\nday\t2026-01-02\t300\npodcast\tSample Show\t900\n"))
    #expect(
      try await stage.json("stats").hasPrefix(#"{"listened":900,"savedBySpeed":360,"savedByTrim":0,"episodes":2,"#))
    #expect(try await stage.json("stats", "--days", "1").hasPrefix(#"{"listened":0,"#))
    let west = try await stage.home.podcli("stats", "--json").setting("TZ", "EST5").run()
    #expect(
      west.output.contains(#""days":[{"date":"2025-12-31","listened":600},{"date":"2026-01-01","listened":300}]"#))
  }

  @Test func `bars grow with their values`() {
    #expect(StatisticsPage.bar(1, 4) == "████")
    #expect(StatisticsPage.bar(0.5, 4) == "██")
    #expect(StatisticsPage.bar(0.001, 4) == "▏")
    #expect(StatisticsPage.bar(0, 4) == "")
  }

  @Test(arguments: [40, 80])
  func `fits the screen`(columns: Int) async throws {
    let screen = plain(try await HistoryCommandTests.stage().screen(["stats"], columns: columns))
    #expect(screen.contains("Listened 15 min to 2 episodes"))
    for line in lines(screen) { #expect(DisplayWidth.of(String(line)) <= columns) }
  }
}
