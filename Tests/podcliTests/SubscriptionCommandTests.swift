import PodcastModel
import PodcastStore
import TestSupport
import Testing

@Suite struct SubscriptionCommandTests {
  @Test func `podcasts lists what is followed, for people, pipes and programs`() async throws {
    let stage = try Stage(episodes: 2, seconds: 1)
    try await stage.subscribe()
    let piped = try await stage.run("podcasts").output.split(separator: "\t").map(String.init)
    #expect(piped.prefix(5) == ["1", "Sample Show", "2", "2", "0"])
    let screen = try await stage.home.podcli("podcasts").on(.init(columns: 60)).run().screen
    #expect(screen.contains("1 Sample Show"))
    #expect(screen.contains("2/2"))
    let json = try await stage.run("podcasts", "--json").output
    #expect(json.hasPrefix(#"[{"id":1,"title":"Sample Show","feedURL":"http://127.0.0.1"#))
    #expect(json.contains(#""unplayed":2"#))
  }

  @Test func `podcasts in an empty library is done, and says how to begin`() async throws {
    let outcome = try await TemporaryHome().podcli("podcasts").run()
    #expect(outcome.status == .exited(0))
    #expect(outcome.error.contains("podcli subscribe"))
  }

  @Test func `unsubscribing keeps the history, which comes back`() async throws {
    let stage = try Stage(episodes: 2, seconds: 60)
    try await stage.subscribe()
    let store = try PodcastStoreForTests.writing(stage.home)
    try await store.savePosition(.seconds(20), of: .init(rawValue: 1), urgency: .flush)
    await store.close()
    #expect(try await stage.run("unsubscribe", "sample").status == .exited(0))
    #expect(try await stage.run("playlist").output.isEmpty)
    try await stage.subscribe()
    #expect(try await stage.place(of: 1) == 20)
  }

  @Test func `forgetting wants to be sure`() async throws {
    let stage = try Stage(episodes: 1, seconds: 1)
    try await stage.subscribe()
    #expect(try await stage.run("unsubscribe", "1", "--delete").status == .exited(2))
    #expect(try await stage.run("podcasts").output.contains("Sample Show"))
    #expect(try await stage.run("unsubscribe", "1", "--delete", "--yes").status == .exited(0))
    #expect(try await stage.library().podcast(.init(rawValue: 1)) == nil)
  }

  @Test func `unsubscribing from nothing known is status 3`() async throws {
    #expect(try await TemporaryHome().podcli("unsubscribe", "nothing").run().status == .exited(3))
  }
}

@Suite struct PreviewTests {
  @Test func `an address, a file and standard input say the same`() async throws {
    let stage = try Stage(episodes: 2, seconds: 1)
    let bytes = SampleFeed(episodes: 2, mediaBase: stage.server.url("/media"), seconds: 1).bytes
    let file = try stage.home.write(bytes, to: "feed.xml")
    let base = stage.feedURL
    let fetched = try await stage.run("preview", stage.feedURL, "--json")
    let read = try await stage.run("preview", file, "--base-url", base, "--json")
    let piped = try await stage.home.podcli("preview", "-", "--base-url", base, "--json").input(.bytes(bytes)).run()
    #expect(fetched.status == .exited(0))
    #expect(fetched.output.contains(#""title":"Episode 2""#))
    #expect(read.output == fetched.output)
    #expect(piped.output == fetched.output)
    #expect(try await stage.run("podcasts").output.isEmpty)
  }

  @Test func `relative addresses are resolved against the base`() async throws {
    let feed = #"<rss><channel><item><enclosure url="a/1.mp3" type="audio/mpeg"/></item></channel></rss>"#
    let outcome = try await TemporaryHome().podcli("preview", "-", "--json", "--base-url", "https://h.example/x/y")
      .input(feed).run()
    #expect(outcome.output.contains(#""url":"https://h.example/x/a/1.mp3""#))
  }

  @Test(arguments: ["", "{\"a\":1}", "<html><body>hello</body></html>", "plain words", "<opml/>"])
  func `what is no feed is status 1`(text: String) async throws {
    let outcome = try await TemporaryHome().podcli("preview", "-", "--json").input(text).run()
    #expect(outcome.status == .exited(1))
    #expect(outcome.output.isEmpty)
    #expect(outcome.error.hasPrefix(#"{"error":{"code":"notAFeed""#))
  }

  @Test func `people get a summary`() async throws {
    let outcome = try await TemporaryHome().podcli("preview", "-").input(SampleFeed(episodes: 12).xml).run()
    #expect(outcome.output.hasPrefix("Sample Show\n"))
    #expect(outcome.output.contains("12 episodes"))
    #expect(outcome.output.contains("and 2 more"))
  }

  @Test func `what podcasts lists others take`() async throws {
    let stage = try await Stage.library()
    let list = try await stage.run("podcasts").output
    #expect(try await stage.home.podcli("refresh", "-").input(list).run().status == .exited(0))
    let left = try await stage.home.podcli("unsubscribe", "-", "--json").input(list).run()
    #expect(left.output.hasPrefix(#"[{"podcast":{"id":1,"#))
    #expect(try await stage.home.podcli("refresh", "-").input("").run().status == .exited(0))
  }
}
