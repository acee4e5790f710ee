import Glibc
import PodcastModel
import PodcastStore
import TestSupport
import Testing
import Text

@Suite struct SubscribeCommandTests {
  @Test func `a tag without a name is refused, and one that there is can be taken away`() async throws {
    let stage = try await Stage.library()
    let refused = try await stage.run("subscribe", stage.feedURL, "--tag", " ")
    #expect(refused.status == .exited(2) && refused.error.contains("a tag without a name"), "\(refused)")
    try await stage.seed { store in
      let podcast = try #require(try await store.podcasts().first)
      try await store.change(tags: [""], of: podcast.id, adding: true)
    }
    #expect(try await stage.run("tag", "sample", "").status == .exited(2))
    #expect(try await stage.run("tag", "sample", "", "--remove").status == .exited(0))
    #expect(try await !stage.json("podcasts").contains(#""tags":[""#))
  }

  @Test func `tags of a podcast that is followed already are told, and can be undone`() async throws {
    let stage = try await Stage.library()
    let outcome = try await stage.run("subscribe", stage.feedURL, "--tag", "news")
    #expect(outcome.output == "Already subscribed to Sample Show: 3 episodes, nothing new; tags: news\n", "\(outcome)")
    #expect(try await stage.run("undo").status == .exited(0))
    #expect(try await stage.run("tag", "sample").output.isEmpty)
    #expect(try await stage.run("podcasts").output.contains("Sample Show"))
  }

  @Test func `an own title is undone step by step, and an empty one gives back the feed's`() async throws {
    let stage = try await Stage.library()
    func title() async throws -> Substring? {
      try await stage.run("podcasts").output.split(separator: "\t").dropFirst().first
    }
    for title in ["Mine", "Ours"] {
      #expect(try await stage.run("subscribe", stage.feedURL, "--title", title).status == .exited(0))
    }
    #expect(try await title() == "Ours")
    #expect(try await stage.run("undo").error == "Undone: renaming Mine\n")
    #expect(try await title() == "Mine")
    #expect(try await stage.run("undo").error == "Undone: renaming Sample Show\n")
    #expect(try await title() == "Sample Show")
    #expect(!(try await stage.run("search", "mine").output.contains("Episode")))
    _ = try await stage.run("subscribe", stage.feedURL, "--title", "Mine")
    _ = try await stage.run("refresh")
    #expect(try await title() == "Mine")
    #expect(try await stage.run("subscribe", stage.feedURL, "--title", "").output.contains("to Sample Show:"))
    #expect(try await title() == "Sample Show")
  }

  @Test func `a podcast is given the new address of its feed, and that of no other one`() async throws {
    let stage = try await Stage.library()
    try await stage.seed { try await $0.savePosition(.seconds(1), of: .init(rawValue: 1), urgency: .flush) }
    stage.server.serve("/feed.xml", Response.status(404))
    stage.server.serve("/moved", Response.feed(SampleFeed(episodes: 4).bytes))
    let other = #"<rss><channel><title>Other</title><item><guid>other</guid><title>A</title></item></channel></rss>"#
    stage.server.serve("/other", Response.feed(Array(other.utf8)))
    let (new, strange) = (stage.server.url("/moved"), stage.server.url("/other"))
    let refused = try await stage.run("subscribe", strange, "--instead-of", "sample")
    #expect(refused.status == .exited(1), "\(refused)")
    #expect(refused.error.contains("leads to another podcast by now, 'Other'"), "\(refused)")
    #expect(try await stage.run("subscribe", new, strange, "--instead-of", "sample").status == .exited(2))
    let moved = try await stage.run("subscribe", new, "--instead-of", "sample")
    #expect(moved.output == "Moved Sample Show: 4 episodes, 1 new\n", "\(moved)")
    #expect(try await stage.run("refresh").status == .exited(0))
    #expect(try await stage.position(of: 1) == 1)
    let podcasts = try await stage.library().podcasts()
    #expect(podcasts.map(\.reference.feedURL) == [new])
    let undone = try await stage.run("undo")
    #expect(undone.status == .exited(3), "\(undone)")
    #expect(undone.error.contains("giving Sample Show another address cannot be undone"), "\(undone)")
    let back = try await stage.run("subscribe", new, "--instead-of", "sample", "--tag", "news", "--json")
    #expect(back.output.hasSuffix(#""episodes":4,"new":false,"moved":true,"tags":["news"]}"# + "\n"), "\(back)")
    stage.server.serve("/twin", Response.feed(SampleFeed(episodes: 4).bytes))
    _ = try await stage.run("subscribe", stage.server.url("/twin"))
    let taken = try await stage.run("subscribe", stage.server.url("/twin"), "--instead-of", "1")
    #expect(taken.error.contains("is the address of another podcast here, Sample Show"), "\(taken)")
    #expect(taken.error.contains("podcli unsubscribe 2 --delete"), "\(taken)")
  }

