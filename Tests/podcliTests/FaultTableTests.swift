import Glibc
import PodcastModel
import PodcastStore
import TestSupport
import Testing

/// A server that misbehaves, and what podcli makes of it.
@Suite struct NetworkFaultTests {
  private let stage: Stage
  private static let sample = SampleFeed(title: "Sample", episodes: 3).bytes
  /// 64 MB for a release; what is built for tests maps the shared Swift libraries on top.
  /// A sanitizer's own memory is no measure of anything.
  private static let memory =
    (getenv("ASAN_OPTIONS") ?? getenv("TSAN_OPTIONS")) == nil ? 84 << 20 : Int.max

  init() throws { stage = try Stage(episodes: 1, seconds: 1) }

  struct Fault: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var response: Response
    var status: Int32
    var says: String

    init(_ name: String, _ response: Response, exits status: Int32, says: String) {
      testDescription = name
      self.response = response
      self.status = status
      self.says = says
    }
  }

  private static func xml(_ text: String) -> Response { .feed(Array(text.utf8)) }

  /// Cold, so that nothing was there before; and once more as the refresh of a feed that was good.
  private func expect(_ fault: Fault) async throws {
    let stage = self.stage
    stage.server.serve("/fault", fault.response)
    stage.server.serve("/good", Response.feed(Self.sample))
    let (cold, peak, time) = try await measured("subscribe", stage.server.url("/fault"))
    #expect(cold.status == .exited(fault.status), "\(cold)")
    #expect(peak < Self.memory)
    note(fault, cold, peak, time)
    #expect(cold.error.contains(fault.says), "\(cold)")
    #expect(cold.error.utf8.allSatisfy { $0 == 10 || $0 >= 32 })
    #expect(try await stage.run("podcasts").output.isEmpty)

    stage.server.serve("/fault", Response.feed(Self.sample).header("ETag", "\"good\""))
    _ = try await stage.run("subscribe", stage.server.url("/fault"), stage.server.url("/good"))
    stage.server.serve("/fault", fault.response.header("ETag", "\"bad\""))
    stage.server.serve("/good", Response.feed(SampleFeed(title: "Sample", episodes: 4).bytes))
    let warm = try await stage.run("refresh", "--force")
    #expect(warm.status == .exited(6), "\(warm)")
    #expect(warm.error.contains("1 new episode"))
    #expect(try await stage.library().podcasts().map(\.episodeCount).sorted() == [3, 4])
    #expect(try await stage.library().feed(of: .init(rawValue: 1))?.validators.etag == "\"good\"")
  }

  static let stalls = [
    Fault("H1: silence", Response.ok("x").neverAnswering(), exits: 5, says: "cannot be reached"),
    Fault("H1: silence in the middle", Response.feed(sample).stalling(at: 200), exits: 5, says: "cannot be reached"),
    Fault("H1: a slow drip", Response.feed(sample).throttled(bytesPerSecond: 20), exits: 5, says: "cannot be reached"),
    Fault("H1: endless headers", .endlessHead(), exits: 5, says: "cannot be reached"),
    Fault(
      "H1: endless headers, unhurried", .endlessHead().paced(1, every: .milliseconds(20)), exits: 5,
      says: "cannot be reached"),
    Fault(
      "H1: a slow drip of headers", .endlessHead().paced(1, every: .seconds(1)), exits: 5, says: "cannot be reached"),
  ]

  @Test(arguments: stalls)
  func `a peer that keeps everybody waiting is left within 20 s`(fault: Fault) async throws {
    let stage = self.stage
    stage.server.serve("/fault", fault.response)
    let (outcome, peak, time) = try await measured("subscribe", stage.server.url("/fault"))
    #expect(outcome.status == .exited(fault.status), "\(outcome)")
    #expect(outcome.error.contains(fault.says))
    // The bound is the promise itself, far from what it takes.
    #expect(time < .seconds(20))
    #expect(peak < Self.memory)
    note(fault, outcome, peak, time)
    #expect(try await stage.run("podcasts").output.isEmpty)
  }

  static let answers = [
    Fault("H2: 500", .status(500), exits: 5, says: "500"),
    Fault("H2: 429 for an hour", Response.status(429).header("Retry-After", "3600"), exits: 5, says: "429"),
    Fault("H2: 503 for an hour", Response.status(503).header("Retry-After", "3600"), exits: 5, says: "503"),
    Fault("H3: 404", .status(404), exits: 5, says: "404"),
    Fault("H3: 410", .status(410), exits: 5, says: "gone for good"),
    Fault("H4: a redirect loop", .redirect(to: "/fault"), exits: 5, says: "redirects"),
    Fault("H4: a permanent loop", .redirect(to: "/fault", status: 301), exits: 5, says: "redirects"),
    Fault("H4: a redirect to a file", .redirect(to: "file:///etc/passwd"), exits: 1, says: "refused"),
    Fault("H4: a redirect to ftp", .redirect(to: "ftp://127.0.0.1/x"), exits: 1, says: "refused"),
    Fault("H6: cut before its length", Response.feed(sample).truncated(at: 900), exits: 5, says: "cannot be reached"),
    Fault("H6: a length too great", Response.feed(sample).claimingLength(sample.count + 100), exits: 5, says: "cannot"),
    Fault("H6: reset", Response.feed(sample).reset(at: 900), exits: 5, says: "cannot be reached"),
    Fault("H6: a broken chunk", Response.feed(sample).chunked(100).truncated(at: 900), exits: 5, says: "cannot"),
    Fault("H9: no HTTP", .garbage(Array("\u{1B}[31mSSH-2.0-x\r\n\r\n".utf8)), exits: 5, says: "cannot be reached"),
    Fault("H9: nothing at all", .garbage([]), exits: 5, says: "cannot be reached"),
    Fault(
      "H10: a web page", .ok("<!doctype html><html><body>Hi</body></html>", type: "text/html"), exits: 1,
      says: "not a podcast feed"),
    Fault("H10: JSON", .ok("{\"a\":1}", type: "application/json"), exits: 1, says: "not a podcast feed"),
    Fault("H10: an empty body", .ok("", type: "text/xml"), exits: 1, says: "not a podcast feed"),
    Fault("H8: an endless page", .endless(Array("blah ".utf8), type: "text/html"), exits: 1, says: ""),
    Fault(
      "H8: an endless feed", .endless(Array("<rss><channel><item><title>x</title></item>".utf8), type: "text/xml"),
      exits: 1, says: ""),
    Fault(
      "X1: an external entity alone", xml(#"<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>"#),
      exits: 1, says: "not a podcast feed"),
    Fault(
      "X2: ten thousand levels", xml("<rss><channel>" + String(repeating: "<a>", count: 10_000)), exits: 1, says: ""),
  ]

  @Test(arguments: answers)
  func `ends with the right status, stores nothing, and lets the other feed be`(fault: Fault) async throws {
    try await expect(fault)
  }

  @Test(arguments: [("gzip", "gzip -9"), ("gzip, gzip", "gzip -9 | gzip -9")])
  func `H8: a bomb is stopped at 64 MB, in less memory`(encoding: String, packing: String) async throws {
    let head = "<rss><channel><title>Bomb</title><description>"
    let bomb = try await stage.home.program(
      "/bin/sh", "-c", "(printf '\(head)'; head -c 200000000 /dev/zero | tr '\\0' a) | \(packing)"
    ).run().outputBytes
    stage.server.serve("/bomb", Response.ok(bomb, type: "text/xml").header("Content-Encoding", encoding))
    let (outcome, peak, time) = try await measured("subscribe", stage.server.url("/bomb"))
    #expect(outcome.status == .exited(1), "\(outcome)")
    #expect(outcome.error.contains("too large") || outcome.error.contains("cannot be read"))
    #expect(peak < Self.memory)
    #expect(try await stage.run("podcasts").output.isEmpty)
    note(Fault("H8: a bomb of 200 MB, \(encoding)", .status(200), exits: 1, says: ""), outcome, peak, time)
  }

  @Test func `H8: what is packed in a way that was not asked for is refused`() async throws {
    stage.server.serve("/packed", Response.ok("<rss/>", type: "text/xml").header("Content-Encoding", "br"))
    let (outcome, _, _) = try await measured("subscribe", stage.server.url("/packed"))
    #expect(outcome.status == .exited(5), "\(outcome)")
    #expect(outcome.error.contains("packed in a way that was not asked for: br"))
  }

  /// One line of the table, for people, where `PODCLI_FAULT_TABLE` names a file.
  private func note(_ fault: Fault, _ outcome: Outcome, _ peak: Int, _ time: Duration) {
    guard let path = getenv("PODCLI_FAULT_TABLE"), let file = fopen(path, "a") else { return }
    defer { fclose(file) }
    let seconds = Double(time / .milliseconds(1)) / 1000
    let message = outcome.error.split(separator: "\n").first.map(String.init) ?? ""
    fputs("| \(fault.testDescription) | \(outcome.status) | \(seconds) s | \(peak >> 20) MB | \(message) |\n", file)
  }

  @Test(arguments: [100, 10_000])
  func `X2: a tag with too many attributes is cut or refused`(count: Int) async throws {
    let attributes = (0..<count).map { "a\($0)='' " }.joined()
    let outcome = try await stage.home.podcli("preview", "-")
      .input("<rss><channel \(attributes)><title>x</title></channel></rss>").run()
    #expect([.exited(0), .exited(1)].contains(outcome.status))
  }

  /// Runs podcli below a small program, since the kernel counts a process's memory from before it became podcli.
  private func measured(_ arguments: String...) async throws -> (Outcome, peak: Int, time: Duration) {
    let script = """
      my $status = system(@ARGV); my $usage = "\\0" x 256;
      syscall(`uname -m` =~ /aarch64/ ? 165 : 98, -1, $usage);
      open(my $file, ">", "peak"); print $file (unpack("q5", $usage))[4]; exit($status >> 8);
      """
    var program = stage.home.program("perl", ["-e", script, builtProduct("podcli")] + arguments)
    program = program.in(stage.home.path)
    let start = ContinuousClock.now
    let outcome = try await program.run()
    let time = ContinuousClock.now - start
    let peak = try String(decoding: contents(of: stage.home.path + "/peak"), as: UTF8.self)
    return (outcome, try #require(Int(peak)) << 10, time)
  }

  @Test func `H4: ten redirects are followed, eleven are not`() async throws {
    for hop in 0..<11 { stage.server.serve("/hop\(hop)", Response.redirect(to: "/hop\(hop + 1)")) }
    stage.server.serve("/hop11", Response.feed(Self.sample))
    #expect(try await stage.run("subscribe", stage.server.url("/hop0")).status == .exited(5))
    #expect(try await stage.run("subscribe", stage.server.url("/hop1")).status == .exited(0))
  }

  @Test func `H7: what is whole of half a feed is kept, and it is asked for again`() async throws {
    let whole = SampleFeed(title: "Half", episodes: 40).bytes
    let half = Response.feed(whole).withoutLength().truncated(at: whole.count / 2).header("ETag", "\"half\"")
    stage.server.serve("/half", half)
    let outcome = try await stage.run("subscribe", stage.server.url("/half"))
    #expect(outcome.status == .exited(0))
    #expect(outcome.error.contains("incomplete"))
    let kept = try #require(try await stage.library().podcasts().first?.episodeCount)
    #expect((15..<25).contains(kept))
    stage.server.serve("/half", Response.feed(whole))
    _ = try await stage.run("refresh")
    #expect(stage.server.requests.last?.header("If-None-Match") == nil)
    #expect(try await stage.library().podcasts().first?.episodeCount == 40)
    stage.server.serve("/half", half)
    #expect(try await stage.run("refresh").error.contains("incomplete"))
    #expect(try await stage.library().podcasts().first?.episodeCount == 40)
  }

  @Test func `H7: half of a compressed feed is the same`() async throws {
    let whole = SampleFeed(title: "Half", episodes: 400).bytes
    let gzip = try await Program("/usr/bin/gzip", ["-1c"]).input(.bytes(whole)).run().outputBytes
    let response = Response.gzipped(Array(gzip.prefix(gzip.count / 2)), type: "text/xml").header("ETag", "\"half\"")
    stage.server.serve("/half", response)
    let outcome = try await stage.run("subscribe", stage.server.url("/half"))
    #expect(outcome.status == .exited(0) || outcome.status == .exited(5), "\(outcome)")
    let etags = try await stage.library().feeds().map(\.validators.etag)
    #expect(etags.allSatisfy { $0 == nil })
  }

  @Test(arguments: ["text/plain", "image/png", "application/octet-stream", ""])
  func `H10: a feed is known by its content`(type: String) async throws {
    stage.server.serve("/feed", Response.ok(Self.sample, type: type))
    #expect(try await stage.run("subscribe", stage.server.url("/feed")).status == .exited(0))
  }

  @Test func `X4: the encoding that the server names is believed`() async throws {
    let bytes = Array("<rss><channel><title>caf".utf8) + [0xE9] + Array("</title></channel></rss>".utf8)
    stage.server.serve("/feed", Response.ok(bytes, type: "text/xml; charset=\"ISO-8859-1\""))
    #expect(try await stage.run("subscribe", stage.server.url("/feed")).output.contains("café"))
  }

  @Test func `H11: a certificate that nobody vouches for is status 5, and one's own authority is a variable`()
    async throws
  {
    let proxy = try await SecureProxy(before: stage.server, in: stage.home)
    stage.server.serve("/feed", Response.feed(Self.sample))
    let refused = try await stage.run("subscribe", proxy.url("/feed"))
    #expect(refused.status == .exited(5))
    #expect(refused.error.contains("cannot be trusted"))
    #expect(refused.error.contains("SSL_CERT_FILE"))
    #expect(stage.server.requests.isEmpty)
    let trusted = try await stage.home.podcli("subscribe", proxy.url("/feed"))
      .setting("SSL_CERT_FILE", proxy.certificate).run()
    #expect(trusted.status == .exited(0), "\(trusted)")
    // HTTP/1.1 behind the proxy; before it, one connection carried them all.
    #expect(stage.server.requests.first?.header("Via")?.hasPrefix("2") == true)
  }

  @Test func `the environment's proxy is asked for what is elsewhere`() async throws {
    stage.server.serve("http://feeds.example/feed", Response.feed(Self.sample))
    let outcome = try await stage.home.podcli("subscribe", "http://feeds.example/feed")
      .setting("http_proxy", stage.server.origin).run()
    #expect(outcome.status == .exited(0), "\(outcome)")
    let direct = try await stage.home.podcli("subscribe", stage.feedURL)
      .setting("http_proxy", "http://127.0.0.1:1").setting("no_proxy", "127.0.0.1").run()
    #expect(direct.status == .exited(0), "\(direct)")
  }

  @Test func `many feeds of one host share a connection where it speaks HTTP/2`() async throws {
    let proxy = try await SecureProxy(before: stage.server, in: stage.home)
    for number in 1...12 {
      stage.server.serve("/\(number)", Response.feed(SampleFeed(title: "Feed \(number)", episodes: 1).bytes))
    }
    let outlines = (1...12).map { #"<outline xmlUrl="\#(proxy.url("/\($0)"))"/>"# }.joined()
    let outcome = try await stage.home.podcli("import", "-").input("<opml><body>\(outlines)</body></opml>")
      .setting("SSL_CERT_FILE", proxy.certificate).run()
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(outcome.error.contains("12 new"))
    #expect(stage.server.requests.allSatisfy { $0.header("Via")?.hasPrefix("2") == true })
  }
}

@Suite struct DocumentFaultTests {
  private func preview(_ text: String) async throws -> Outcome {
    try await TemporaryHome().podcli("preview", "-", "--json").input(text).run()
  }

  private static let laughs =
    "<!ENTITY a0 \"ha\">"
    + (1...20).map { "<!ENTITY a\($0) \"\(String(repeating: "&a\($0 - 1);", count: 10))\">" }.joined()

  @Test(arguments: [
    "<!DOCTYPE rss [\(laughs)]><rss><channel><title>x&a20;</title></channel></rss>",
    "<!DOCTYPE rss [<!ENTITY a \"&b;\"><!ENTITY b \"&a;\">]><rss><channel><title>x&a;</title></channel></rss>",
    "<!DOCTYPE rss [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><rss><channel><title>x&e;</title></channel></rss>",
    "<!DOCTYPE rss SYSTEM \"file:///etc/passwd\"><rss><channel><title>x</title></channel></rss>",
    "<!DOCTYPE rss [<!ENTITY % p SYSTEM \"file:///etc/passwd\"> %p;]><rss><channel><title>x</title></channel></rss>",
    "<rss xmlns:xi=\"http://www.w3.org/2001/XInclude\"><channel><title>x</title><xi:include href=\"/etc/passwd\" parse=\"text\"/></channel></rss>",
  ])
  func `X1: entities and inclusions are inert`(text: String) async throws {
    let outcome = try await preview(text)
    #expect(outcome.status == .exited(0) || outcome.status == .exited(1))
    #expect(!outcome.output.contains("root:"))
    #expect(outcome.output.utf8.count < 10_000)
  }

  @Test(arguments: [
    "<rss><channel><title>A & B</title><item><title>1</title></item></channel></rss>",
    "<rss><channel><title>A</title><item><title>1</item></channel></rss>",
    "junk <rss><channel><title>A</title><item><title>1</title></item></channel></rss>",
    "<rss><channel><title>A</title><item><title>1</title></item><item><title>2</tit",
    "<rss><channel><title>A</title><item><title>1<br>x</title></item></channel></rss> trailing",
  ])
  func `X3: what is whole of a damaged feed is kept`(text: String) async throws {
    let outcome = try await preview(text)
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(outcome.output.contains(#""episodes":[{"#))
  }

  @Test(arguments: [("iso-8859-1", [UInt8(0xE9)]), ("windows-1252", [0xE9]), ("utf-8", [0xC3, 0xA9])])
  func `X4: encodings are read`(name: String, letter: [UInt8]) async throws {
    var bytes = Array("<?xml version=\"1.0\" encoding=\"\(name)\"?><rss><channel><title>caf".utf8)
    bytes += letter + Array("</title></channel></rss>".utf8)
    let outcome = try await TemporaryHome().podcli("preview", "-", "--json").input(.bytes(bytes)).run()
    #expect(outcome.output.contains(#""title":"café""#))
  }
}

@Suite struct HostileContentTests {
  private static let hostile = "\u{9B}31m\u{202E}evil\u{2066}\u{200B}\u{E0041} \u{85}x"

  /// As a feed may write them: raw where XML allows it, and as references to references.
  private static let feed = """
    <rss><channel><title>\(hostile)&amp;#27;]52;c;ZXZpbA==&amp;#7;</title><description>\(hostile)</description>
    <item><guid>1</guid><title>\(hostile)&amp;#27;[2J</title><enclosure url="file:///etc/passwd" type="audio/mpeg"/></item>
    <item><guid>2</guid><title>שלום עולם</title><enclosure url="/etc/passwd" type="audio/mpeg"/></item>
    <item><guid>3</guid><title>--option</title><enclosure url="--script=/tmp/x" type="audio/mpeg"/></item>
    <item><guid>4</guid><title>\(String(repeating: "z\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}", count: 2000))</title>
    <enclosure url="ftp://127.0.0.1/x" type="audio/mpeg"/></item>
    <item><guid>5</guid><title>smb</title><enclosure url="memory://#EXTM3U" type="audio/mpeg"/></item>
    <item><guid>6</guid><title>CRLF</title><enclosure url="http://127.0.0.1:1/a&#13;&#10;X-Injected: 1" type="audio/mpeg"/></item>
    <item><guid>7</guid><title>long</title><enclosure url="http://127.0.0.1:1/\(String(repeating: "a", count: 100_000))" type="audio/mpeg"/></item>
    </channel></rss>
    """

  private func stage() async throws -> Stage {
    let stage = try Stage(episodes: 1, seconds: 1)
    stage.server.serve("/hostile", Response.feed(Array(Self.feed.utf8)))
    let outcome = try await stage.run("subscribe", stage.server.url("/hostile"))
    try #require(outcome.status == .exited(0), "\(outcome)")
    return stage
  }

  @Test func `T1, T2: nothing from a feed steers the terminal, and honest Hebrew stays`() async throws {
    let stage = try await stage()
    stage.server.serve("/hostile", Response.status(500))
    for arguments in [
      ["playlist"], ["podcasts"], ["refresh"], ["podcasts"], ["playlist", "--json"], ["podcasts", "--json"],
      ["preview", stage.server.url("/hostile")], ["unsubscribe", "nothing like it"], ["play", "1"],
    ] {
      let outcome = try await stage.home.podcli(arguments).run()
      for scalar in (outcome.output + outcome.error).unicodeScalars where scalar != "\n" && scalar != "\t" {
        #expect(!scalar.isUnsafeToShow, "\(arguments): U+\(String(scalar.value, radix: 16))")
      }
    }
    #expect(try await stage.run("playlist").output.contains("שלום עולם"))
  }

  @Test func `E1, E3: enclosures that are no web addresses are listed and refused`() async throws {
    let stage = try await stage()
    let entries = try await stage.library().playlist()
    #expect(entries.count == 7)
    for entry in entries where entry.episode.guid != "6" {
      let outcome = try await stage.home.podcli("play", String(entry.episode.id.rawValue)).run()
      #expect([.exited(1), .exited(5)].contains(outcome.status), "\(entry.episode.guid): \(outcome)")
      #expect(!outcome.error.contains("root:"))
    }
  }
}

/// Documents that name other media, as a medium. Some players open what is named, be it here or elsewhere.
@Suite struct DisguiseTests {
  struct Disguise: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// With the canary's address, which is a path or on the web.
    var document: @Sendable (String) -> String

    init(_ name: String, _ document: @escaping @Sendable (String) -> String) {
      testDescription = name
      self.document = document
    }
  }

  static let disguises = [
    Disguise("M3U") { "#EXTM3U\n#EXTINF:1,x\n\($0)\n" },
    Disguise("a bare list") { "\($0)\n\($0)\n" },
    Disguise("HLS") { "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n\($0)\n#EXT-X-ENDLIST\n" },
    Disguise("PLS") { "[playlist]\nNumberOfEntries=1\nFile1=\($0)\n" },
    Disguise("EDL") { "# mpv EDL v0\n\($0),0,1\n" },
    Disguise("CUE") { "FILE \"\($0)\" WAVE\n  TRACK 01 AUDIO\n    INDEX 01 00:00:00\n" },
    Disguise("concatenation") { "ffconcat version 1.0\nfile '\($0)'\n" },
    Disguise("DASH") {
      """
      <?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"><Period><AdaptationSet mimeType="audio/wav">
      <Representation id="1" bandwidth="1"><BaseURL>\($0)</BaseURL></Representation></AdaptationSet></Period></MPD>
      """
    },
    Disguise("QuickTime's") { "RTSPtext\n\($0)\n" },
    Disguise("ASX") { "<asx version=\"3.0\"><entry><ref href=\"\($0)\"/></entry></asx>" },
    Disguise("SDP") {
      "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio 9 RTP/AVP 0\na=control:\($0)\n"
    },
  ]

  @Test(arguments: disguises)
  func `E2: a playlist in disguise is refused, and what it names is left alone`(disguise: Disguise) async throws {
    let stage = try Stage(episodes: 1, seconds: 1)
    let tone = Tone(seconds: 1, sampleRate: Stage.sampleRate).wav
    stage.server.serve("/canary.wav", Response.ok(tone, type: "audio/wav"))
    let canary = try OpenWatch(stage.home.write(tone, to: "canary.wav"))
    for address in [
      stage.home.path + "/canary.wav", "file://" + stage.home.path + "/canary.wav", stage.server.url("/canary.wav"),
    ] {
      stage.server.serve("/media/1.wav", Response.ok(disguise.document(address), type: "audio/mpeg"))
      _ = try await stage.run("subscribe", stage.feedURL)
      // From the web; and from here, should it be taken for a medium that can be kept.
      for command in ["play", "download", "play"] {
        let outcome = try await stage.run(command, "1")
        #expect(command == "download" || outcome.status != .exited(0), "\(command) \(address): \(outcome)")
        #expect(!stage.server.requests.contains { $0.path == "/canary.wav" }, "\(command) \(address)")
        #expect(!canary.wasOpened, "\(command) \(address)")
      }
    }
  }

  @Test func `the watch over the canary notices`() throws {
    let home = try TemporaryHome()
    let path = try home.write(Array("x".utf8), to: "canary")
    let watch = try OpenWatch(path)
    #expect(!watch.wasOpened)
    _ = try contents(of: path)
    #expect(watch.wasOpened)
  }
}

@Suite struct IdentityFaultTests {
  private static func feed(_ episodes: [(guid: String, title: String, url: String)]) -> Response {
    let items = episodes.enumerated().map { number, episode in
      """
      <item><guid>\(episode.guid)</guid><title>\(episode.title)</title>
      <pubDate>Mon, 0\(number + 1) Jan 2024 12:00:00 GMT</pubDate><enclosure url="\(episode.url)" type="audio/mpeg"/></item>
      """
    }
    return .feed(Array("<rss><channel><title>A</title>\(items.joined())</channel></rss>".utf8))
  }

  private static let plain = (1...4).map { ("g\($0)", "Title \($0)", "http://h.example/\($0).mp3") }

  static let changes: [(String, [(guid: String, title: String, url: String)])] = [
    ("I1: every guid", (1...4).map { ("new\($0)", "Title \($0)", "http://h.example/\($0).mp3") }),
    ("I1: every title", (1...4).map { ("g\($0)", "Edited \($0)", "http://h.example/\($0).mp3") }),
    ("I1: every enclosure", (1...4).map { ("g\($0)", "Title \($0)", "http://cdn.example/\($0).mp3") }),
    ("I1: a token in every address", (1...4).map { ("g\($0)", "Title \($0)", "http://h.example/\($0).mp3?t=\($0)x") }),
    ("I2: old ones leave", [("g4", "Title 4", "http://h.example/4.mp3")]),
    ("I2: all of them leave", []),
  ]

  @Test(arguments: changes.indices)
  func `the episodes and their places are the same ones`(index: Int) async throws {
    let stage = try Stage(episodes: 1, seconds: 1)
    stage.server.serve("/a", Self.feed(Self.plain))
    _ = try await stage.run("subscribe", stage.server.url("/a"))
    let store = try PodcastStoreForTests.writing(stage.home)
    for id in 1...4 {
      try await store.savePosition(.seconds(Int64(id * 10)), of: .init(rawValue: Int64(id)), urgency: .flush)
    }
    await store.close()
    stage.server.serve("/a", Self.feed(Self.changes[index].1))
    let outcome = try await stage.run("refresh", "--json")
    #expect(outcome.output.contains(#""newEpisodes":0"#), "\(Self.changes[index].0): \(outcome)")
    #expect(try await stage.library().playlist().count == 4)
    for id in 1...4 { #expect(try await stage.place(of: Int64(id)) == Double(id * 10)) }
  }

  @Test func `I3: a guid is one feed's own, and two items with one guid are two`() async throws {
    let stage = try Stage(episodes: 1, seconds: 1)
    let twins = [("g", "One", "http://h.example/1.mp3"), ("g", "Two", "http://h.example/2.mp3")]
    for path in ["/a", "/b"] {
      stage.server.serve(path, Self.feed(twins))
      _ = try await stage.run("subscribe", stage.server.url(path))
    }
    #expect(try await stage.library().playlist().count == 4)
    _ = try await stage.run("refresh", "--force")
    #expect(try await stage.library().playlist().count == 4)
  }
}

@Suite struct FeedDoctorTests {
  @Test func `the way to a feed is told step by step`() async throws {
    let stage = try Stage(episodes: 2, seconds: 1)
    stage.server.serve("/old", Response.redirect(to: "/feed.xml"))
    _ = try await stage.run("subscribe", stage.server.url("/old"))
    let fine = try await stage.run("doctor", "sample")
    #expect(fine.status == .exited(0), "\(fine)")
    for text in ["302 to /feed.xml", "application/rss+xml", "rss, 2 episodes", "Episode 2: audio/wav"] {
      #expect(fine.output.contains(text), "\(text)")
    }
    stage.server.serve("/feed.xml", Response.status(404))
    let broken = try await stage.run("doctor", "sample", "--json")
    #expect(broken.status == .exited(5))
    #expect(broken.output.contains(#"{"name":"answer","state":"bad""#))
    stage.server.stop()
    let gone = try await stage.run("doctor", "sample")
    #expect(gone.output.contains("✘ connect"))
  }

  @Test func `a feed that is a file has a shorter way`() async throws {
    let stage = try Stage(episodes: 1, seconds: 1)
    let path = try stage.home.write(SampleFeed(mediaBase: stage.server.url("/media")).bytes, to: "feed.xml")
    _ = try await stage.run("subscribe", path)
    let fine = try await stage.run("doctor", "sample")
    #expect(fine.output.contains("rss, 3 episodes"), "\(fine)")
    #expect(!fine.output.contains("connect"))
    unlink(path)
    let gone = try await stage.run("doctor", "sample")
    #expect(gone.status == .exited(1), "\(gone)")
    #expect(gone.output.contains("✘ feed"))
  }
}
