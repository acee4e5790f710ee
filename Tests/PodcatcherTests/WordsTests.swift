import PodcastModel
import Testing

@testable import Podcatcher

@Suite struct TimeExpressionTests {
  @Test(
    arguments: [
      ("41:07", 2467), ("1:02:03", 3723), ("90", 90), ("90s", 90), ("1h2m", 3720), ("2m30s", 150), ("0", 0),
      ("1.5", 1.5), ("1H", 3600), ("0:05.5", 5.5),
    ] as [(String, Double)])
  func `reads a place`(text: String, seconds: Double) {
    #expect(TimeExpression(text) == .at(.seconds(seconds)))
  }

  @Test func `reads fractions and steps`() {
    #expect(TimeExpression("50%") == .fraction(0.5))
    #expect(TimeExpression("+30") == .relative(.seconds(30)))
    #expect(TimeExpression("-1m") == .relative(.seconds(-60)))
    #expect(TimeExpression("-1:30") == .relative(.seconds(-90)))
  }

  @Test(arguments: [
    "", "x", "1:2:3:4", "1:60", "2m1h", "1h2", "101%", "-", "+-3", "1e5", "٣", "--3", ":", "1:", "1.5:30",
  ])
  func `refuses what is no time`(text: String) {
    #expect(TimeExpression(text) == nil)
  }

  @Test func `a step never leads before the start`() {
    #expect(TimeExpression("-1m")?.resolved(duration: nil, current: .seconds(20)) == .zero)
    #expect(TimeExpression("50%")?.resolved(duration: .seconds(100)) == .seconds(50))
    #expect(TimeExpression("50%")?.resolved(duration: nil) == nil)
  }
}

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

@Suite struct FeedAddressTests {
  private func address(_ text: String) -> FeedAddress? {
    FeedAddress(text) { $0.hasPrefix("/") || $0.hasPrefix("./") ? "/there/feed.xml" : nil }
  }

  @Test(arguments: [
    ("https://example.org/feed", "https://example.org/feed"), ("HTTP://example.org/feed", "http://example.org/feed"),
    ("  https://example.org/feed\n", "https://example.org/feed"), ("example.org", "https://example.org"),
    ("example.org:8080/feed", "https://example.org:8080/feed"), ("localhost:80/x", "https://localhost:80/x"),
    ("feed://example.org/rss", "http://example.org/rss"), ("feed:https://example.org/rss", "https://example.org/rss"),
    ("pcast://example.org/rss", "http://example.org/rss"), ("podcast://example.org/rss", "http://example.org/rss"),
    ("itpc://example.org/rss", "http://example.org/rss"),
  ])
  func `understands what people paste`(text: String, url: String) {
    #expect(address(text) == .web(url))
  }

  @Test func `a path is a file`() {
    #expect(address("./feed.xml") == .file("/there/feed.xml"))
  }

  @Test(arguments: ["", "word", "two words.example.org", "ftp://example.org/feed", "javascript:alert(1)", "feed:"])
  func `refuses the rest`(text: String) {
    #expect(address(text) == nil)
  }
}