  @Test func `an empty title, and one for several podcasts, are refused`() async throws {
    let stage = try Stage(episodes: 1, seconds: 1)
    #expect(try await stage.run("subscribe", stage.feedURL, "example.org", "--title", "A").status == .exited(2))
    #expect(try await stage.run("subscribe", stage.feedURL, "--title", " ").status == .exited(2))
    #expect(stage.server.requests.isEmpty)
  }

  @Test func `a JSON Feed is followed, refreshed and asked for changes like any other`() async throws {
    let stage = try Stage(episodes: 1, seconds: 1)
    func serve(_ episodes: Int, etag: String) {
      let items = (1...episodes).map {
        #"{"id":"\#($0)","title":"Episode \#($0)","date_published":"2024-01-0\#($0)T00:00:00Z","attachments":[{"url":"/\#($0).mp3","mime_type":"audio/mpeg"}]}"#
      }
      let document =
        #"{"version":"https://jsonfeed.org/version/1.1","title":"In JSON","items":[\#(items.joined(separator: ","))]}"#
      let resource = Response.resource(Array(document.utf8), type: "application/feed+json", etag: etag)
      stage.server.serve("/json") { resource.answering($0) }
    }
    serve(1, etag: "\"1\"")
    let url = stage.server.url("/json")
    let subscribed = try await stage.run("subscribe", url, "--json")
    #expect(subscribed.output.contains(#""episodes":1,"new":true"#), "\(subscribed)")
    #expect(try await stage.run("preview", url, "--json").output.contains(#""format":"json""#))
    #expect(try await stage.run("refresh", "--json").output.contains(#""notModified":1"#))
    #expect(stage.server.requests.last?.header("If-None-Match") == "\"1\"")
    serve(3, etag: "\"2\"")
    #expect(try await stage.run("refresh", "--json").output.contains(#""newEpisodes":2"#))
    #expect(try await stage.run("playlist").output.contains("Episode 3"))
  }

  private let stage: Stage
  private let other: LoopbackServer

  init() throws {
    stage = try Stage(episodes: 2, seconds: 1)
    other = try LoopbackServer(host: "127.0.0.2")
  }

  private func podcasts() async throws -> [PodcastEntry] { try await stage.library().podcasts() }

  @Test func `different addresses of one feed are one podcast`() async throws {
    stage.server.serve("/moved", Response.redirect(to: "/feed.xml", status: 301))
    stage.server.serve("/short", Response.redirect(to: "/feed.xml", status: 302))
    for path in ["/moved", "/feed.xml", "/short", "/moved", "/short"] {
      let outcome = try await stage.run("subscribe", stage.server.url(path))
      #expect(outcome.status == .exited(0), "\(outcome)")
    }
    #expect(try await podcasts().map(\.reference.feedURL) == [stage.feedURL])
    let bare = stage.feedURL.replacing("http://", with: "feed://")
    #expect(try await stage.run("subscribe", bare).output.hasPrefix("Already subscribed"))
    #expect(try await podcasts().count == 1)
  }

