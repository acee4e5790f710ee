import Glibc
import PodcastModel
import PodcastStore
import TestSupport
import Testing

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

  /// The output of every command about the podcast, in every form.
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

  @Test func `401 is status 4 with a hint about credentials`() async throws {
    let outcome = try await stage.run("subscribe", stage.server.url("/private"))
    #expect(outcome.status == .exited(4))
    #expect(outcome.error.contains("--user NAME --password-stdin"))
  }

  @Test func `a secret address that was renewed keeps its podcast, and is never shown`() async throws {
    _ = try await stage.run("subscribe", stage.server.url("/t0k3n/feed"), "--private")
    try await stage.seed { try await $0.savePosition(.seconds(1), of: .init(rawValue: 1), urgency: .flush) }
    stage.server.serve("/t0k3n/feed", Response.status(403))
    let refused = try await stage.run("refresh")
    #expect(refused.error.contains("podcli subscribe NEW-ADDRESS --instead-of private://127.0.0.1/"), "\(refused)")
    stage.server.serve("/r3n3w3d/feed", Response.status(404))
    let failed = try await stage.run("subscribe", stage.server.url("/r3n3w3d/feed"), "--instead-of", "secret")
    #expect(failed.status == .exited(5) && !(failed.output + failed.error).contains("r3n3w3d"), "\(failed)")
    stage.server.serve("/r3n3w3d/feed", Response.feed(SampleFeed(title: "Secret", episodes: 2).bytes))
    let moved = try await stage.run("subscribe", stage.server.url("/r3n3w3d/feed"), "--instead-of", "secret")
    #expect(moved.output == "Moved Secret: 2 episodes, 1 new\n", "\(moved)")
    #expect(try await stage.run("refresh", "--force").status == .exited(0))
    #expect(stage.server.requests.last?.path == "/r3n3w3d/feed")
    #expect(try await stage.position(of: 1) == 1)
    let said = try await everythingSaid()
    #expect(!said.contains("r3n3w3d") && !said.contains("t0k3n"), "\(said)")
  }

  @Test func `C1: a password comes from standard input, works at every refresh, and is never shown`() async throws {
    let arguments = ["subscribe", stage.server.url("/private"), "--user", "me", "--password-stdin"]
    let outcome = try await stage.home.podcli(arguments).input("hunter2\n").run()
    #expect(outcome.output == "Subscribed to Secret: 1 episode\n")
    #expect(try await stage.run("refresh").status == .exited(0))
    #expect(!(try await everythingSaid()).contains("hunter2"))
    try expectPrivateFiles()
    let wrong = try await stage.home.podcli(arguments).input("wrong\n").run()
    #expect(wrong.status == .exited(4) && wrong.error.contains("refused user and password"), "\(wrong)")
    #expect(try await stage.run("refresh").status == .exited(0))
  }

  @Test func `C1: user and password are removed from an address`() async throws {
    let address = stage.server.url("/private").replacing("http://", with: "http://me:hunter2@")
    #expect(try await stage.run("subscribe", address).output == "Subscribed to Secret: 1 episode\n")
    #expect(try await stage.run("subscribe", address).output.hasPrefix("Already subscribed"))
    #expect(try await stage.library().podcasts().map(\.reference.feedURL) == [stage.server.url("/private")])
    #expect(!(try await everythingSaid()).contains("hunter2"))
  }

  @Test func `C1: a secret address works and is never shown`() async throws {
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

  @Test func `C2: credentials go to no other port, where a redirect or the feed itself leads there`() async throws {
    let other = try LoopbackServer()
    other.serve("/feed", Response.feed(SampleFeed(title: "Other", episodes: 1).bytes))
    stage.server.serve("/away", Response.redirect(to: other.url("/feed"), status: 301))
    var moving = SampleFeed(title: "Moving", episodes: 1)
    moving.channelExtra = "<itunes:new-feed-url>\(other.url("/new"))</itunes:new-feed-url>"
    stage.server.serve("/moving", Response.feed(moving.bytes))
    other.serve("/new", Response.feed(SampleFeed(title: "Moving", episodes: 1).bytes))
    for path in ["/away", "/moving"] {
      let arguments = ["subscribe", stage.server.url(path), "--user", "me", "--password-stdin"]
      #expect(try await stage.home.podcli(arguments).input("hunter2\n").run().status == .exited(0))
    }
    for _ in 1...2 { #expect(try await stage.run("refresh", "--force").status == .exited(0)) }
    #expect(stage.server.requests.contains { $0.header("Authorization") != nil })
    #expect(other.requests(to: "/feed").count >= 2 && other.requests(to: "/new").count >= 2)
    #expect(other.requests.allSatisfy { $0.header("Authorization") == nil })
  }

  @Test func `C2: a password goes with the address that it was given for, not to where the podcast has moved once`()
    async throws
  {
    let other = try LoopbackServer()
    let feed = Response.feed(SampleFeed(title: "Secret", episodes: 1).bytes)
    other.serve("/feed", feed)
    stage.server.serve("/feed", Response.redirect(to: other.url("/feed"), status: 301))
    #expect(try await stage.run("subscribe", stage.server.url("/feed")).status == .exited(0))
    #expect(try await stage.library().podcasts().map(\.reference.feedURL) == [other.url("/feed")])
    stage.server.serve("/feed") { request in
      request.header("Authorization") == nil
        ? Response.status(401).header("WWW-Authenticate", "Basic realm=\"x\"") : feed
    }
    let arguments = ["subscribe", stage.server.url("/feed"), "--user", "me", "--password-stdin"]
    #expect(try await stage.home.podcli(arguments).input("hunter2\n").run().status == .exited(0))
    #expect(try await stage.run("refresh", "--force").status == .exited(0))
    #expect(!other.requests.contains { $0.header("Authorization") != nil })
    #expect(try await stage.library().podcasts().map(\.reference.feedURL) == [stage.server.url("/feed")])
  }

  @Test func `C2: credentials for a page go to no other server whose feed it links`() async throws {
    let other = try LoopbackServer()
    other.serve("/feed", Response.feed(SampleFeed(title: "Linked", episodes: 1).bytes))
    let link = "<link rel='alternate' type='application/rss+xml' href='\(other.url("/feed"))'>"
    stage.server.serve("/page", Response.ok("<html><head>\(link)</head></html>", type: "text/html"))
    let arguments = ["subscribe", stage.server.url("/page"), "--user", "me", "--password-stdin"]
    let outcome = try await stage.home.podcli(arguments).input("hunter2\n").run()
    #expect(outcome.output == "Subscribed to Linked: 1 episode\n", "\(outcome)")
    #expect(stage.server.requests(to: "/page").first?.header("Authorization") != nil)
    #expect(!other.requests.isEmpty && other.requests.allSatisfy { $0.header("Authorization") == nil })
  }

  @Test func `C1: what lists show of a secret address can be subscribed to where the secret is`() async throws {
    _ = try await stage.run("subscribe", stage.server.url("/t0k3n/feed"), "--private")
    let shown = try #require(try await stage.library().podcasts().first?.reference.feedURL)
    #expect(shown.hasPrefix("private://"))
    let again = try await stage.run("subscribe", shown)
    #expect(again.output.hasPrefix("Already subscribed"), "\(again)")
    let elsewhere = try await TemporaryHome().podcli("subscribe", shown).run()
    #expect(elsewhere.status == .exited(4) && elsewhere.error.contains("--private"), "\(elsewhere)")
  }

  @Test func `C1: a podcast is followed once, in clear and then with --private, and stays private`() async throws {
    let address = stage.server.url("/t0k3n/feed")
    #expect(try await stage.run("subscribe", address).status == .exited(0))
    _ = try await stage.run("mark", "favourite", "1")
    #expect(try await stage.run("subscribe", address, "--private").output.hasPrefix("Already subscribed"))
    #expect(!(try await everythingSaid()).contains("t0k3n"))
    #expect(try await stage.run("refresh", "--force").status == .exited(0))
    // In clear, as a list of another app has it, and in a list.
    #expect(try await stage.run("subscribe", address).output.hasPrefix("Already subscribed"))
    try stage.home.write("<opml><body><outline type='rss' xmlUrl='\(address)'/></body></opml>", to: "list.opml")
    #expect(try await stage.run("import", stage.home.path + "/list.opml").status == .exited(0))
    let podcasts = try await stage.library().podcasts()
    #expect(podcasts.count == 1 && podcasts[0].isPrivate && podcasts[0].reference.feedURL.hasPrefix("private://"))
    #expect(try await stage.library().episodes(matching: EpisodeFilter(words: ["favourite"]), limit: 9).count == 1)
    #expect(!(try await everythingSaid()).contains("t0k3n"))
  }

  @Test func `C1: a public feed that moves to a secret address is private from then on`() async throws {
    stage.server.serve("/open", Response.feed(SampleFeed(title: "Secret", episodes: 1).bytes))
    #expect(try await stage.run("subscribe", stage.server.url("/open")).status == .exited(0))
    stage.server.serve("/open", Response.redirect(to: stage.server.url("/moved?token=t0k3n"), status: 301))
    stage.server.serve("/moved", Response.feed(SampleFeed(title: "Secret", episodes: 1).bytes))
    _ = try await stage.run("refresh", "--force")
    let podcast = try #require(try await stage.library().podcasts().first)
    #expect(podcast.isPrivate && podcast.reference.feedURL.hasPrefix("private://"))
    #expect(!(try await everythingSaid()).contains("t0k3n"))
  }

  @Test func `C1: a public feed that moves to the address of a private one stays where it is`() async throws {
    let secret = stage.server.url("/t0k3n/feed")
    #expect(try await stage.run("subscribe", secret, "--private").status == .exited(0))
    stage.server.serve("/open", Response.feed(SampleFeed(title: "Secret", episodes: 1).bytes))
    #expect(try await stage.run("subscribe", stage.server.url("/open")).status == .exited(0))
    stage.server.serve("/open", Response.redirect(to: secret, status: 301))
    _ = try await stage.run("refresh", "--force")
    let addresses = try await stage.library().podcasts().map(\.reference.feedURL)
    #expect(addresses.count == 2 && !addresses.contains { $0.contains("t0k3n") }, "\(addresses)")
    #expect(!(try await everythingSaid()).contains("t0k3n"))
  }

  @Test func `C1: the password of a secret address stays when that is subscribed to again`() async throws {
    let address = stage.server.url("/private") + "?token=t0k3n"
    let arguments = ["subscribe", address, "--user", "me", "--password-stdin"]
    _ = try await stage.home.podcli(arguments).input("hunter2\n").run()
    #expect(try await stage.run("subscribe", address).output.hasPrefix("Already subscribed"))
    #expect(try await stage.run("refresh", "--force").status == .exited(0))
  }

  @Test func `C1: an address with a password hides it from the list of processes`() async throws {
    let gate = Gate()
    stage.server.serve("/slow", Response.ok("").delayed(until: gate))
    let address = stage.server.url("/slow").replacing("http://", with: "http://me:hunter2@") + "?token=t0k3n"
    let running = try stage.home.podcli("subscribe", address).start()
    try await stage.server.wait(for: "the request") { $0.contains { $0.request.path == "/slow" } }
    let line = String(decoding: try contents(of: "/proc/\(running.pid)/cmdline"), as: UTF8.self)
    #expect(line.contains("subscribe") && !line.contains("hunter2") && !line.contains("t0k3n"), "\(line)")
    gate.open()
    _ = try await running.end()
    let preview = try await stage.json(
      "preview", stage.server.url("/t0k3n/feed").replacing("//", with: "//me:hunter2@"))
    #expect(!preview.contains("hunter2"))
  }

  @Test func `C1: the files of a private feed are named by their host only`() async throws {
    var feed = SampleFeed(title: "Secret", episodes: 1, mediaBase: stage.server.url("/t0k3n"))
    let secret = "http://me:hunter2@127.0.0.1/a.png"
    let transcript = "<podcast:transcript url='http://127.0.0.1/1.vtt?token=s3cr3t' type='text/vtt'/>"
    feed.itemExtra[1] =
      "<link>\(secret)</link>\(transcript)"
      + "<itunes:image href='\(secret)'/><podcast:person href='\(secret)'>Ann</podcast:person>"
    feed.channelExtra = "<itunes:image href='\(secret)'/><podcast:funding url='\(secret)'>Help</podcast:funding>"
    let text = String(decoding: feed.bytes, as: UTF8.self)
      .replacing("<guid isPermaLink=\"false\">secret-1</guid>", with: "")
      .replacing("<link>\(feed.mediaBase)/</link>", with: "<link>\(secret)</link>")
    stage.server.serve("/t0k3n/feed", Response.feed(Array(text.utf8)))
    _ = try await stage.run("subscribe", stage.server.url("/t0k3n/feed"), "--private")
    for words in [["playlist"], ["info", "1"], ["episodes", "1"], ["podcasts"], ["info", "Secret"]] {
      let output = try await stage.home.podcli(words + ["--json"]).run().output
      #expect(output.contains("127.0.0.1/a.png") && output.contains("Secret"), "\(output)")
      #expect(!output.contains("t0k3n/1") && !output.contains("hunter2") && !output.contains("s3cr3t"), "\(output)")
    }
    let preview = try await stage.json("preview", stage.server.url("/t0k3n/feed"))
    #expect(preview.contains("127.0.0.1/a.png") && !preview.contains("hunter2"), "\(preview)")
  }

  @Test func `C1: relative links of notes are not shown with the secret address of the feed`() async throws {
    var feed = SampleFeed(title: "Secret", episodes: 1, mediaBase: stage.server.url("/media"))
    feed.itemExtra[1] =
      "<content:encoded xmlns:content=\"http://purl.org/rss/1.0/modules/content/\"><![CDATA[<p>Read <a href=\"x/1\">this</a></p>]]></content:encoded>"
    let text = String(decoding: feed.bytes, as: UTF8.self)
      .replacing("<link>\(feed.mediaBase)/</link>", with: "<link>./</link>")
    stage.server.serve("/t0k3n/feed", Response.feed(Array(text.utf8)))
    _ = try await stage.run("subscribe", stage.server.url("/t0k3n/feed"), "--private")
    for words in [["info", "1"], ["info", "1", "--json"]] {
      let output = try await stage.home.podcli(words).run().output
      #expect(output.contains("[1]") && output.contains("x/1") && !output.contains("t0k3n"), "\(output)")
    }
  }

  @Test func `a podcast that is deleted takes its secret with it`() async throws {
    let arguments = ["subscribe", stage.server.url("/private"), "--user", "me", "--password-stdin"]
    _ = try await stage.home.podcli(arguments).input("hunter2\n").run()
    let secrets = stage.home.path + "/podcli/secrets"
    #expect(try String(decoding: contents(of: secrets), as: UTF8.self).contains("hunter2"))
    #expect(try await stage.run("unsubscribe", "1").status == .exited(0))
    #expect(try String(decoding: contents(of: secrets), as: UTF8.self).contains("hunter2"))
    #expect(try await stage.run("unsubscribe", stage.server.url("/private"), "--delete", "--yes").status == .exited(0))
    #expect(try !String(decoding: contents(of: secrets), as: UTF8.self).contains("hunter2"))
    #expect(try await stage.run("subscribe", stage.server.url("/private")).status == .exited(4))
  }

  @Test func `a backup carries secrets on request, and a restore names the feeds that lack theirs`() async throws {
    let secret = stage.server.url("/t0k3n/feed")
    _ = try await stage.run("subscribe", secret, "--private")
    let arguments = ["subscribe", stage.server.url("/private"), "--user", "me", "--password-stdin"]
    _ = try await stage.home.podcli(arguments).input("hunter2\n").run()
    let (plain, full) = (stage.home.path + "/plain.db", stage.home.path + "/full.db")
    #expect(try await stage.run("backup", plain).error.contains("podcli backup --with-secrets FILE"))
    #expect(try await stage.run("backup", "--with-secrets").status == .exited(2))
    #expect(try await stage.run("backup", "--with-secrets", full).status == .exited(0))
    var information = stat()
    #expect(stat(full, &information) == 0 && information.st_mode & 0o777 == 0o600)
    #expect(!String(decoding: try contents(of: plain), as: UTF8.self).contains("hunter2"))

    let home = try TemporaryHome()
    let lacking = try await home.podcli("restore", plain).run()
    #expect(
      lacking.status == .exited(0) && lacking.error.contains("podcli subscribe FEED-URL --instead-of 1"), "\(lacking)")
    #expect(lacking.error.contains("podcli subscribe \(stage.server.url("/private")) --user NAME --password-stdin"))
    #expect(try await home.podcli("refresh", "--force").run().status == .exited(4))
    #expect(try await home.podcli("subscribe", secret, "--private").run().output.hasPrefix("Already subscribed"))
    #expect(try await home.podcli(arguments).input("hunter2\n").run().output.hasPrefix("Already subscribed"))
    #expect(try await home.podcli("refresh", "--force").run().status == .exited(0))

    let other = try TemporaryHome()
    let restored = try await other.podcli("restore", full).run()
    #expect(restored.status == .exited(0) && !restored.error.contains("podcli subscribe"), "\(restored)")
    #expect(try await other.podcli("refresh", "--force").run().status == .exited(0))
    let library = String(decoding: try contents(of: other.path + "/podcli/library.db"), as: UTF8.self)
    #expect(!library.contains("hunter2") && !library.contains("t0k3n"))
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
