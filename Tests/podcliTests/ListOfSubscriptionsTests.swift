import PodcastModel
import PodcastStore
import TestSupport
import Testing

@Suite struct ImportExportTests {
  private let stage: Stage

  init() throws {
    stage = try Stage(episodes: 1, seconds: 1)
    for name in ["a", "b", "c"] {
      stage.server.serve("/\(name)", Response.feed(SampleFeed(title: "Show \(name)", episodes: 1).bytes))
    }
  }

  private var opml: String {
    """
    <?xml version="1.0"?><opml version="2.0"><head><title>x</title></head><body>
    <outline text="News"><outline text="Tech &amp; more"><outline text="A" xmlUrl="\(stage.server.url("/a"))"/></outline>
    <outline text="B" type="rss" xmlurl="\(stage.server.url("/b"))"/></outline>
    <outline text="C" URL="\(stage.server.url("/c"))"/>
    <outline text="A again" xmlUrl="\(stage.server.url("/a"))"/>
    </body></opml>
    """
  }

  @Test func `import follows everything once, with outlines as tags`() async throws {
    let outcome = try await stage.home.podcli("import", "-").input(opml).run()
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(outcome.error.contains("3 podcasts: 3 new"))
    let library = try stage.library()
    #expect(try await library.podcasts().map(\.title) == ["Show a", "Show b", "Show c"])
    let first = try #require(try await library.podcasts().first)
    #expect(try await library.tags(of: first.id) == ["News", "Tech & more"])
    let again = try await stage.home.podcli("import", "-", "--json").input(opml).run()
    #expect(again.output == #"{"added":0,"known":3,"failed":0,"failures":[]}"# + "\n")
  }

  @Test func `what fails is named and stops nothing`() async throws {
    stage.server.serve("/b", Response.status(500))
    let outcome = try await stage.home.podcli("import", "-").input(opml).run()
    #expect(outcome.status == .exited(6))
    #expect(outcome.error.contains("B: "))
    #expect(outcome.error.contains("status 500"))
    #expect(try await stage.library().podcasts().count == 2)
  }