  @Test func `a former address that serves another podcast by now is that one's`() async throws {
    stage.server.serve("/a", Response.feed(SampleFeed(title: "Alpha", episodes: 2).bytes))
    _ = try await stage.run("subscribe", stage.server.url("/a"))
    stage.server.serve("/a2", Response.feed(SampleFeed(title: "Alpha 2", episodes: 3).bytes))
    stage.server.serve("/a", Response.redirect(to: "/a2", status: 301))
    _ = try await stage.run("refresh", "--force")
    #expect(try await podcasts().map(\.reference.feedURL) == [stage.server.url("/a2")])
    // The same one is known by its episodes still.
    stage.server.serve("/a", Response.feed(SampleFeed(title: "Alpha 3", episodes: 3).bytes))
    #expect(try await stage.run("subscribe", stage.server.url("/a")).output.hasPrefix("Already subscribed"))
    stage.server.serve("/a", Response.feed(SampleFeed(title: "Beta", episodes: 2).bytes))
    #expect(try await stage.run("subscribe", stage.server.url("/a")).output.hasPrefix("Subscribed to Beta: 2"))
    #expect(try await podcasts().map(\.episodeCount) == [3, 2])
    #expect(try await stage.run("subscribe", stage.server.url("/a")).output.hasPrefix("Already subscribed to Beta"))
  }

  /// Pages of a feed of so many episodes, two on each, as Podlove's publisher links them.
  private func servePages(_ episodes: Int, failing: Int? = nil, cut: Int? = nil) {
    let pages = (episodes + 1) / 2
    for page in 1...pages {
      let items = (0..<2).map { episodes - 2 * (page - 1) - $0 }.filter { $0 > 0 }.map {
        "<item><guid>p\($0)</guid><title>Part \($0)</title><pubDate>Mon, \(10 + $0) Jan 2024 00:00:00 GMT</pubDate>"
          + "<enclosure url=\"/p\($0).mp3\" type=\"audio/mpeg\" length=\"9\"/></item>"
      }
      // The last one links itself.
      let next = "<atom:link rel=\"next\" href=\"/pages/\(min(page + 1, pages))\"/>"
      let feed =
        "<rss version=\"2.0\" xmlns:atom=\"http://www.w3.org/2005/Atom\"><channel><title>Paged</title>\(next)"
        + items.joined() + "</channel></rss>"
      let bytes = Array(page == cut ? feed.prefix(feed.count * 2 / 3).utf8 : feed[...].utf8)
      let response = page == failing ? Response.status(500) : Response.feed(bytes)
      if page == 1 { stage.server.serve("/pages", response) }
      stage.server.serve("/pages/\(page)", response)
    }
  }

  @Test func `all pages of a feed that a web page links are fetched`() async throws {
    servePages(7)
    let page = #"<html><head><link rel="alternate" type="application/rss+xml" href="/pages"></head></html>"#
    stage.server.serve("/about", Response.ok(Array(page.utf8), type: "text/html"))
    #expect(try await stage.run("subscribe", stage.server.url("/about")).output == "Subscribed to Paged: 7 episodes\n")
  }

  @Test func `a host may have letters beyond ASCII`() async throws {
    let outcome = try await stage.run("subscribe", "http://münchen.invalid/feed")
    #expect(outcome.status == .exited(5), "\(outcome)")
  }

  @Test func `all pages of a feed are fetched, and none of the older episodes is new`() async throws {
    servePages(7, failing: 3)
    let first = try await stage.run("subscribe", stage.server.url("/pages"))
    #expect(first.status == .exited(0) && first.error.contains("older episodes could not be fetched"), "\(first)")
    #expect(try await podcasts().map(\.episodeCount) == [4])
    // A page that is cut off says nothing of the rest, though it links the next one.
    servePages(7, cut: 2)
    let cut = try await stage.run("subscribe", stage.server.url("/pages"))
    #expect(cut.error.contains("older episodes could not be fetched"), "\(cut)")
    servePages(7)
    let again = try await stage.run("subscribe", stage.server.url("/pages"))
    #expect(again.output.hasPrefix("Already subscribed to Paged: 7"), "\(again)")
    _ = try await stage.run("unsubscribe", "Paged", "--delete", "--yes")
    #expect(try await stage.run("subscribe", stage.server.url("/pages")).output == "Subscribed to Paged: 7 episodes\n")
    #expect(try await stage.run("playlist", "new").output.isEmpty)
    // The order of their numbers is that of their dates.
    let ids = lines(try await stage.run("playlist").output).compactMap { Int($0.prefix { $0 != "\t" }) }
    #expect(ids == ids.sorted(by: >))
    #expect(lines(try await stage.run("playlist").output).count == 7)
    #expect(try await stage.run("refresh", "--json").output.contains(#""newEpisodes":0"#))
  }

