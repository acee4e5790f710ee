import PodcastModel
import TestSupport
import Testing
import Text

@testable import PodcastStore

@Suite struct RefreshCommandTests {
  @Test func `a bad line of the settings is an error before any feed is fetched`() async throws {
    let stage = try await Stage.library()
    let fetched = stage.server.requests.count
    try stage.home.write("trim = loud\n", to: "podcli/config")
    let outcome = try await stage.run("refresh", "--force", "-j", "2")
    #expect(outcome.status == .exited(1) && outcome.error.contains("line 1: trim must be"), "\(outcome)")
    #expect(stage.server.requests.count == fetched)
  }

  private static func feed(_ title: String, episodes: Int, extra: String = "") -> Response {
    var feed = SampleFeed(title: title, episodes: episodes)
    feed.channelExtra = extra
    return .feed(feed.bytes)
  }

  /// A stage with subscriptions to `addresses`.
  private static func following(_ feeds: [String: Response]) async throws -> Stage {
    let stage = try Stage(episodes: 1, seconds: 1)
    for (path, response) in feeds.sorted(by: { $0.key < $1.key }) {
      stage.server.serve(path, response)
      let outcome = try await stage.run("subscribe", stage.server.url(path))
      try #require(outcome.status == .exited(0), "\(outcome)")
    }
    return stage
  }

  @Test func `new episodes come in, and are counted`() async throws {
    let stage = try await Self.following(["/a": Self.feed("A", episodes: 2), "/b": Self.feed("B", episodes: 1)])
    stage.server.serve("/a", Self.feed("A", episodes: 5))
    let outcome = try await stage.run("refresh")
    #expect(outcome.status == .exited(0))
    #expect(outcome.error.contains("A: 3 new episodes"))
    #expect(outcome.error.contains("2 podcasts asked: 3 new episodes"))
    #expect(try await stage.run("playlist").output.split(separator: "\n").count == 6)
  }

  @Test func `episodes of a feed that is fetched for the first time are not counted as new`() async throws {
    let stage = try await Self.following(["/a": Self.feed("A", episodes: 2)])
    stage.server.serve("/a", Self.feed("A", episodes: 5))
    // As where the import that began to follow it was killed.
    try Connection(path: stage.home.path + "/podcli/library.db", mode: .readWrite)
      .executeScript("UPDATE feeds SET fetched_at = NULL, etag = NULL, last_modified = NULL")
    let outcome = try await stage.run("refresh")
    #expect(outcome.error.contains("A: fetched for the first time, 3 episodes\n"), "\(outcome)")
    #expect(outcome.error.contains("1 podcast asked: nothing new\n"), "\(outcome)")
  }

  @Test func `refreshing twice equals refreshing once`() async throws {
    let stage = try await Self.following(["/a": Self.feed("A", episodes: 3)])
    stage.server.serve("/a", Self.feed("A", episodes: 4))
    _ = try await stage.run("refresh")
    let before = try await stage.run("playlist", "--json").output
    let again = try await stage.run("refresh", "--json")
    let counts = #"{"checked":1,"notModified":1,"updated":0,"failed":0,"notDue":0,"gone":0,"newEpisodes":0"#
    #expect(again.output.hasPrefix(counts))
    #expect(try await stage.run("playlist", "--json").output == before)
  }

  @Test func `H12: validators are sent back unchanged, and 304 is no change`() async throws {
    let bytes = SampleFeed(title: "A", episodes: 1).bytes
    let resource = Response.resource(
      bytes, type: "text/xml", etag: "W/\"a b\"", lastModified: "Mon, 01 Jan 2024 00:00:00 GMT")
    let stage = try Stage(episodes: 1, seconds: 1)
    stage.server.serve("/a") { resource.answering($0) }
    _ = try await stage.run("subscribe", stage.server.url("/a"))
    let outcome = try await stage.run("refresh", "--json")
    #expect(outcome.output.contains(#""notModified":1"#))
    let request = try #require(stage.server.requests.last)
    #expect(request.header("If-None-Match") == "W/\"a b\"")
    #expect(request.header("If-Modified-Since") == "Mon, 01 Jan 2024 00:00:00 GMT")
    _ = try await stage.run("refresh", "--force")
    #expect(stage.server.requests.last?.header("If-None-Match") == nil)
  }

