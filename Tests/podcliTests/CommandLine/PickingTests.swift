import PodcastModel
import TestSupport
import Testing
import Text

@testable import podcli

@Suite struct PickingTests {
  private func stage() async throws -> Stage {
    let stage = try await Stage.library()
    stage.server.serve("/other.xml", Response.feed(SampleFeed(title: "Sample Hour", episodes: 2).bytes))
    _ = try await stage.run("subscribe", stage.server.url("/other.xml"))
    return stage
  }

  @Test func `several matches are listed with their numbers, and without a terminal there is no question`() async throws
  {
    let stage = try await stage()
    let outcome = try await stage.run("mark", "played", "sample")
    #expect(outcome.status == .exited(3))
    #expect(outcome.error.contains("several podcasts are called 'sample'"))
    #expect(outcome.error.contains("\n  1 Sample Show\n"))
  }

  @Test func `info asks once which podcast is meant`() async throws {
    let stage = try await stage()
    let asked = try stage.home.podcli("info", "sample").on(Program.Screen()).start()
    try await asked.wait(forScreen: "nothing for none)? ")
    asked.type("\n")
    let outcome = try await asked.end()
    #expect(outcome.status == .exited(3))
    #expect(outcome.transcript.screen.ranges(of: "nothing for none)? ").count == 1, "\(outcome)")
  }

  @Test func `a text of many words is no mistyped title`() {
    let titles = (0..<500).map { "Title \($0) of a podcast" }
    #expect(NearTitles.near("titel 7 off a podcats", titles) == ["Title 7 of a podcast"])
    #expect(NearTitles.near("pocdast titel 7", titles) == ["podcast title 7"])
    #expect(NearTitles.near(String(repeating: "x", count: 100_000), titles) == [])
  }

  @Test func `the JSON of the error has the candidates`() async throws {
    let stage = try await stage()
    func candidates(_ words: String...) async throws -> [String]? {
      let outcome = try await stage.home.podcli(words + ["--json"]).run()
      #expect(outcome.status == .exited(3) && outcome.output.isEmpty, "\(outcome)")
      return JSON(parsing: outcome.error)?["error"]?["candidates"]?.elements?.map(\.compact)
    }
    let podcasts = [#"{"id":2,"title":"Sample Hour"}"#, #"{"id":1,"title":"Sample Show"}"#]
    #expect(try await candidates("mark", "played", "sample") == podcasts)
    #expect(try await candidates("episodes", "sample") == podcasts)
    let episodes = try await candidates("play", "Episode 2")
    #expect(episodes?.contains(#"{"id":2,"podcast":"Sample Show","title":"Episode 2"}"#) == true)
    #expect(episodes?.count == 2)
    let none = try await stage.run("mark", "played", "nothing", "--json")
    #expect(JSON(parsing: none.error)?["error"]?["candidates"] == nil)
  }

  @Test func `a mistyped word of a title is corrected`() async throws {
    let stage = try await stage()
    for (typed, meant) in [("smaple", "'sample'"), ("hour smpale", "'hour sample'")] {
      let outcome = try await stage.run("play", typed)
      #expect(outcome.status == .exited(3) && outcome.error.contains("did you mean \(meant)?"), "\(outcome)")
    }
  }

  @Test func `on a terminal a number picks an episode`() async throws {
    let stage = try await stage()
    let asking = try stage.home.podcli("mark", "played", "sample/latest").on(Program.Screen()).start()
    try await asking.wait(forScreen: "Which one (1-2, nothing for none)? ")
    #expect(asking.transcript.screen.contains("1  Sample Hour"))
    asking.type("1\n")
    let outcome = try await asking.end()
    #expect(outcome.status == .exited(0))
    #expect(outcome.transcript.screen.contains("Marked as played: Episode 2"))
    #expect(try await stage.status(of: 5).hasCompleted)
  }

  @Test func `podcasts of the same name are asked for with their numbers and hosts`() async throws {
    let stage = try Stage()
    let title = "Sample " + String(repeating: "Show ", count: 30)
    stage.server.serve("/feed.xml", .feed(SampleFeed(title: title).bytes))
    stage.server.serve("/twin.xml", .feed(SampleFeed(title: title, episodes: 1).bytes))
    try await stage.subscribe()
    #expect(try await stage.run("subscribe", stage.server.url("/twin.xml")).status == .exited(0))
    #expect(try await stage.run("__complete", "podcast", "sam").output == title.dropLast() + "\n")
    let asking = try stage.home.podcli("episodes", "sample").on(Program.Screen()).start()
    try await asking.wait(forScreen: "Which one")
    #expect(asking.transcript.screen.contains("Show… (podcast 2, 127.0.0.1)"), "\(asking.transcript.screen)")
    asking.type("2\n")
    let outcome = try await asking.end()
    #expect(outcome.transcript.screen.contains("Episode 1") && !outcome.transcript.screen.contains("Episode 3"))
  }

  @Test func `play asks, and then reads keys`() async throws {
    let stage = try await stage()
    stage.server.serveOthers { _ in .ok(Tone(seconds: 30).wav, type: "audio/wav") }
    let asking = try stage.home.podcli("play", "sample").on(Program.Screen()).start()
    try await asking.wait(forScreen: "Which one")
    asking.type("2\n")
    try await asking.wait(forScreen: "▶ 00:00:01")
    asking.type("q")
    let outcome = try await asking.end()
    #expect(outcome.status == .exited(0))
    #expect(outcome.transcript.screen.contains("Playing Sample Show: Episode 3"))
  }

  @Test func `play reads the list of another command, and keys from the terminal`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let podcli = builtProduct("podcli")
    let line = "'\(podcli)' playlist | '\(podcli)' play -"
    let playing = try stage.home.program("/bin/bash", "-c", line).on(Program.Screen()).start()
    try await playing.wait(forScreen: "▶ 00:00:01")
    playing.type("q")
    let screen = try await playing.end().transcript.screen
    #expect(screen.contains("Lined up 2 more episodes"))
    #expect(screen.contains("Playing Sample Show: Episode 3"))
    #expect(lines(try await stage.run("queue").output).map(\.first) == ["2", "1"])
  }

  @Test func `an empty answer picks nothing`() async throws {
    let stage = try await stage()
    let asking = try stage.home.podcli("episodes", "sample").on(Program.Screen()).start()
    try await asking.wait(forScreen: "Which one")
    asking.type("\n")
    #expect(try await asking.end().status == .exited(3))
  }
}
