import Glibc
import PodcastModel
import TestSupport
import Testing
import Text

@testable import PodcastStore

@Suite struct ImportCommandTests {
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

  @Test func `a feed whose import was killed in the middle is fetched by the next one`() async throws {
    #expect(try await stage.home.podcli("import", "-").input(opml).run().status == .exited(0))
    // As after a slice of its episodes.
    stage.server.serve("/a", Response.feed(SampleFeed(title: "Show a", episodes: 3).bytes))
    try Connection(path: stage.home.path + "/podcli/library.db", mode: .readWrite).executeScript(
      """
      UPDATE feeds SET fetched_at = NULL, succeeded_at = NULL, etag = NULL, last_modified = NULL, document_hash = NULL
      WHERE podcast_id = (SELECT id FROM podcasts WHERE title = 'Show a');
      """)
    #expect(try await stage.home.podcli("import", "-").input(opml).run().status == .exited(0))
    #expect(try await stage.library().podcasts().map(\.episodeCount) == [3, 1, 1])
    #expect(stage.server.requests(to: "/b").count == 1)
  }

  @Test func `import subscribes to every feed once, with outlines as tags`() async throws {
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

  @Test func `of a list that is cut off the rest is followed, and that is said`() async throws {
    let cut = String(opml.prefix(upTo: try #require(opml.firstRange(of: "<outline text=\"C\"")?.lowerBound)))
    let outcome = try await stage.home.podcli("import", "-").input(cut).run()
    #expect(outcome.status == .exited(6), "\(outcome)")
    #expect(outcome.error.contains("2 podcasts: 2 new") && outcome.error.contains("the file is cut off"))
    let again = try await stage.home.podcli("import", "-", "--dry-run", "--json").input(cut).run()
    #expect(JSON(parsing: again.output)?["incomplete"] == true, "\(again)")
    stage.server.serve("/b", Response.status(500))
    _ = try await stage.run("unsubscribe", stage.server.url("/b"), "--delete", "--yes")
    let failing = try await stage.home.podcli("import", "-", "--json").input(cut).run()
    #expect(failing.status == .exited(6) && JSON(parsing: failing.output)?["incomplete"] == true, "\(failing)")
    #expect(failing.error.contains("1 of 2 feeds failed, and the file is cut off"))
    let nothing = try await stage.home.podcli("import", "-").input("<opml><body><outline").run()
    #expect(nothing.status == .exited(1), "\(nothing)")
    #expect(nothing.error.contains("cut off"))
  }

  @Test func `of a folder with several lists the one that is read is named`() async throws {
    let folder = stage.home.path + "/lists"
    mkdir(folder, 0o700)
    for name in ["one.opml", "two.opml"] { try stage.home.write(opml, to: "lists/" + name) }
    let outcome = try await stage.run("import", folder, "--dry-run")
    #expect(outcome.error.contains("Reading \(folder)/"), "\(outcome)")
    #expect(try await !stage.run("import", folder + "/one.opml", "--dry-run").error.contains("Reading"))
  }

  @Test func `a second import asks only the feeds that failed, once each`() async throws {
    stage.server.serve("/b", Response.status(500))
    let page = "<html><link rel='alternate' type='application/feed+json' href='/c'></html>"
    stage.server.serve("/page", Response.ok(Array(page.utf8), type: "text/html"))
    let list = opml.replacing(stage.server.url("/c"), with: stage.server.url("/page"))
    _ = try await stage.home.podcli("import", "-").input(list).run()
    let before = stage.server.requests.count
    let again = list.replacing("News", with: "Other")
    let outcome = try await stage.home.podcli("import", "-", "--json").input(again).run()
    #expect(outcome.output.contains(#""added":0,"known":2,"failed":1"#))
    #expect(stage.server.requests.dropFirst(before).map(\.path) == ["/b"])
    let library = try stage.library()
    let first = try #require(try await library.podcasts().first)
    // A podcast that is followed already stays as it is.
    #expect(try await library.tags(of: first.id) == ["News", "Tech & more"])
  }

  @Test func `a podcast that is no longer followed is asked again`() async throws {
    let url = stage.server.url("/a")
    _ = try await stage.run("subscribe", url)
    _ = try await stage.run("unsubscribe", url, "--yes")
    let list = "<opml><body><outline xmlUrl='\(url)'/></body></opml>"
    let outcome = try await stage.home.podcli("import", "-").input(list).run()
    #expect(outcome.error.contains("1 podcast: 1 new"))
  }

  @Test func `an outline around all feeds is no tag`() async throws {
    let feed = "<outline xmlUrl='\(stage.server.url("/a"))'/>"
    let list = "<opml><body><outline text='Feeds'><outline text='News'>\(feed)</outline></outline></body></opml>"
    _ = try await stage.home.podcli("import", "-").input(list).run()
    let library = try stage.library()
    #expect(try await library.tags(of: try #require(try await library.podcasts().first).id) == ["News"])
  }

  @Test func `C1: a list that names a secret feed by its address, or as lists show it, adds no other`() async throws {
    _ = try await stage.run("subscribe", stage.server.url("/b"), "--private")
    let shown = try #require(try await stage.library().podcasts().first?.reference.feedURL)
    for address in [stage.server.url("/b"), shown] {
      let list = "<opml><body><outline xmlUrl='\(address)'/></body></opml>"
      let outcome = try await stage.home.podcli("import", "-", "--json").input(list).run()
      #expect(outcome.status == .exited(0) && outcome.output.contains(#""added":0"#), "\(outcome)")
      #expect(try await stage.library().podcasts().map(\.reference.feedURL) == [shown])
    }
  }

  @Test func `C3: files and paths in a list are skipped, named, and not opened`() async throws {
    let feed = try stage.home.write(SampleFeed(title: "Local", episodes: 1).bytes, to: "feed.xml")
    let watch = try OpenWatch(feed)
    let names = ["file://" + feed, feed, "feed.xml", "./feed.xml", "private://host/1234"]
    let outlines = names.map { "<outline text=\"Odd\" xmlUrl=\"\($0)\"/>" }.joined()
    let list = "<opml><body>\(outlines)<outline text=\"A\" xmlUrl=\"\(stage.server.url("/a"))\"/></body></opml>"
    let outcome = try await stage.home.podcli("import", "-").in(stage.home.path).input(list).run()
    #expect(outcome.status == .exited(6), "\(outcome)")
    for name in names { #expect(outcome.error.contains("skipped, as '\(name)' is no web address"), "\(outcome)") }
    #expect(try await stage.library().podcasts().map(\.title) == ["Show a"])
    #expect(!watch.wasOpened)
    #expect(try await stage.run("subscribe", feed).status == .exited(0))
  }

  @Test func `a failed feed is named and does not stop the others`() async throws {
    stage.server.serve("/b", Response.status(500))
    let outcome = try await stage.home.podcli("import", "-").input(opml).run()
    #expect(outcome.status == .exited(6))
    #expect(outcome.error.contains("B: "))
    #expect(outcome.error.contains("status 500"))
    #expect(try await stage.library().podcasts().count == 2)
  }

  @Test func `slow servers do not delay other feeds`() async throws {
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

  @Test func `a dry run changes nothing`() async throws {
    let outcome = try await stage.home.podcli("import", "-", "--dry-run", "--json").input(opml).run()
    #expect(
      outcome.output.hasPrefix(
        #"{"feeds":[{"url":"\#(stage.server.url("/a"))","title":"A","folders":["News","Tech & more"]}"#))
    #expect(stage.server.requests.isEmpty)
  }

  @Test func `C1: a dry run names no password of the list`() async throws {
    let list = "<opml><body><outline text='A' xmlUrl='http://me:hunter2@h.example/feed'/></body></opml>"
    for format in [[], ["--json"]] {
      let outcome = try await stage.home.podcli(["import", "-", "--dry-run"] + format).input(list).run()
      #expect(outcome.output.contains("h.example/feed") && !outcome.output.contains("hunter2"), "\(outcome)")
    }
  }

  @Test func `the first import makes the first backup`() async throws {
    _ = try await stage.home.podcli("import", "-").input(opml).run()
    #expect(try await stage.run("backup", "--list").output.split(separator: "\n").count == 1)
  }

  @Test func `a file that is no list is status 1`() async throws {
    let outcome = try await stage.home.podcli("import", "-").input("<rss/>").run()
    #expect(outcome.status == .exited(1))
    #expect(try await stage.run("import", "/no/such/file").status == .exited(1))
  }

  @Test func `an exported list can be imported elsewhere`() async throws {
    _ = try await stage.home.podcli("import", "-").input(opml).run()
    let exported = try await stage.run("export").output
    #expect(exported.contains(#"<opml version="2.0">"#))
    let elsewhere = try TemporaryHome()
    #expect(try await elsewhere.podcli("import", "-").input(exported).run().status == .exited(0))
    #expect(try await elsewhere.podcli("export").run().output.dropDate == exported.dropDate)
  }

  @Test func `C1: a private feed is private also where the list of it is imported`() async throws {
    let secret = stage.server.url("/a")
    _ = try await stage.run("subscribe", secret, "--private")
    _ = try await stage.run("tag", "Show a", "Podcasts")
    _ = try await stage.run("subscribe", stage.server.url("/b"))
    let exported = try await stage.run("export", "--include-private").output
    #expect(exported.contains(secret))
    let elsewhere = try TemporaryHome()
    #expect(try await elsewhere.podcli("import", "-").input(exported).run().status == .exited(0))
    let plain = try await elsewhere.podcli("export").run()
    #expect(!plain.output.contains(secret) && plain.output.contains("Show b"), "\(plain)")
    // The tag of one podcast is no outline around all.
    #expect(try await elsewhere.podcli("export", "--include-private").run().output.dropDate == exported.dropDate)
  }

  @Test func `C1: private feeds are exported only on request`() async throws {
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