  @Test func `a failed feed is named and does not stop the rest`() async throws {
    let stage = try await Self.following(["/a": Self.feed("A", episodes: 1), "/b": Self.feed("B", episodes: 1)])
    stage.server.serve("/a", Response.status(500))
    stage.server.serve("/b", Self.feed("B", episodes: 2))
    let outcome = try await stage.run("refresh", "--json")
    #expect(outcome.status == .exited(6))
    #expect(outcome.output.contains(#""updated":1,"failed":1"#))
    let quiet = try await stage.run("refresh", "--force", "--quiet")
    #expect(quiet.status == .exited(6) && quiet.error.contains("A: "), "\(quiet)")
    #expect(try await stage.run("podcasts").output.contains("answered with status 500"))
    #expect(try await stage.run("playlist").output.split(separator: "\n").count == 3)
    stage.server.serve("/a", Self.feed("A", episodes: 1))
    #expect(try await stage.run("refresh", "--force").status == .exited(0))
    #expect(!(try await stage.run("podcasts").output.contains("status 500")))
  }

  @Test func `H2: a host with Retry-After is left alone, with all its feeds`() async throws {
    var feeds: [String: Response] = [:]
    for number in 1...5 { feeds["/\(number)"] = Self.feed("Feed \(number)", episodes: 1) }
    let stage = try await Self.following(feeds)
    let before = stage.server.requests.count
    for path in feeds.keys { stage.server.serve(path, Response.status(429).header("Retry-After", "3600")) }
    let first = try await stage.run("refresh", "--jobs", "1", "--json")
    #expect(first.status == .exited(5))
    #expect(stage.server.requests.count == before + 1)
    // Naming the podcast does not override the Retry-After of the server.
    let throttled = try #require(stage.server.requests.last).path.dropFirst()
    let named = try await stage.run("refresh", "Feed \(throttled)", "--json")
    #expect(named.output.contains(#""notDue":1"#))
    #expect(stage.server.requests.count == before + 1)
    _ = try await stage.run("refresh", "--force", "--jobs", "1")
    #expect(stage.server.requests.count == before + 6)
  }

  @Test func `H3: 410 marks a feed as gone, once, and naming it asks again`() async throws {
    let stage = try await Self.following(["/a": Self.feed("A", episodes: 2), "/b": Self.feed("B", episodes: 1)])
    stage.server.serve("/a", Response.status(410))
    let first = try await stage.run("refresh")
    #expect(first.status == .exited(6))
    #expect(first.error.contains("gone for good"))
    let asked = stage.server.requests(to: "/a").count
    let second = try await stage.run("refresh")
    #expect(second.status == .exited(0))
    #expect(second.error.contains("nothing new, 1 gone for good (podcli refresh PODCAST asks it again)"), "\(second)")
    #expect(try await stage.run("refresh", "--json").output.contains(#""gone":1"#))
    #expect(stage.server.requests(to: "/a").count == asked)
    #expect(try await stage.run("playlist").output.split(separator: "\n").count == 3)
    stage.server.serve("/a", Self.feed("A", episodes: 3))
    #expect(try await stage.run("refresh", "A").error.contains("1 new episode"))
  }

  @Test func `H3: 404 is tried again later, and episodes stay`() async throws {
    let stage = try await Self.following(["/a": Self.feed("A", episodes: 2)])
    stage.server.serve("/a", Response.status(404))
    #expect(try await stage.run("refresh").status == .exited(5))
    #expect(try await stage.run("playlist").output.split(separator: "\n").count == 2)
    #expect(try await stage.library().podcasts().first?.isGone == false)
  }

