import Glibc
import PodcastModel
import PodcastStore
import TestSupport
import Testing
import Text

@testable import podcli

@Suite struct EpisodesCommandTests {
  @Test func `a list that is watched follows the size of the terminal`() async throws {
    let stage = try await Stage.library()
    let watching = try stage.home.podcli("playlist", "--watch").setting("COLUMNS", nil)
      .on(Program.Screen(columns: 100, rows: 12)).start()
    try await watching.wait(forScreen: "● Sample Show Episode 3")
    watching.resize(columns: 30, rows: 12)
    try await watching.wait(forScreen: "● Episode 3")
    watching.send(SIGTERM)
    _ = try await watching.end()
  }

  @Test func `one podcast's episodes, narrowed by words`() async throws {
    let stage = try await Stage.library()
    try await stage.seed { try await $0.mark(.played, [.init(rawValue: 2)]) }
    let all = lines(try await stage.run("episodes", "sample").output)
    #expect(all.map { $0.split(separator: "\t")[2] } == ["Episode 3", "Episode 2", "Episode 1"])
    let unplayed = lines(try await stage.run("episodes", "1", "unplayed", "sort:title").output)
    #expect(unplayed.map { $0.split(separator: "\t")[0] } == ["1", "3"])
    #expect(lines(try await stage.run("playlist", "played").output).count == 1)
    #expect(lines(try await stage.run("playlist", "limit:2").output).count == 2)
    #expect(try await stage.run("playlist", "text:nowhere", "--json").output == "[]\n")
  }

  @Test func `no match is success with a message`() async throws {
    let stage = try await Stage.library()
    let outcome = try await stage.run("playlist", "favourite")
    #expect(outcome.status == .exited(0))
    #expect(outcome.output.isEmpty)
    #expect(outcome.error == "No episode matches.\n")
  }

  @Test func `in JSON an episode stands for its podcast, and a podcast for no episode`() async throws {
    let stage = try await Stage.library()
    stage.server.serve("/two.xml", .feed(SampleFeed(title: "Second", episodes: 1).bytes))
    #expect(try await stage.run("subscribe", stage.server.url("/two.xml")).status == .exited(0))
    let podcast = try await stage.run("podcasts", "--json").output
    let refused = try await stage.home.podcli("queue", "add", "-").input(podcast).run()
    #expect(refused.status == .exited(2) && refused.error.contains("names a podcast"), "\(refused)")
    // Its number is that of the other podcast.
    let episode = try await stage.run("playlist", "podcast:sample", "text:2", "--json").output
    try #require(JSON(parsing: episode)?.elements?.first?["id"] == 2)
    #expect(try await stage.home.podcli("unsubscribe", "-", "--yes").input(episode).run().status == .exited(0))
    #expect(lines(try await stage.run("podcasts").output).map { $0.split(separator: "\t")[1] } == ["Second"])
  }

  @Test func `a line of episodes stands for their podcast, too, and one of podcasts for no episode`() async throws {
    let stage = try await Stage.library()
    for title in ["Second", "2"] {
      stage.server.serve("/\(title).xml", .feed(SampleFeed(title: title, episodes: 1).bytes))
      #expect(try await stage.run("subscribe", stage.server.url("/\(title).xml")).status == .exited(0))
    }
    let podcasts = try await stage.run("podcasts").output
    for list in [podcasts, "1\tSample Show\n"] {
      let refused = try await stage.home.podcli("mark", "played", "-").input(list).run()
      #expect(refused.status == .exited(2) && refused.error.contains("names a podcast"), "\(refused)")
    }
    #expect(try await stage.run("playlist", "played").output.isEmpty)
    // Its number is that of the other podcast.
    let episode = try await stage.run("playlist", "podcast:sample", "text:2").output
    try #require(episode.hasPrefix("2\t"))
    for list in ["2\tanother\n", "2\tSample Show\tanother\n"] {
      let other = try await stage.home.podcli("unsubscribe", "-", "--yes").input(list).run()
      #expect(other.status == .exited(2) && other.error.contains("another title"), "\(other)")
    }
    #expect(try await stage.home.podcli("unsubscribe", "-", "--yes").input(episode).run().status == .exited(0))
    #expect(lines(try await stage.run("podcasts").output).map { $0.split(separator: "\t")[1] } == ["2", "Second"])
    // A number of a list is no title.
    for list in ["99", #"{"id":99}"#, #"["99"]"#, "\u{feff}99\n"] {
      #expect(try await stage.run("subscribe", "--title", "99", stage.server.url("/2.xml")).status == .exited(0))
      let none = try await stage.home.podcli("mark", "played", "-").input(list).run()
      #expect(none.status == .exited(3), "\(none)")
    }
    #expect(try await stage.home.podcli("mark", "played", "-").input("\u{feff}5\n").run().status == .exited(0))
    #expect(lines(try await stage.run("playlist", "played").output).map(\.first) == ["5"])
  }

  @Test func `filters choose what resume lists and goes on with`() async throws {
    let stage = try await Stage.library()
    try await stage.seed { store in
      for number in 1...2 {
        try await store.savePosition(.seconds(Double(number)), of: .init(rawValue: Int64(number)), urgency: .flush)
      }
      try await store.mark(.favourite, [.init(rawValue: 1)])
    }
    #expect(lines(try await stage.run("resume", "--list").output).count == 2)
    #expect(lines(try await stage.run("resume", "--list", "favourite").output).map(\.first) == ["1"])
    #expect(lines(try await stage.run("resume", "--list", "limit:1").output).count == 1)
    #expect(try await stage.run("resume", "--list", "downloaded").error == "Nothing that was begun matches.\n")
    let outcome = try await stage.run("resume", "favourite", "--offline")
    #expect(outcome.status == .exited(5) && outcome.error.contains("Episode 1 is not on this machine"), "\(outcome)")
    #expect(try await stage.run("resume", "downloaded").status == .exited(3))
  }

  @Test func `a podcast without episodes is not said to be played`() async throws {
    let stage = try Stage(episodes: 1, seconds: 1)
    stage.server.serve("/empty", Response.feed(SampleFeed(title: "Empty", episodes: 0).bytes))
    #expect(try await stage.run("subscribe", stage.server.url("/empty")).status == .exited(0))
    #expect(try await stage.run("episodes", "Empty").error == "This podcast has no episodes yet.\n")
    let outcome = try await stage.run("play", "Empty")
    #expect(outcome.status == .exited(3) && outcome.error.contains("Empty has no episodes yet"), "\(outcome)")
  }

  @Test func `an unknown filter is refused with the nearest right one`() async throws {
    let outcome = try await TemporaryHome().podcli("playlist", "unplayd").run()
    #expect(outcome.status == .exited(2))
    #expect(outcome.error.contains("'unplayd' is no filter; did you mean unplayed?"))
  }

  @Test func `an unknown podcast is status 3 with the nearest one`() async throws {
    let stage = try await Stage.library()
    let outcome = try await stage.run("episodes", "Sampel Show")
    #expect(outcome.status == .exited(3))
    #expect(outcome.error.contains("did you mean 'Sample Show'?"))
  }

  @Test func `a long list in another order is complete`() async throws {
    let stage = try await Stage.library(episodes: 1100)
    #expect(lines(try await stage.run("playlist", "sort:title").output).count == 1100)
    #expect(lines(try await stage.run("playlist", "unplayed").output).count == 1100)
  }
}
