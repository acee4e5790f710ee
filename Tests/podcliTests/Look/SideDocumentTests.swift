import TestSupport
import Testing

@testable import podcli

@Suite struct SideDocumentTests {
  private static let json = #"""
    {"version":"1.2.0","chapters":[{"startTime":60,"title":"Second"},{"startTime":0,"title":"First","url":"https://e.org"},
    {"startTime":30,"title":"Silent","toc":false}]}
    """#
  private static let vtt = """
    WEBVTT

    00:01.000 --> 00:02.500
    <v Anna>welcome to

    00:02.500 --> 00:04.000
    <v Anna>the show.

    00:10.000 --> 00:12.000
    <v Bert>the lighthouse

    """

  private func stage() async throws -> Stage {
    let stage = try Stage(episodes: 1, seconds: 1)
    var feed = SampleFeed(episodes: 2, mediaBase: stage.server.url("/media"), seconds: 600)
    feed.itemExtra[1] = """
      <podcast:chapters url="\(stage.server.url("/c.json"))" type="application/json+chapters"/>
      <podcast:transcript url="\(stage.server.url("/t.txt"))" type="text/plain"/>
      <podcast:transcript url="\(stage.server.url("/t.vtt"))" type="text/vtt"/>
      """
    stage.server.serve("/feed.xml", Response.feed(feed.bytes))
    stage.server.serve("/c.json", Response.ok(Self.json))
    stage.server.serve("/t.vtt", Response.ok(Self.vtt))
    try await stage.subscribe()
    return stage
  }

  @Test func `chapters are fetched, shown in order without hidden ones, and kept`() async throws {
    let stage = try await stage()
    #expect(try await stage.run("chapters", "1").output == "0:00\tFirst\thttps://e.org\n1:00\tSecond\t\n")
    #expect(
      try await stage.run("chapters", "1", "--offline", "--json").output
        == #"{"chapters":[{"start":0,"title":"First","url":"https://e.org"},{"start":60,"title":"Second"}]}"# + "\n")
    #expect(try await stage.run("search", "second").output.hasPrefix("1@1:00\t"))
    let none = try await stage.run("chapters", "2")
    #expect(none.status == .exited(0))
    #expect(none.error == "This episode has no chapters.\n")
  }

  @Test(arguments: [Response.status(404), .ok("{\"chapters\":[]}"), .ok("<html>Log in</html>")])
  func `where the feed's chapters cannot be read, those in the notes are shown`(answer: Response) async throws {
    let stage = try Stage(episodes: 1, seconds: 1)
    var feed = SampleFeed(episodes: 1, mediaBase: stage.server.url("/media"), seconds: 600)
    feed.itemExtra[1] = """
      <content:encoded xmlns:content="http://purl.org/rss/1.0/modules/content/">0:00 Begin&lt;br>1:00 Middle&lt;br>2:00 \
      End</content:encoded>
      <podcast:chapters url="\(stage.server.url("/c.json"))" type="application/json+chapters"/>
      """
    stage.server.serve("/feed.xml", Response.feed(feed.bytes))
    stage.server.serve("/c.json", answer)
    try await stage.subscribe()
    let shown = try await stage.run("chapters", "1")
    #expect(lines(shown.output).count == 3 && shown.status == .exited(0), "\(shown)")
  }

  @Test func `a download fetches chapters and transcript, for search and reading offline`() async throws {
    let stage = try await stage()
    #expect(try await stage.run("download", "1").status == .exited(0))
    #expect(try await stage.run("search", "lighthouse", "--offline").output.hasPrefix("1@0:10\t"))
    #expect(lines(try await stage.run("chapters", "1", "--offline").output).count == 2)
    #expect(lines(try await stage.run("transcript", "1", "--offline").output).count == 3)
  }

  @Test func `a transcript with times is preferred, kept and searched`() async throws {
    let stage = try await stage()
    #expect(
      try await stage.run("transcript", "1").output
        == "0:01\tAnna\twelcome to\n0:02\tAnna\tthe show.\n0:10\tBert\tthe lighthouse\n")
    #expect(lines(try await stage.run("transcript", "1", "--at", "9", "--offline").output).count == 2)
    #expect(lines(try await stage.run("transcript", "1@0:11", "--offline").output).count == 1)
    #expect(try await stage.run("search", "lighthouse").output.hasPrefix("1@0:10\t"))
    #expect(try await stage.json("playlist", "has:transcript").hasPrefix(#"[{"id":1,"#))
    #expect(try await stage.run("transcript", "2").error == "This episode has no transcript.\n")
  }

  @Test(arguments: ["<!DOCTYPE html><html><body><p>Log in</p></body></html>", "\u{1}\u{2}\u{5}\u{19}lock\u{7F}\u{6}"])
  func `a page or bytes in place of a transcript are not kept`(body: String) async throws {
    let stage = try await stage()
    stage.server.serve("/t.vtt", Response.ok(body, type: "text/html"))
    let outcome = try await stage.run("transcript", "1")
    #expect(outcome.status == .exited(1) && outcome.output.isEmpty, "\(outcome)")
    stage.server.serve("/t.vtt", Response.ok(Self.vtt))
    #expect(lines(try await stage.run("transcript", "1").output).count == 3)
  }

  @Test func `a transcript that is not there gives way to the next one`() async throws {
    let stage = try await stage()
    stage.server.serve("/t.vtt", .status(404))
    stage.server.serve("/t.txt", .ok("Alice: hello\n", type: "text/plain"))
    #expect(try await stage.run("transcript", "1").output.contains("hello"))
    let other = try await self.stage()
    other.server.serve("/t.vtt", .status(404))
    other.server.serve("/t.txt", .status(410))
    let failed = try await other.run("transcript", "1")
    #expect(failed.error.contains("/t.vtt answered with status 404"), "\(failed)")
  }

  @Test func `without a connection it is a failure of the network`() async throws {
    let stage = try await stage()
    #expect(try await stage.run("transcript", "1", "--offline").status == .exited(5))
    stage.server.serve("/c.json", Response.status(404))
    let gone = try await stage.run("chapters", "1")
    #expect(gone.status == .exited(5))
    #expect(gone.error.contains("404"))
    stage.server.serve("/c.json", Response.ok("<html>no</html>"))
    #expect(try await stage.run("chapters", "1").status == .exited(1))
  }

  /// A feed whose first episode has chapters and a transcript below an address.
  private func feed(with address: String) -> [UInt8] {
    var feed = SampleFeed(episodes: 1, seconds: 600)
    feed.itemExtra[1] = """
      <podcast:chapters url="\(address)/c.json" type="application/json+chapters"/>
      <podcast:transcript url="\(address)/t.vtt" type="text/vtt"/>
      """
    return feed.bytes
  }

  @Test func `those of a private feed are fetched with its credentials, and from another host without`() async throws {
    let stage = try Stage(episodes: 1, seconds: 1)
    let other = try LoopbackServer(host: "127.0.0.2")
    for (server, name) in [(stage.server, "own"), (other, "other")] {
      stage.server.serve("/\(name).xml", Response.feed(feed(with: server.origin)))
      for (path, text) in [("/c.json", Self.json), ("/t.vtt", Self.vtt)] {
        server.serve(path) { request in
          // me:hunter2
          request.header("Authorization") == "Basic bWU6aHVudGVyMg==" ? Response.ok(text) : Response.status(401)
        }
      }
      let arguments = ["subscribe", stage.server.url("/\(name).xml"), "--user", "me", "--password-stdin"]
      #expect(try await stage.home.podcli(arguments).input("hunter2\n").run().status == .exited(0))
    }
    #expect(lines(try await stage.run("chapters", "1").output).count == 2)
    #expect(lines(try await stage.run("transcript", "1").output).count == 3)
    #expect(try await stage.run("transcript", "2").status == .exited(4))
    #expect(other.requests.count == 1 && other.requests.allSatisfy { $0.header("Authorization") == nil })
  }

  @Test func `where the feed links to others, those are fetched, and until then the ones of before stay`() async throws
  {
    let stage = try Stage(episodes: 1, seconds: 1)
    func link(to folder: String) async throws {
      stage.server.serve("/feed.xml", Response.feed(feed(with: stage.server.url(folder))))
      try #require(try await stage.run("refresh", "--force").status == .exited(0))
    }
    stage.server.serve("/feed.xml", Response.feed(feed(with: stage.server.url("/1"))))
    stage.server.serve("/1/c.json", Response.ok(Self.json))
    stage.server.serve("/1/t.vtt", Response.ok(Self.vtt))
    try await stage.subscribe()
    for command in ["chapters", "transcript"] { #expect(try await stage.run(command, "1").status == .exited(0)) }
    try await link(to: "/2")
    for more in [[], ["--offline"]] {
      #expect(lines(try await stage.home.podcli(["chapters", "1"] + more).run().output).count == 2)
      #expect(lines(try await stage.home.podcli(["transcript", "1"] + more).run().output).count == 3)
    }
    stage.server.serve("/2/c.json", Response.ok(#"{"chapters":[{"startTime":5,"title":"Other"}]}"#))
    stage.server.serve("/2/t.vtt", Response.ok("WEBVTT\n\n00:01.000 --> 00:02.000\nOther\n"))
    for _ in 1...2 {
      #expect(try await stage.run("chapters", "1").output == "0:05\tOther\t\n")
      #expect(try await stage.run("transcript", "1").output.contains("Other"))
    }
    #expect(stage.server.requests(to: "/2/t.vtt").count == 2)
    // An empty document takes away those of the document before, and no others.
    stage.server.serve("/3/c.json", Response.ok(#"{"chapters":[]}"#))
    stage.server.serve("/3/t.vtt", Response.status(404))
    try await link(to: "/3")
    #expect(try await stage.run("chapters", "1").error == "This episode has no chapters.\n")
    #expect(try await stage.run("transcript", "1", "--offline").output.contains("Other"))
  }

  @Test func `a file that is none is an error`() async throws {
    let home = try TemporaryHome()
    let path = try home.write("\u{1}\u{2}", to: "sound.mp3")
    for command in ["chapters", "transcript"] {
      let outcome = try await home.podcli(command, path).run()
      #expect(outcome.status == .exited(1) && outcome.error.contains("that podcli can read"), "\(outcome)")
    }
  }

  @Test func `those of a feed on this machine are files, which a feed from the web cannot name`() async throws {
    let stage = try Stage(episodes: 1, seconds: 1)
    let folder = "file://" + stage.home.path
    let path = try stage.home.write(feed(with: folder), to: "feed.xml")
    _ = try stage.home.write(Self.json, to: "c.json")
    #expect(try await stage.run("subscribe", path).status == .exited(0))
    #expect(lines(try await stage.run("chapters", "1").output).count == 2)
    let missing = try await stage.run("transcript", "1")
    #expect(missing.status == .exited(3) && missing.error.contains("t.vtt cannot be read"), "\(missing)")
    _ = try stage.home.write(Self.vtt, to: "t.vtt")
    #expect(lines(try await stage.run("transcript", "1").output).count == 3)
    stage.server.serve("/feed.xml", Response.feed(feed(with: folder)))
    try await stage.subscribe()
    #expect(try await stage.run("transcript", "2").error.contains("podcli opens http and https only"))
  }

  @Test func `chapters and transcripts are read from files and standard input`() async throws {
    let home = try TemporaryHome()
    let file = try home.write(Self.json, to: "c.json")
    #expect(try await home.podcli("chapters", file).run().output == "0:00\tFirst\thttps://e.org\n1:00\tSecond\t\n")
    let piped = try await home.podcli("transcript", "-", "--json").input(Self.vtt).run()
    #expect(piped.output.hasPrefix(#"{"segments":[{"start":1,"end":2.5,"text":"welcome to","speaker":"Anna"},"#))
    #expect(try await home.podcli("chapters", "-").input("no").run().status == .exited(1))
    #expect(try await home.podcli("chapters", "/no/such/file").run().status == .exited(3))
  }

  @Test(arguments: [40, 80])
  func `captions become paragraphs that fit the screen`(columns: Int) async throws {
    let screen = plain(try await stage().screen(["transcript", "1"], columns: columns))
    #expect(screen == "    0:01  Anna: welcome to the show.\n    0:10  Bert: the lighthouse\n")
  }
}