  @Test(arguments: [301, 308])
  func `I4: a permanent redirect is stored once the new address served a feed`(status: Int) async throws {
    let stage = try await Self.following(["/old": Self.feed("A", episodes: 1)])
    stage.server.serve("/old", Response.redirect(to: "/new", status: status))
    stage.server.serve("/new", Response.status(500))
    _ = try await stage.run("refresh")
    #expect(try await stage.library().podcasts().first?.reference.feedURL == stage.server.url("/old"))
    stage.server.serve("/new", Self.feed("A", episodes: 2))
    #expect(try await stage.run("refresh", "--force").error.contains("it has moved"))
    #expect(try await stage.library().podcasts().first?.reference.feedURL == stage.server.url("/new"))
    #expect(try await stage.run("subscribe", stage.server.url("/new")).output.hasPrefix("Already subscribed"))
  }

  @Test(arguments: [true, false])
  func `I4: a permanent redirect is stored while nothing is new`(hasValidators: Bool) async throws {
    let bytes = SampleFeed(title: "A", episodes: 1).bytes
    let resource = Response.resource(bytes, type: "text/xml", etag: hasValidators ? "\"1\"" : nil)
    let stage = try Stage(episodes: 1, seconds: 1)
    for path in ["/old", "/new"] { stage.server.serve(path) { resource.answering($0) } }
    _ = try await stage.run("subscribe", stage.server.url("/old"))
    stage.server.serve("/old", Response.redirect(to: "/new", status: 301))
    let outcome = try await stage.run("refresh", "1")
    #expect(outcome.status == .exited(0) && outcome.error.contains("A: not changed; it has moved"), "\(outcome)")
    #expect(try await stage.library().podcasts().first?.reference.feedURL == stage.server.url("/new"))
  }

