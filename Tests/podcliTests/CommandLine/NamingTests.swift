import PodcastModel
import PodcastStore
import TestSupport
import Testing

@testable import podcli

/// Names of episodes and podcasts as newcomers type them, and the hints of the answers.
@Suite struct NamingTests {
  @Test func `a podcast that is followed is meant before one of the same title that no longer is`() async throws {
    let stage = try await Stage.library(title: "Daily")
    let twin = SampleFeed(title: "Daily", episodes: 2, mediaBase: stage.server.url("/twin"))
    stage.server.serve("/twin.xml", .feed(twin.bytes))
    _ = try await stage.run("unsubscribe", "daily", "--yes")
    _ = try await stage.run("subscribe", stage.server.url("/twin.xml"))
    let shown = try await stage.run("episodes", "daily")
    #expect(shown.status == .exited(0), "\(shown)")
    #expect(lines(shown.output).count == 2)
    #expect(try await stage.run("info", "daily/latest").status == .exited(0))
    _ = try await stage.run("subscribe", stage.feedURL)
    let both = try await stage.run("episodes", "daily")
    #expect(both.status == .exited(3))
    #expect(both.error.contains("by its number: 1 for the podcast, 1/latest for"), "\(both)")
    #expect(lines(try await stage.run("episodes", "1").output).count == 3)
  }

  @Test func `the podcast with exactly that title is meant, however many titles have the word`() async throws {
    let stage = try await Stage.library(title: "News")
    try await stage.seed { store in
      for number in 10..<40 {
        var feed = Feed()
        feed.title = "A\(number) News"
        _ = try await store.subscribe(to: feed, at: "https://example.org/\(number)")
      }
    }
    let shown = try await stage.run("episodes", "news")
    #expect(shown.status == .exited(0) && lines(shown.output).count == 3, "\(shown)")
    #expect(try await stage.run("episodes", "a1").error.contains("more"))
  }

  @Test func `a podcast whose title is a number is found by it, unless another one has that number`() async throws {
    let stage = try await Stage.library(title: "1619")
    for words in [
      ["episodes", "1619"], ["info", "1619/latest"], ["refresh", "1619"], ["set", "1619"],
      ["mark", "unplayed", "1619"],
    ] {
      #expect(try await stage.home.podcli(words).run().status == .exited(0), "\(words)")
    }
    #expect(try await stage.run("episodes", "1618").status == .exited(3))
    // A number that is none any more is no beginning of a title.
    #expect(try await stage.run("unsubscribe", "16", "--delete", "--yes").status == .exited(3))
    #expect(try await stage.run("episodes", "1619").status == .exited(0))
  }

  @Test func `a title that ends in a slash and a number is a title`() async throws {
    let stage = try Stage(episodes: 1, seconds: 1)
    let feed = "<rss><channel><title>Books</title><item><title>Frankenstein Part 1/2</title></item></channel></rss>"
    stage.server.serve("/feed.xml", Response.feed(Array(feed.utf8)))
    try await stage.subscribe()
    // The words are in its title, but not the slash.
    let stranger = try await stage.run("info", "part 2/1")
    #expect(stranger.status == .exited(3) && stranger.error.contains("nothing is called 'part 2'"), "\(stranger)")
    for name in ["Frankenstein Part 1/2", "part 1/2"] {
      #expect(try await stage.run("info", name).output.hasPrefix("Frankenstein Part 1/2\n"))
    }
    #expect(try await stage.run("info", "nowhere/3").error.contains("nothing is called 'nowhere'"))
  }

  @Test(arguments: ["tag:radio@12", "Breakfast @7:30", "1984", "2001"])
  func `a guid and a title that look like a position or a number are found`(name: String) async throws {
    let stage = try Stage(episodes: 1, seconds: 1)
    let feed = """
      <rss><channel><title>Radio</title><item><title>One</title><guid>tag:radio@12</guid></item>
      <item><title>Breakfast @7:30</title></item><item><title>1984</title></item>
      <item><title>Part 99</title></item><item><title>Odd</title><guid>2001</guid></item></channel></rss>
      """
    stage.server.serve("/feed.xml", Response.feed(Array(feed.utf8)))
    try await stage.subscribe()
    let title = ["tag:radio@12": "One", "2001": "Odd"][name] ?? name
    #expect(try await stage.run("info", name).output.hasPrefix(title + "\n"))
    #expect(try await stage.run("info", "99").status == .exited(3))
    #expect(try await stage.run("play", "1984@99:00", "--no-save").error.contains("1984"))
  }

  @Test(arguments: ["2@", "@2", "2@x"])
  func `half of an episode with a position names no other episode`(words: String) async throws {
    let stage = try await Stage.library()
    let outcome = try await stage.run("mark", "played", words)
    #expect(outcome.status == .exited(2), "\(outcome)")
    #expect(outcome.error.contains("142@41:07"))
    #expect(try await stage.status(of: 2).hasCompleted == false)
  }

  @Test(arguments: ["Beta@", "@90"])
  func `a title with the sign of a position is a title`(title: String) async throws {
    let stage = try await Stage.library(title: title)
    #expect(try await stage.run("queue", "add", title).status == .exited(0))
    #expect(lines(try await stage.run("queue").output).count == 1)
  }

  @Test func `a list of no episodes is not asked for`() async throws {
    let outcome = try await Stage.library().run("playlist", "limit:0")
    #expect(outcome.status == .exited(2), "\(outcome)")
  }

  @Test func `hints name the command that helps`() async throws {
    let stage = try await Stage.library()
    #expect(try await stage.run("episodes", "quite another").error.contains("podcli podcasts shows"))
    let feed = try stage.home.write(SampleFeed(mediaBase: "https://example.org").bytes, to: "daily.xml")
    #expect(try await stage.run("import", feed).error.contains("podcli subscribe \(feed)"))
    let folder = try await stage.run("sync", "folder", "")
    #expect(folder.status == .exited(2), "\(folder)")
  }
}
