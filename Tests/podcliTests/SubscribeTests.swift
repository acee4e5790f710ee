import Glibc
import PodcastModel
import PodcastStore
import TestSupport
import Testing

@Suite struct SubscribeTests {
  private let stage: Stage
  private let other: LoopbackServer

  init() throws {
    stage = try Stage(episodes: 2, seconds: 1)
    other = try LoopbackServer(host: "127.0.0.2")
  }

  private func podcasts() async throws -> [PodcastEntry] { try await stage.library().podcasts() }

  @Test func `it is one podcast, whichever way leads to it`() async throws {
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

  @Test func `a web page leads to the feed with something to hear`() async throws {
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
    // Not the stage itself: a server that holds its own stage keeps both for ever, and the home on the disk.
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

  @Test func `a local file is a feed, too`() async throws {
    let file = try stage.home.write(SampleFeed(title: "From disk", episodes: 1).bytes, to: "a feed.xml")
    #expect(try await stage.run("subscribe", file).output == "Subscribed to From disk: 1 episode\n")
    _ = try stage.home.write(SampleFeed(title: "From disk", episodes: 2).bytes, to: "a feed.xml")
    #expect(try await stage.run("refresh").error.contains("1 new episode"))
  }
}

@Suite struct PrivateFeedCommandTests {
  private let stage: Stage

  init() throws {
    stage = try Stage(episodes: 1, seconds: 1)
    let feed = Response.feed(SampleFeed(title: "Secret", episodes: 1).bytes)
    // me:hunter2
    stage.server.serve("/private") { request in
      request.header("Authorization") == "Basic bWU6aHVudGVyMg=="
        ? feed : Response.status(401).header("WWW-Authenticate", "Basic realm=\"x\"")
    }
    stage.server.serve("/t0k3n/feed", feed)
  }

  /// Everything that podcli says about it, in every form.
  private func everythingSaid() async throws -> String {
    var said = ""
    for arguments in [
      ["podcasts"], ["podcasts", "--json"], ["playlist", "--json"], ["refresh"], ["refresh", "--force", "--json"],
      ["info", "Secret"], ["info", "Secret", "--json"], ["podcasts", "--verbose"], ["doctor", "Secret"], ["export"],
    ] {
      let outcome = try await stage.home.podcli(arguments).run()
      said += outcome.output + outcome.error
    }
    return said
  }

  @Test func `401 is status 4 and says how to give credentials`() async throws {
    let outcome = try await stage.run("subscribe", stage.server.url("/private"))
    #expect(outcome.status == .exited(4))
    #expect(outcome.error.contains("--user NAME --password-stdin"))
  }

  @Test func `C1: a password comes from standard input, works at every refresh, and is never shown`() async throws {
    let arguments = ["subscribe", stage.server.url("/private"), "--user", "me", "--password-stdin"]
    let outcome = try await stage.home.podcli(arguments).input("hunter2\n").run()
    #expect(outcome.output == "Subscribed to Secret: 1 episode\n")
    #expect(try await stage.run("refresh").status == .exited(0))
    #expect(!(try await everythingSaid()).contains("hunter2"))
    try expectPrivateFiles()
    let wrong = try await stage.home.podcli(arguments).input("wrong\n").run()
    #expect(wrong.status == .exited(4))
    #expect(try await stage.run("refresh").status == .exited(0))
  }

  @Test func `C1: user and password in an address are taken out of it`() async throws {
    let address = stage.server.url("/private").replacing("http://", with: "http://me:hunter2@")
    #expect(try await stage.run("subscribe", address).output == "Subscribed to Secret: 1 episode\n")
    #expect(try await stage.run("subscribe", address).output.hasPrefix("Already subscribed"))
    #expect(try await stage.library().podcasts().map(\.reference.feedURL) == [stage.server.url("/private")])
    #expect(!(try await everythingSaid()).contains("hunter2"))
  }

  @Test func `C1: a secret address is shown nowhere, and works`() async throws {
    let address = stage.server.url("/t0k3n/feed")
    for begin in ["Subscribed", "Already subscribed"] {
      let outcome = try await stage.run("subscribe", address, "--private")
      #expect(outcome.output.hasPrefix(begin))
      #expect(!(outcome.output + outcome.error).contains("t0k3n"))
    }
    #expect(try await stage.run("refresh").status == .exited(0))
    #expect(!(try await everythingSaid()).contains("t0k3n"))
    try expectPrivateFiles()
    stage.server.stop()
    let failed = try await stage.run("refresh", "--json")
    #expect(failed.status == .exited(5))
    #expect(!(failed.output + failed.error + (try await everythingSaid())).contains("t0k3n"))
  }

  @Test func `H5: credentials never go to another host`() async throws {
    let other = try LoopbackServer(host: "127.0.0.2")
    other.serve("/feed", Response.feed(SampleFeed(episodes: 1).bytes))
    stage.server.serve("/away", Response.redirect(to: other.url("/feed"), status: 301))
    let arguments = ["subscribe", stage.server.url("/away"), "--user", "me", "--password-stdin"]
    let outcome = try await stage.home.podcli(arguments).input("hunter2\n").run()
    #expect(outcome.status == .exited(0))
    _ = try await stage.run("refresh", "--force")
    #expect(stage.server.requests.first?.header("Authorization") != nil)
    #expect(other.requests.count == 2)
    #expect(other.requests.allSatisfy { $0.header("Authorization") == nil })
  }

  @Test func `an empty password and a lone --password-stdin are bad usage`() async throws {
    let empty = try await stage.home.podcli("subscribe", "h.example", "--user", "me", "--password-stdin").input("")
      .run()
    #expect(empty.status == .exited(2))
    #expect(try await stage.run("subscribe", "h.example", "--password-stdin").status == .exited(2))
  }

  private func expectPrivateFiles() throws {
    var status = stat()
    for name in ["secrets", "library.db"] {
      #expect(stat(stage.home.path + "/podcli/" + name, &status) == 0)
      #expect(status.st_mode & 0o077 == 0, "\(name)")
    }
  }
}