  @Test(arguments: [true, false])
  func `I4: a feed that moves to one that is followed, too, stays as it is and is said to be its twin`(
    redirects: Bool
  ) async throws {
    let stage = try await Self.following(["/a": Self.feed("A", episodes: 1), "/b": Self.feed("B", episodes: 1)])
    let (old, new) = (stage.server.url("/a"), stage.server.url("/b"))
    let podcasts = try await stage.library().podcasts()
    let one = try #require(podcasts.first { $0.reference.feedURL == old }).id.rawValue
    let other = try #require(podcasts.first { $0.reference.feedURL == new }).id.rawValue
    stage.server.serve("/b", Self.feed("B", episodes: 3))
    let announcement = "<itunes:new-feed-url>\(new)</itunes:new-feed-url>"
    stage.server.serve(
      "/a",
      redirects ? .redirect(to: "/b", status: 301) : Self.feed("A", episodes: 1, extra: announcement))
    let outcome = try await stage.run("refresh", String(one))
    #expect(outcome.status == .exited(0))
    #expect(outcome.error.contains("it has moved to B (\(other)), which is followed, too"), "\(outcome)")
    #expect(outcome.error.contains("podcli unsubscribe \(one) ends this one"))
    let report = JSON(parsing: try await stage.run("refresh", String(one), "--json").output)
    #expect(
      report?["podcasts"]?.elements?.first?["movedTo"]?["id"]?.double == Double(other), "\(report?.compact ?? "")")
    let after = try await stage.library().podcasts()
    #expect(Set(after.map(\.reference.feedURL)) == [old, new])
    #expect(after.map(\.reference.title).sorted() == ["A", "B"] && after.map(\.episodeCount) == [1, 1])
  }

  @Test(arguments: [301, 302])
  func `I4: a redirect to another show changes nothing, and is an error`(status: Int) async throws {
    let stage = try await Self.following(["/a": Self.feed("A", episodes: 2)])
    stage.server.serve("/parked", Self.feed("Parked", episodes: 1))
    // A temporary one leads away often enough.
    if status == 302 {
      _ = try await stage.run("subscribe", stage.server.url("/parked"))
      _ = try await stage.run("unsubscribe", "parked")
    }
    stage.server.serve("/a", .redirect(to: "/parked", status: status))
    let outcome = try await stage.run("refresh")
    #expect(outcome.status == .exited(1) && outcome.error.contains("leads to another podcast by now, 'Parked'"))
    let podcast = try #require(try await stage.library().podcasts().first)
    #expect(podcast.title == "A" && podcast.episodeCount == 2)
    #expect(podcast.reference.feedURL == stage.server.url("/a"))
    stage.server.serve("/a", Self.feed("A", episodes: 3))
    #expect(try await stage.run("refresh", "--force").error.contains("1 new episode"))
  }

  @Test func `I4: a feed that announces the address of another show is refreshed where it was`() async throws {
    let stage = try await Self.following(["/a": Self.feed("A", episodes: 2)])
    stage.server.serve("/parked", Self.feed("Parked", episodes: 1))
    let announcement = "<itunes:new-feed-url>\(stage.server.url("/parked"))</itunes:new-feed-url>"
    stage.server.serve("/a", Self.feed("A", episodes: 3, extra: announcement))
    let outcome = try await stage.run("refresh")
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(
      outcome.error.hasPrefix(
        "A: 1 new episode; it names the address of another podcast, 'Parked', and is followed where it was\n"),
      "\(outcome)")
    let report = JSON(parsing: try await stage.run("refresh", "--json").output)
    #expect(report?["podcasts"]?.elements?.first?["refusedMove"] == "otherPodcast" && report?["failed"] == 0)
    let podcast = try #require(try await stage.library().podcasts().first)
    #expect(podcast.title == "A" && podcast.episodeCount == 3 && podcast.refreshError == nil)
    #expect(podcast.reference.feedURL == stage.server.url("/a"))
  }

  @Test func `I4: a redirect to a server that says of everything that it has not changed moves nothing`() async throws {
    let bytes = SampleFeed(title: "A", episodes: 1).bytes
    let stage = try await Self.following(["/a": .resource(bytes, type: "text/xml", etag: "\"1\"")])
    stage.server.serve("/a", .redirect(to: "/parked", status: 301))
    stage.server.serve("/parked") { request in
      request.header("If-None-Match") == nil ? .ok("<html>Buy it</html>", type: "text/html") : .status(304)
    }
    #expect(try await stage.run("refresh", "1").status == .exited(1))
    #expect(try await stage.library().podcasts().first?.reference.feedURL == stage.server.url("/a"))
  }

  @Test func `I4: a feed that moves to one that was left is not said to be followed there`() async throws {
    let stage = try await Self.following(["/a": Self.feed("A", episodes: 1), "/b": Self.feed("A", episodes: 1)])
    let podcasts = try await stage.library().podcasts()
    let left = try #require(podcasts.first { $0.reference.feedURL == stage.server.url("/b") }).id.rawValue
    _ = try await stage.run("unsubscribe", String(left))
    stage.server.serve("/a", .redirect(to: "/b", status: 301))
    stage.server.serve("/b", Self.feed("A", episodes: 3))
    let outcome = try await stage.run("refresh")
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(outcome.error.contains("which you left: podcli subscribe \(stage.server.url("/b"))"), "\(outcome)")
    // Its episodes come here all the same.
    #expect(try await stage.library().podcasts().map(\.episodeCount) == [3])
  }

  @Test func `a file whose name has a percent sign is refreshed from that file`() async throws {
    let home = try TemporaryHome()
    for (name, title) in [("My%20Show.xml", "Webby"), ("My Show.xml", "Other")] {
      _ = try home.write(SampleFeed(title: title, episodes: 1).bytes, to: name)
    }
    #expect(try await home.podcli("subscribe", home.path + "/My%20Show.xml").run().status == .exited(0))
    #expect(try await home.podcli("refresh").run().status == .exited(0))
    let podcasts = try await home.podcli("podcasts").run().output
    #expect(podcasts.contains("Webby") && !podcasts.contains("Other"))
    // As a library of before has it.
    let store = try PodcastStore(path: home.path + "/podcli/library.db")
    let podcast = try #require(try await store.podcasts().first)
    #expect(try await store.moveFeed(of: podcast.id, to: "file://" + home.path + "/My%20Show.xml"))
    await store.close()
    #expect(try await home.podcli("refresh", "--force").run().status == .exited(0))
    #expect(try await home.podcli("podcasts").run().output.contains("Webby"))
  }

  @Test func `the failure of one feed is said once`() async throws {
    let stage = try await Self.following(["/a": Self.feed("A", episodes: 2)])
    stage.server.serve("/a", Response.status(404))
    let outcome = try await stage.run("refresh", "1")
    #expect(outcome.status == .exited(5))
    #expect(outcome.error.split(separator: "\n").count { $0.contains("404") } == 1, "\(outcome)")
    #expect(outcome.error.contains("1 podcast asked: 1 failed\n"))
  }

  @Test func `a temporary redirect is followed and not stored`() async throws {
    let stage = try await Self.following(["/old": Self.feed("A", episodes: 1)])
    stage.server.serve("/old", Response.redirect(to: "/new", status: 302))
    stage.server.serve("/new", Self.feed("A", episodes: 2))
    #expect(try await stage.run("refresh").error.contains("1 new episode"))
    #expect(try await stage.library().podcasts().first?.reference.feedURL == stage.server.url("/old"))
  }

  @Test func `I4: new-feed-url is followed to an address that serves a feed, and loops are refused`() async throws {
    let stage = try await Self.following(["/old": Self.feed("A", episodes: 1)])
    func moving(to path: String, episodes: Int) -> Response {
      let tag = "<itunes:new-feed-url>\(stage.server.url(path))</itunes:new-feed-url>"
      return Self.feed("A", episodes: episodes, extra: tag)
    }
    stage.server.serve("/old", moving(to: "/loop", episodes: 2))
    stage.server.serve("/loop", moving(to: "/old", episodes: 9))
    let loop = try await stage.run("refresh")
    #expect(loop.status == .exited(0))
    #expect(try await stage.library().podcasts().first?.reference.feedURL == stage.server.url("/old"))
    #expect(try await stage.library().podcasts().first?.episodeCount == 2)
    stage.server.serve("/loop", moving(to: "/new", episodes: 2))
    stage.server.serve("/new", moving(to: "/new", episodes: 3))
    #expect(try await stage.run("refresh", "--json").output.contains(#""newEpisodes":1"#))
    #expect(try await stage.library().podcasts().first?.reference.feedURL == stage.server.url("/new"))
    #expect(try await stage.library().podcasts().first?.episodeCount == 3)
  }

  @Test func `I4: an announced address that is redirected to the feed is the feed's own`() async throws {
    let stage = try Stage()
    let tag = "<itunes:new-feed-url>\(stage.server.url("/feed"))</itunes:new-feed-url>"
    var feed = SampleFeed(title: "A", episodes: 1)
    feed.channelExtra = tag
    let resource = Response.resource(feed.bytes, type: "text/xml", etag: "\"1\"")
    stage.server.serve("/feed/") { resource.answering($0) }
    stage.server.serve("/feed", Response.redirect(to: "/feed/", status: 301))
    _ = try await stage.run("subscribe", stage.server.url("/feed/"))
    let first = try await stage.run("refresh", "--force")
    #expect(first.status == .exited(0) && !first.error.contains("new address"), "\(first)")
    let before = stage.server.requests.count
    _ = try await stage.run("refresh")
    let asked = stage.server.requests.dropFirst(before)
    #expect(asked.map(\.path) == ["/feed/"] && asked.first?.header("If-None-Match") == "\"1\"")
    #expect(try await stage.library().podcasts().first?.reference.feedURL == stage.server.url("/feed/"))
  }

  @Test func `a podcast that is deleted meanwhile does not stop the rest`() async throws {
    let stage = try await Self.following(["/a": Self.feed("A", episodes: 1), "/b": Self.feed("B", episodes: 1)])
    let gate = Gate()
    stage.server.serve("/a", Self.feed("A", episodes: 2).pausing(at: 100, until: gate))
    stage.server.serve("/b", Self.feed("B", episodes: 2))
    let refresh = try stage.home.podcli("refresh", "--force").start()
    _ = try await stage.server.request(2, to: "/a")
    let podcast = try #require(try await stage.library().podcasts().first { $0.title == "A" })
    try await stage.seed { try await $0.unsubscribe(podcast.id, deleting: true) }
    gate.open()
    let outcome = try await refresh.end()
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(try await stage.library().podcasts().map(\.episodeCount) == [2])
  }

  @Test func `an unchanged body without validators is not parsed again`() async throws {
    let stage = try await Self.following(["/a": Self.feed("A", episodes: 3)])
    let outcome = try await stage.home.podcli("refresh", "--json").setting("LD_DEBUG", "files").run()
    #expect(outcome.output.contains(#""notModified":1"#))
    // Opened by podcli itself: a sanitizer starts other programs that open it.
    #expect(!outcome.error.contains(/libxml2\S* \[0\];\s+dynamically loaded/))
  }

  @Test func `a fresh feed is not requested again at once, unless named`() async throws {
    let fresh = Self.feed("A", episodes: 1).header("Cache-Control", "public, max-age=3600")
    let stage = try await Self.following(["/a": fresh, "/b": Self.feed("B", episodes: 1)])
    _ = try await stage.run("refresh")
    let before = stage.server.requests.count
    #expect(try await stage.run("refresh").status == .exited(0))
    #expect(stage.server.requests.dropFirst(before).map(\.path) == ["/b"])
    _ = try await stage.run("refresh", "A")
    #expect(stage.server.requests.last?.path == "/a")
  }

  @Test func `the user agent can be set for a host that refuses podcli`() async throws {
    let stage = try Stage(episodes: 1, seconds: 1)
    let feed = Response.feed(SampleFeed(title: "Picky", episodes: 1).bytes)
    stage.server.serve("/picky") { $0.header("User-Agent") == "Browser/1 (x; y)" ? feed : Response.status(403) }
    #expect(try await stage.run("subscribe", stage.server.url("/picky")).status != .exited(0))
    _ = try await stage.run("config", "set", "user-agents=127.0.0.1: Browser/1 (x; y)")
    #expect(try await stage.run("subscribe", stage.server.url("/picky")).status == .exited(0))
  }

  @Test func `a refresh that may not use the network leaves no error behind`() async throws {
    let stage = try await Stage.library()
    stage.server.serve("/other.xml", .feed(SampleFeed(title: "Other", episodes: 1).bytes))
    _ = try await stage.run("subscribe", stage.server.url("/other.xml"))
    let refresh = try await stage.run("refresh", "--offline")
    #expect(refresh.status == .exited(5) && refresh.error.contains("no podcast was refreshed: --offline was given"))
    #expect(!refresh.error.contains("shows why"))
    let file = try stage.home.write(SampleFeed(title: "Local", episodes: 1).bytes, to: "local.xml")
    _ = try await stage.run("subscribe", file)
    #expect(try await stage.run("refresh", "--offline", "--force").status == .exited(6))
    #expect(try await stage.json("podcasts").contains("offline") == false)
  }

  @Test func `unknown names are status 3, and an empty library is success`() async throws {
    let home = try TemporaryHome()
    #expect(try await home.podcli("refresh", "nothing").run().status == .exited(3))
    #expect(try await home.podcli("refresh").run().status == .exited(0))
  }

  @Test func `progress is drawn on a terminal`() async throws {
    let stage = try await Self.following(["/a": Self.feed("A", episodes: 1)])
    let outcome = try await stage.home.podcli("refresh").on(.init(columns: 80)).run()
    #expect(outcome.screen.contains("1/1 ━"))
    #expect(outcome.screen.contains("1 podcast asked: nothing new"))
  }
}
