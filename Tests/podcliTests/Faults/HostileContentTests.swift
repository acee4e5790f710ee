import PodcastModel
import PodcastStore
import TestSupport
import Testing
import Text

/// Hostile feeds that are well-formed.
@Suite struct HostileContentTests {
  private static let hostile = "\u{9B}31m\u{202E}evil\u{2066}\u{200B}\u{E0041} \u{85}x"

  /// Hostile characters as a feed may write them: raw where XML allows it, and as character references.
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

  @Test func `T1: an episode that cannot be played after another one is named harmlessly`() async throws {
    let stage = try await stage()
    _ = try await stage.run("subscribe", stage.feedURL)
    _ = try await stage.run("queue", "add", "1")
    // Otherwise it is waited for an address that leads nowhere.
    #expect(try await stage.run("config", "set", "network-patience=1s").status == .exited(0))
    let outcome = try await stage.run("play", "8")
    #expect(outcome.error.contains("evil"), "\(outcome)")
    for scalar in outcome.error.unicodeScalars where scalar != "\n" {
      #expect(!scalar.isUnsafeToShow, "U+\(String(scalar.value, radix: 16))")
    }
  }

  @Test func `E1, E3: enclosures that are no web addresses are listed and refused`() async throws {
    let stage = try await stage()
    let entries = try await stage.library().playlist()
    #expect(entries.count == 7)
    for entry in entries where entry.episode.guid != "6" {
      let outcome = try await stage.home.podcli("play", String(entry.episode.id.rawValue)).run()
      #expect([.exited(1), .exited(5)].contains(outcome.status), "\(entry.episode.guid): \(outcome)")
      #expect(!outcome.error.contains("root:"))
      #expect(outcome.status == .exited(5) || !outcome.error.contains("Playing"), "\(outcome)")
    }
  }
}

/// Playlists in the disguise of media. Some players open the files and addresses in them.
@Suite struct DisguiseTests {
  struct Disguise: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// The document with the canary's path or address.
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
  func `E2: a playlist in disguise is refused, and its entries are not opened`(disguise: Disguise) async throws {
    let stage = try Stage(episodes: 1, seconds: 1)
    let tone = Tone(seconds: 1, sampleRate: Stage.sampleRate).wav
    stage.server.serve("/canary.wav", Response.ok(tone, type: "audio/wav"))
    let canary = try OpenWatch(stage.home.write(tone, to: "canary.wav"))
    for address in [
      stage.home.path + "/canary.wav", "file://" + stage.home.path + "/canary.wav", stage.server.url("/canary.wav"),
    ] {
      stage.server.serve("/media/1.wav", Response.ok(disguise.document(address), type: "audio/mpeg"))
      _ = try await stage.run("subscribe", stage.feedURL)
      // From the web, and from a downloaded file.
      for command in ["play", "download", "play"] {
        let outcome = try await stage.run(command, "1")
        #expect(command == "download" || outcome.status != .exited(0), "\(command) \(address): \(outcome)")
        #expect(!stage.server.requests.contains { $0.path == "/canary.wav" }, "\(command) \(address)")
        #expect(!canary.wasOpened, "\(command) \(address)")
      }
    }
  }

  @Test func `the canary notices an access`() throws {
    let home = try TemporaryHome()
    let path = try home.write(Array("x".utf8), to: "canary")
    let watch = try OpenWatch(path)
    #expect(!watch.wasOpened)
    _ = try contents(of: path)
    #expect(watch.wasOpened)
  }
}