  @Test func `several addresses are one JSON document`() async throws {
    stage.server.serve("/gone", Response.status(404))
    let outcome = try await stage.run("subscribe", "--json", stage.feedURL, stage.server.url("/gone"))
    #expect(outcome.status == .exited(6))
    let document = try #require(JSON(parsing: outcome.output)?.elements)
    #expect(document.count == 2 && document[0]["new"] != nil && document[1]["error"]?["code"]?.text == "network")
    #expect(outcome.error.split(separator: "\n").count == 1, "\(outcome)")
    let none = try await stage.run("subscribe", "--json", stage.server.url("/gone"), stage.server.url("/gone?2"))
    #expect(none.status == .exited(5) && none.output.isEmpty, "\(none)")
  }

  @Test func `a host in capitals and a fragment make no other podcast`() async throws {
    let spelled = stage.feedURL.replacing("127.0.0.1", with: "localhost")
    for address in [spelled, spelled.replacing("localhost", with: "LocalHost"), spelled + "#top"] {
      #expect(try await stage.run("subscribe", address).status == .exited(0))
    }
    #expect(try await podcasts().count == 1)
  }

  @Test func `a web page leads to its feed with audio`() async throws {
    let page = """
      <html><head><link rel="alternate" type="application/rss+xml" href="/comments.xml">
      <link rel="alternate" type="application/rss+xml" href="feed.xml"></head><body>Hello</body></html>
      """
    stage.server.serve("/", Response.ok(page, type: "text/html"))
    stage.server.serve(
      "/comments.xml", Response.feed(Array("<rss><channel><title>Comments</title></channel></rss>".utf8)))
    let outcome = try await stage.run("subscribe", stage.server.url("/"))
    #expect(outcome.output == "Subscribed to Sample Show: 2 episodes\n")
    #expect(outcome.error.contains(stage.feedURL))
    #expect(try await podcasts().map(\.reference.feedURL) == [stage.feedURL])
  }

  @Test func `H10: a page without a feed is status 1`() async throws {
    stage.server.serve("/", Response.ok("<!doctype html><html><body>Hello</body></html>", type: "text/html"))
    let outcome = try await stage.run("subscribe", stage.server.url("/"))
    #expect(outcome.status == .exited(1))
    #expect(outcome.error.contains("not a podcast feed"))
    #expect(try await stage.run("podcasts").output.isEmpty)
  }

  @Test func `an Apple Podcasts link is looked up`() async throws {
    // The closure must not hold the stage: the server would keep the stage, and its home on the disk, alive.
    let feedURL = stage.feedURL
    stage.server.serve("/lookup") { request in
      request.query == "id=1234"
        ? .ok(#"{"resultCount":1,"results":[{"feedUrl":"\#(feedURL)"}]}"#, type: "text/javascript")
        : .ok(#"{"resultCount":0,"results":[]}"#, type: "text/javascript")
    }
    _ = try await stage.run("config", "set", "itunes-url=\(stage.server.origin)")
    let link = "https://podcasts.apple.com/de/podcast/sample-show/id1234?i=5"
    #expect(try await stage.run("subscribe", link).output == "Subscribed to Sample Show: 2 episodes\n")
    let none = try await stage.run("subscribe", "https://podcasts.apple.com/de/podcast/x/id99")
    #expect(none.status == .exited(1))
    #expect(none.error.contains("gives no feed"))
  }

  @Test func `a local file can be a feed`() async throws {
    let file = try stage.home.write(SampleFeed(title: "From disk", episodes: 1).bytes, to: "a feed.xml")
    #expect(try await stage.run("subscribe", file).output == "Subscribed to From disk: 1 episode\n")
    _ = try stage.home.write(SampleFeed(title: "From disk", episodes: 2).bytes, to: "a feed.xml")
    #expect(try await stage.run("refresh").error.contains("1 new episode"))
  }
}
