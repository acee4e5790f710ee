import PodcastModel
import PodcastStore
import TestSupport
import Testing
import Text

@Suite struct PreviewCommandTests {
  @Test func `a width of the environment that no terminal has is bounded`() async throws {
    let home = try TemporaryHome()
    let feed = try home.write(SampleFeed().bytes, to: "feed.xml")
    let outcome = try await home.podcli("preview", feed).setting("COLUMNS", "9223372036854775807").run()
    #expect(outcome.status == .exited(0), "\(outcome.status)")
    #expect(lines(outcome.output).allSatisfy { $0.count <= 10_000 })
  }

  @Test func `an address, a file and standard input give the same preview`() async throws {
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

  @Test(arguments: [
    "", "{\"a\":1}", "<rss version=\"2.0\"/>", "<html><body>hello</body></html>", "plain words", "<opml/>",
  ])
  func `a document that is no feed is status 1`(text: String) async throws {
    let outcome = try await TemporaryHome().podcli("preview", "-", "--json").input(text).run()
    #expect(outcome.status == .exited(1))
    #expect(outcome.output.isEmpty)
    #expect(outcome.error.hasPrefix(#"{"error":{"code":"notAFeed""#))
  }

  @Test func `the JSON is written while the feed is read`() async throws {
    let xml = SampleFeed(episodes: 2000).xml
    let half = xml.prefix(xml.utf8.count / 2)
    let preview = try TemporaryHome().podcli("preview", "-", "--json").input(.open).start()
    await preview.write(String(half))
    try await preview.wait(forOutput: #""title":"Episode 1990""#)
    await preview.write(String(xml.dropFirst(half.count)))
    preview.closeInput()
    let outcome = try await preview.end()
    let document = try #require(JSON(parsing: outcome.output))
    #expect(document["episodes"]?.elements?.count == 2000)
    #expect(document["feed"]?["title"]?.text == "Sample Show")
  }

  @Test func `people get a summary, and a pipe all episodes with full values`() async throws {
    let home = try TemporaryHome()
    let file = try home.write(SampleFeed(episodes: 12).bytes, to: "feed.xml")
    let screen = try await home.podcli("preview", file).on(Program.Screen()).run().screen
    for text in ["Sample Show", "12 episodes", "and 2 more"] { #expect(screen.contains(text), "\(text)") }
    let outcome = try await home.podcli("preview", file).run()
    #expect(outcome.output.hasPrefix("Sample Show\n"))
    #expect(outcome.output.contains("\nEpisode 1\t2024-01-01T12:00:00Z\t2\n"), "\(outcome)")
    #expect(lines(outcome.output).count { $0.hasPrefix("Episode") } == 12)
  }

  @Test func `other commands read the list of podcasts`() async throws {
    let stage = try await Stage.library()
    let list = try await stage.run("podcasts").output
    #expect(try await stage.home.podcli("refresh", "-").input(list).run().status == .exited(0))
    let left = try await stage.home.podcli("unsubscribe", "-", "--json").input(list).run()
    #expect(try await stage.run("undo").error == "Undone: unsubscribing from Sample Show\n")
    #expect(left.output.hasPrefix(#"[{"podcast":{"id":1,"#))
    #expect(try await stage.home.podcli("refresh", "-").input("").run().status == .exited(0))
  }
}