  @Test func `servers that take their time hold nobody up`() async throws {
    let gate = Gate()
    let slow = (1...20).map { "/slow\($0)" }
    for path in slow {
      stage.server.serve(path, Response.feed(SampleFeed(title: path, episodes: 3).bytes).pausing(at: 900, until: gate))
    }
    let outlines = (slow + ["/a", "/b", "/c"]).map { #"<outline xmlUrl="\#(stage.server.url($0))"/>"# }.joined()
    let running = try stage.home.podcli("import", "-").input("<opml><body>\(outlines)</body></opml>").start()
    for name in ["a", "b", "c"] { try await running.wait(forError: "Subscribed to Show \(name)") }
    gate.open()
    #expect(try await running.end().transcript.error.contains("23 podcasts: 23 new"))
  }

  @Test func `a dry run only tells`() async throws {
    let outcome = try await stage.home.podcli("import", "-", "--dry-run", "--json").input(opml).run()
    #expect(
      outcome.output.hasPrefix(
        #"{"feeds":[{"url":"\#(stage.server.url("/a"))","title":"A","folders":["News","Tech & more"]}"#))
    #expect(stage.server.requests.isEmpty)
  }

  @Test func `what is no list is status 1`() async throws {
    let outcome = try await stage.home.podcli("import", "-").input("<rss/>").run()
    #expect(outcome.status == .exited(1))
    #expect(try await stage.run("import", "/no/such/file").status == .exited(1))
  }

  @Test func `what is exported can be imported elsewhere`() async throws {
    _ = try await stage.home.podcli("import", "-").input(opml).run()
    let exported = try await stage.run("export").output
    #expect(exported.contains(#"<opml version="2.0">"#))
    let elsewhere = try TemporaryHome()
    #expect(try await elsewhere.podcli("import", "-").input(exported).run().status == .exited(0))
    #expect(try await elsewhere.podcli("export").run().output.dropDate == exported.dropDate)
  }

  @Test func `C1: private feeds leave only when asked to`() async throws {
    _ = try await stage.run("subscribe", stage.server.url("/a"))
    let secret = stage.server.url("/b").replacing("http://", with: "http://me:hunter2@")
    _ = try await stage.run("subscribe", secret)
    let plain = try await stage.run("export")
    #expect(plain.output.contains("Show a"))
    #expect(!plain.output.contains("Show b"))
    #expect(plain.error.contains("1 private feed left out"))
    #expect(try await stage.run("export", "--include-private").output.contains(secret))
  }
}

extension String {
  fileprivate var dropDate: String {
    split(separator: "\n").filter { !$0.contains("dateCreated") }.joined(separator: "\n")
  }
}

@Suite struct FindTests {
  private let stage: Stage

  init() async throws {
    stage = try Stage(episodes: 1, seconds: 1)
    let feed = stage.feedURL
    stage.server.serve(
      "/search",
      .ok(
        #"{"results":[{"collectionName":"Sample\u001b[31m","artistName":"Ann","feedUrl":"\#(feed)","trackCount":3},{"collectionName":"Gone"}]}"#
      ))
    stage.server.serve("/0.2/search/podcast", .ok(#"{"data":[{"title":"Other","xmlURL":"http://o.example/feed"}]}"#))
    stage.server.serve(
      "/search.json", .ok(#"[{"title":"Sample","url":"\#(feed)/"},{"title":"Bad","url":"file:///etc/passwd"}]"#))
    stage.server.serve("/api/1.0/search/byterm", .ok(#"{"feeds":[{"title":"Indexed","url":"http://i.example/feed"}]}"#))
    let names = ["itunes", "fyyd", "gpodder", "podcastindex"].map { "\($0)-url=\(stage.server.origin)" }
    _ = try await stage.home.podcli(["config", "set"] + names).run()
  }

  @Test func `directories are asked at once, and a feed that several have is shown once`() async throws {
    let outcome = try await stage.run("find", "späte", "show", "--json")
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(
      outcome.output.hasPrefix(
        #"[{"title":"Sample\u001b[31m","author":"Ann","feedURL":"\#(stage.feedURL)","episodes":3"#))
    #expect(outcome.output.contains(#""via":["itunes","gpodder"]"#))
    #expect(outcome.output.contains("Other"))
    #expect(!outcome.output.contains("passwd"))
    #expect(stage.server.requests.count == 3)
    #expect(stage.server.requests(to: "/search").first?.query.hasSuffix("term=sp%c3%a4te%20show") == true)
  }

  @Test func `the N-th result can be followed`() async throws {
    let outcome = try await stage.run("find", "sample", "--subscribe", "1")
    #expect(outcome.output == "Subscribed to Sample Show: 1 episode\n")
    #expect(try await stage.run("find", "sample", "--subscribe", "9").status == .exited(3))
  }

  @Test func `the Podcast Index is asked with a key, signed`() async throws {
    #expect(try await stage.run("find", "x", "--via", "podcastindex").status == .exited(4))
    _ = try await stage.run("config", "set", "podcastindex-key=K", "podcastindex-pass=S3CR3T")
    let outcome = try await stage.run("find", "x", "--via", "podcastindex")
    #expect(outcome.output.contains("Indexed"))
    let request = try #require(stage.server.requests.last)
    #expect(request.header("X-Auth-Key") == "K")
    #expect(request.header("Authorization")?.count == 40)
    #expect(request.headers.allSatisfy { !$0.value.contains("S3CR3T") })
  }

  @Test func `C1: the key for the Podcast Index goes nowhere else`() async throws {
    let other = try LoopbackServer(host: "127.0.0.2")
    other.serve("/api", .ok(#"{"feeds":[]}"#))
    stage.server.serve("/api/1.0/search/byterm", .redirect(to: other.url("/api")))
    _ = try await stage.run("config", "set", "podcastindex-key=KEY", "podcastindex-pass=PASS")
    _ = try await stage.run("find", "x", "--via", "podcastindex")
    #expect(stage.server.requests.contains { $0.header("X-Auth-Key") == "KEY" })
    #expect(other.requests.isEmpty)
  }

  @Test func `one directory that fails is named, all that fail are status 5`() async throws {
    stage.server.serve("/search", Response.status(503))
    let outcome = try await stage.run("find", "sample")
    #expect(outcome.status == .exited(0))
    #expect(outcome.error.contains("itunes: "))
    #expect(!outcome.output.contains("\u{1B}"))
    #expect(try await stage.run("find", "sample", "--via", "itunes").status == .exited(5))
  }
}
