import Glibc
import PodcastModel
import PodcastStore
import ScreenKit
import TestSupport
import Testing
import Text

@testable import podcli

@Suite struct InfoCommandTests {
  private static let notes = """
    <content:encoded xmlns:content="http://purl.org/rss/1.0/modules/content/"><![CDATA[<p>Read <a \
    href="https://example.org/x">this</a> &amp; \u{1B}[31mthat, which goes on for quite a few words beyond the edge of \
    a narrow screen.</p><ul><li>one</li></ul>]]></content:encoded>
    """

  @Test func `notes are text with links, without escape sequences`() async throws {
    let stage = try await Stage.library(notes: [3: Self.notes.replacing("\u{1B}", with: "")])
    let output = try await stage.run("info", "3").output
    #expect(output.hasPrefix("Episode 3\nSample Show\n3 · 2024-01-03T12:00:00Z · 10:00 · episode 3 · new\n"))
    #expect(output.contains("Read this [1] & "))
    #expect(output.contains("• one"))
    #expect(output.contains("[1] https://example.org/x"))
  }

  @Test func `without a link of its own, an episode's relative links count from the podcast's website`() async throws {
    let notes = """
      <content:encoded xmlns:content="http://purl.org/rss/1.0/modules/content/"><![CDATA[<p>Read <a \
      href="/x">this</a></p><pre>a   b</pre>]]></content:encoded>
      <podcast:chapters xmlns:podcast="https://podcastindex.org/namespace/1.0" url="https://example.org/c.json" \
      type="application/json+chapters"/>
      """
    let stage = try await Stage.library(notes: [3: notes])
    let output = try await stage.run("info", "3").output
    #expect(output.contains("[1] \(stage.server.url("/x"))"))
    #expect(output.contains("\na   b\n"))
    #expect(output.contains("Chapters\n  https://example.org/c.json\n  show them with: podcli chapters 3"), "\(output)")
    #expect(try await stage.json("info", "3").contains(stage.server.url("/x")))
  }

  @Test func `chapters that are written in the notes are listed for programs, and stand once on the page`() async throws
  {
    let notes =
      "<content:encoded xmlns:content=\"http://purl.org/rss/1.0/modules/content/\">"
      + "0:00 Hello&lt;br>2:00 The middle&lt;br>5:00 The end</content:encoded>"
    let stage = try await Stage.library(notes: [3: notes])
    let page = try await stage.run("info", "3").output
    #expect(page.contains("2:00 The middle") && !page.contains("Chapters"))
    #expect(try await stage.json("info", "3").contains(#""chapterList":[{"start":0,"title":"Hello"},"#))
    #expect(lines(try await stage.run("chapters", "3").output).count == 3)
  }

  @Test(arguments: [40, 80])
  func `fits the screen`(columns: Int) async throws {
    let stage = try await Stage.library(notes: [3: Self.notes.replacing("\u{1B}", with: "")])
    let screen = plain(try await stage.screen(["info", "3"], columns: columns))
    for line in lines(screen) where !line.contains("://") { #expect(DisplayWidth.of(String(line)) <= columns) }
    #expect(screen.contains("Episode 3"))
  }

  @Test func `a title means the podcast, a number the episode, unless an option says otherwise`() async throws {
    let stage = try await Stage.library()
    #expect(try await stage.run("info", "sample show").output.hasPrefix("Sample Show\n1 · 3 episodes · 3 unplayed"))
    #expect(try await stage.run("info", "1").output.hasPrefix("Episode 1\n"))
    #expect(try await stage.run("info", "1", "--podcast").output.hasPrefix("Sample Show\n"))
    #expect(try await stage.run("info", "sample/latest").output.hasPrefix("Episode 3\n"))
    #expect(try await stage.run("info", "nothing").status == .exited(3))
  }

  @Test func `a number behind a slash is that of an episode, whatever the titles of podcasts begin with`() async throws
  {
    let stage = try await Stage.library()
    #expect(try await stage.run("subscribe", stage.feedURL, "--title", "Area 2 Files").status == .exited(0))
    let shown = try await stage.json("info", "area/2")
    #expect(shown.hasPrefix(#"{"id":2,"guid":"#), "\(shown.prefix(300))")
    #expect(try await stage.json("info", "area 2").hasPrefix(#"{"id":1,"title":"Area 2 Files","#))
    #expect(try await stage.run("subscribe", stage.feedURL, "--title", "Tech 24/2").status == .exited(0))
    #expect(try await stage.json("info", "tech 24/2").hasPrefix(#"{"id":1,"title":"Tech 24/2","#))
  }

  @Test func `a former address that ends with a number is that of its podcast`() async throws {
    let stage = try Stage(episodes: 3, seconds: 1)
    stage.server.serve("/feed/3", Response.redirect(to: stage.feedURL, status: 301))
    let address = stage.server.url("/feed/3")
    try #require(try await stage.run("subscribe", address).status == .exited(0))
    try #require(try await stage.json("podcasts").contains(stage.feedURL))
    #expect(try await stage.json("info", address).hasPrefix(#"{"id":1,"title":"Sample Show","#))
  }

  @Test func `the JSON of info is that of an episode with more members`() async throws {
    let stage = try await Stage.library()
    let document = try await stage.json("info", "3")
    #expect(document.hasPrefix(#"{"id":3,"guid":"sampleshow-3","podcast":{"id":1,"title":"Sample Show""#))
    #expect(document.contains(#""text":"About episode 3.""#))
    #expect(try await stage.json("info", "sample").contains(#""episodes":3,"unplayed":3"#))
  }
}
