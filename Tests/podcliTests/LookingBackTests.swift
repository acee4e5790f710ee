import PodcastModel
import PodcastStore
import TestSupport
import Testing
import Text

@testable import podcli

@Suite struct SearchTests {
  private func stage() async throws -> Stage {
    let stage = try await Stage.library(notes: [2: "<itunes:summary>A walk to the lighthouse</itunes:summary>"])
    try await stage.seed { store in
      try await store.setTranscript(
        [
          TranscriptSegment(start: 5, end: 8, text: "welcome to the show"),
          TranscriptSegment(start: 754.5, end: 760, text: "the garbage collector is never in time"),
        ], of: .init(rawValue: 1))
      try await store.setChapters([Chapter(start: 60, title: "Sourdough")], of: .init(rawValue: 3))
    }
    return stage
  }

  @Test func `lands on the second, and play takes what it prints`() async throws {
    let stage = try await stage()
    let said = try await stage.run("search", "garbage", "collector").output
    #expect(said.hasPrefix("1@12:34\tSample Show\tEpisode 1\ttranscript\t"))
    #expect(try await stage.run("search", "sourdough").output.hasPrefix("3@1:00\tSample Show\tEpisode 3\tchapters\t"))
    #expect(try await stage.run("search", "--in", "title", "garbage").output.isEmpty)
    #expect(lines(try await stage.run("search", "episode", "--podcast", "sample", "-n", "2").output).count == 2)
  }

  @Test func `as JSON, with the words that were found`() async throws {
    let document = try await stage().json("search", "garbage")
    #expect(document.hasPrefix(#"[{"episode":{"id":1,"#))
    #expect(document.contains(#""field":"transcript","time":754.5,"#))
    #expect(document.contains(#""matches":["garbage"]"#))
  }

  @Test func `nothing found is done`() async throws {
    let outcome = try await stage().run("search", "zzz")
    #expect(outcome.status == .exited(0))
    #expect(outcome.error == "Nothing has the words 'zzz'.\n")
    #expect(try await TemporaryHome().podcli("search", "--in", "titel", "x").run().status == .exited(2))
  }

  @Test(arguments: [40, 80])
  func `fits the screen, with the words in bold`(columns: Int) async throws {
    let screen = try await stage().screen(["search", "garbage"], columns: columns)
    #expect(screen.contains("\u{1B}[1mgarbage\u{1B}[0m"))
    for line in lines(plain(screen)) { #expect(DisplayWidth.of(String(line)) <= columns) }
  }
}

@Suite struct HistoryTests {
  static func stage() async throws -> Stage {
    let stage = try await Stage.library()
    try await stage.seed { store in
      for (episode, start) in [(1, 1_767_225_600), (2, 1_767_232_800), (2, 1_767_312_000)] as [(Int64, Int64)] {
        var session = ListeningSession(startedAt: .init(seconds: start), startPosition: .seconds(60))
        let id = try await store.beginSession(session, of: .init(rawValue: episode))
        session.endedAt = .init(seconds: start + 300)
        session.endPosition = .seconds(480)
        session.listened = .seconds(300)
        session.savedBySpeed = .seconds(120)
        try await store.update(id, to: session)
      }
    }
    return stage
  }

  @Test func `what, when, from where to where, how long`() async throws {
    let stage = try await Self.stage()
    let list = lines(try await stage.run("history").output)
    #expect(list.count == 3)
    #expect(list[0] == "2\t2026-01-02T00:00:00Z\tSample Show\tEpisode 2\t60\t480\t300")
    #expect(lines(try await stage.run("history", "-n", "1", "--podcast", "sample").output).count == 1)
    #expect(
      try await stage.json("history").contains(#""startedAt":"2026-01-02T00:00:00Z","endedAt":"2026-01-02T00:05:00Z""#))
  }

  @Test(arguments: [40, 80])
  func `by day, on the screen`(columns: Int) async throws {
    let screen = plain(try await Self.stage().screen(["history"], columns: columns))
    #expect(screen.hasPrefix("Friday, 2026-01-02\n"))
    #expect(screen.contains("\n\nThursday, 2026-01-01\n"))
    for line in lines(screen) { #expect(DisplayWidth.of(String(line)) <= columns) }
  }

  @Test func `none yet is done, and says what to type`() async throws {
    for command in ["history", "stats"] {
      let outcome = try await TemporaryHome().podcli(command).run()
      #expect(outcome.status == .exited(0))
      #expect(outcome.output.isEmpty)
      #expect(outcome.error.contains("podcli play EPISODE"))
    }
  }
}

@Suite struct StatsTests {
  @Test func `sums, days and podcasts`() async throws {
    let stage = try await HistoryTests.stage()
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

  @Test func `bars grow with what they stand for`() {
    #expect(StatisticsPage.bar(1, 4) == "████")
    #expect(StatisticsPage.bar(0.5, 4) == "██")
    #expect(StatisticsPage.bar(0.001, 4) == "▏")
    #expect(StatisticsPage.bar(0, 4) == "")
  }

  @Test(arguments: [40, 80])
  func `fits the screen`(columns: Int) async throws {
    let screen = plain(try await HistoryTests.stage().screen(["stats"], columns: columns))
    #expect(screen.contains("Listened 15 min to 2 episodes"))
    for line in lines(screen) { #expect(DisplayWidth.of(String(line)) <= columns) }
  }
}
