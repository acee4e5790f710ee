import Glibc
import PodcastModel
import TestSupport
import Testing

/// A playing podcli on a desktop's bus, as other programs see it.
@Suite struct MediaControlTests {
  private func desk(episodes: Int = 3) async throws -> Desk {
    let stage = try Stage(episodes: episodes)
    try await stage.subscribe()
    return try await Desk(stage)
  }

  private func end(_ playing: RunningProgram) async throws {
    playing.send(SIGTERM)
    try await playing.end()
  }

  // MARK: Announcements

  @Test func `a resumed start announces the episode in one signal, and then its position`() async throws {
    let desk = try await desk()
    let playing = try await desk.play("1", "--start", "41")
    let news = desk.news
    #expect(news.first.map { Set($0.names).isSuperset(of: ["Metadata", "PlaybackStatus", "Rate"]) } == true)
    // On a busy machine some of it was heard by then.
    #expect(news.dropFirst().first?.position.map { (41..<42).contains($0) } == true)
    try await desk.call("Pause")
    try await desk.hears("the pause", after: 2) { $0.names == ["PlaybackStatus"] && $0.text.contains("\"Paused\"") }
    #expect(desk.news.allSatisfy { !$0.names.contains("Position") })
    // With values: no property is only named as one to ask for.
    #expect(desk.news.allSatisfy { $0.names.isEmpty || $0.text.hasSuffix("\n   array [\n   ]") })
    try await end(playing)
  }

  @Test func `a jump by a key is announced`() async throws {
    let desk = try await desk()
    let playing = try await desk.play("1", "--start", "10", "--paused") { $0.on(Program.Screen()) }
    let count = desk.news.count
    playing.type("\u{1B}[C")
    try await desk.hears("30 seconds on", after: count) { $0.position == 40 }
    playing.type("q")
    try await playing.end()
  }

  /// Trimmed silence lets it run faster at times, too.
  @Test(arguments: [("--speed=1.5", 14.0), ("--trim=mild", 9)])
  func `a position that runs faster than the clock is announced again and again`(
    option: String, least: Double
  ) async throws {
    let desk = try await desk()
    let playing = try await desk.play("1", option)
    try await desk.monitor.wait(for: "a position ten seconds later") { $0.news.count { $0.position != nil } >= 2 }
    let positions = desk.news.compactMap(\.position)
    // Ten seconds of the clock.
    #expect(positions[1] - positions[0] > least)
    try await end(playing)
  }

  @Test func `the next episode is announced before its position`() async throws {
    let desk = try await desk()
    let playing = try await desk.play("1")
    let watching = try desk.stage.home.podcli("status", "--watch", "--json").start()
    // The first saved position is a second further on at most.
    try await watching.wait(for: "a saved position") { ($0.positions.last ?? 0) > 1.5 }
    watching.send(SIGTERM)
    let count = desk.news.count
    _ = try await desk.call("Seek", "x", "70000000")
    try await desk.hears("the position", after: count) { $0.position != nil }
    let news = desk.news.dropFirst(count)
    let start = try #require(news.firstIndex { $0.names.contains("Metadata") })
    #expect(Set(news[start].names).isSuperset(of: ["Metadata", "PlaybackStatus", "Rate"]))
    #expect(news[start].text.contains("/org/podcli/episode/2"))
    #expect(news[..<start].allSatisfy { $0.position == nil })
    // A step over the end is no end.
    let status = try await desk.stage.status(of: 1)
    #expect(!status.hasCompleted && status.lastListenTime != nil)
    try await end(playing)
  }

  @Test func `playerctl reads the episode and a position that moves`() async throws {
    let desk = try await desk()
    let playing = try await desk.play("1", "--start", "20")
    #expect(try await desk.playerctl("-l").output == "podcli\n")
    let metadata = try await desk.playerctl("metadata").output
    for expected in [
      "mpris:trackid '/org/podcli/episode/1'", "xesam:title Episode 1", "xesam:artist Sample Show",
      "xesam:album Sample Show", "mpris:length 60000000", "xesam:contentCreated 2",
    ] {
      #expect(metadata.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ").contains(expected))
    }
    #expect(!metadata.contains("xesam:url"))
    #expect(try await desk.playerctl("status").output == "Playing\n")
    let first = try await desk.position()
    var later = first
    let deadline = Deadline()
    while later <= first, !deadline.hasPassed { later = try await desk.position() }
    #expect(later > first && first >= 20 && later < 60)
    try await end(playing)
  }

  @Test func `an artist is a list, and the root says what the player is`() async throws {
    let desk = try await desk()
    let playing = try await desk.play("1")
    #expect(try await desk.property("Metadata").output.contains(#""xesam:artist" as 1 "Sample Show""#))
    let words = ["--user", "introspect", "org.mpris.MediaPlayer2.podcli", Desk.path]
    let lines = try await desk.program("busctl", words).run().output.split(separator: "\n")
      .map { $0.split(separator: " ").joined(separator: " ") }
    for expected in [
      ".CanQuit property b true", ".CanRaise property b false", ".HasTrackList property b false",
      ".Identity property s \"podcli\"", ".DesktopEntry property s \"podcli\"",
      ".SupportedUriSchemes property as 0", ".SupportedMimeTypes property as 0", ".CanControl property b true",
      ".CanSeek property b true", ".CanPlay property b true", ".CanPause property b true",
      ".CanGoNext property b true", ".CanGoPrevious property b true", ".MinimumRate property d 0.5",
      ".MaximumRate property d 5", ".SetPosition method ox", ".Seeked signal x",
    ] {
      #expect(lines.contains { $0.hasPrefix(expected) }, "\(expected)")
    }
    try await end(playing)
  }

  // MARK: Controls

  @Test func `each control of playerctl is carried out and announced`() async throws {
    let desk = try await desk()
    let playing = try await desk.play("1", "--start", "10")
    for (words, position) in [(["position", "20"], 20.0), (["position", "5+"], 25), (["position", "5-"], 20)] {
      let count = desk.news.count
      _ = try await desk.program("playerctl", words).run()
      try await desk.hears("\(words)", after: count) { $0.position.map { abs($0 - position) < 4 } ?? false }
    }
    for (word, status) in [("pause", "Paused"), ("play", "Playing"), ("play-pause", "Paused")] {
      let count = desk.news.count
      try await desk.playerctl(word)
      try await desk.hears(word, after: count) { $0.names == ["PlaybackStatus"] && $0.text.contains("\"\(status)\"") }
    }
    let count = desk.news.count
    try await desk.playerctl("volume", "0.5")
    try await desk.hears("the volume", after: count) { $0.names == ["Volume"] && $0.text.contains("0.5") }
    try await desk.playerctl("stop")
    #expect(try await playing.end().status == .exited(0))
    #expect(try await desk.stage.position(of: 1).map { $0 > 15 } == true)
    #expect(try await desk.playerctl("-l").output == "")
  }

  @Test func `keys for chapters go on and back in an episode without chapters`() async throws {
    let desk = try await desk()
    _ = try await desk.stage.run("config", "set", "media-keys=chapter")
    let playing = try await desk.play("1", "--paused")
    for (word, position) in [("next", 30.0), ("previous", 20)] {
      let count = desk.news.count
      try await desk.playerctl(word)
      try await desk.hears(word, after: count) { $0.position.map { abs($0 - position) < 0.1 } ?? false }
    }
    try await end(playing)
  }

  @Test(arguments: [("seek", 30.0, 20.0), ("chapter", 40, 20)])
  func `the keys for next and previous do what the setting says`(
    setting: String, next: Double, previous: Double
  ) async throws {
    let stage = try Stage()
    var feed = SampleFeed(episodes: 1, mediaBase: stage.server.url("/media"), seconds: 60)
    feed.itemExtra[1] = "<podcast:chapters url=\"\(stage.server.url("/c.json"))\" type=\"application/json+chapters\"/>"
    stage.server.serve("/feed.xml", Response.feed(feed.bytes))
    stage.server.serve(
      "/c.json",
      Response.ok(#"{"version":"1.2.0","chapters":[{"startTime":0},{"startTime":20},{"startTime":40}]}"#))
    try await stage.subscribe()
    _ = try await stage.run("config", "set", "media-keys=" + setting)
    let desk = try await Desk(stage)
    let playing = try await desk.play("1", "--paused", "--start", setting == "seek" ? "0" : "20.5")
    _ = try await stage.home.podcli("status", "--watch", "--json").start().wait(forOutput: "chapter")
    for (word, position) in [("next", next), ("previous", previous)] {
      let count = desk.news.count
      try await desk.playerctl(word)
      try await desk.hears(word, after: count) { $0.position.map { abs($0 - position) < 0.1 } ?? false }
    }
    try await end(playing)
  }

  @Test func `with media keys for episodes the next one plays`() async throws {
    let desk = try await desk()
    _ = try await desk.stage.run("config", "set", "media-keys=episode")
    // Paused, or it would come by itself.
    let playing = try await desk.play("1", "--start", "10", "--paused")
    try await desk.playerctl("next")
    try await desk.hears("episode 2", after: 0) { $0.text.contains("/org/podcli/episode/2") }
    try await end(playing)
  }

  @Test func `a position for another track or outside of this one is ignored`() async throws {
    let desk = try await desk()
    let playing = try await desk.play("1", "--start", "10", "--paused")
    let count = desk.news.count
    for (track, position) in [(2, "5000000"), (1, "-1"), (1, "60000001"), (1, "-9223372036854775808")] {
      let outcome = try await desk.call("SetPosition", "ox", "/org/podcli/episode/\(track)", "--", position)
      #expect(outcome.status == .exited(0), "\(outcome)")
    }
    try await desk.call("SetPosition", "ox", "/org/podcli/episode/1", "50000000")
    try await desk.hears("a position", after: count) { $0.position != nil }
    #expect(desk.news.dropFirst(count).compactMap(\.position) == [50])
    try await desk.call("Seek", "x", "--", "-90000000")
    try await desk.hears("the start", after: count) { $0.position == 0 }
    try await end(playing)
  }

  @Test func `quitting ends the player, and keeps the position`() async throws {
    let desk = try await desk()
    let playing = try await desk.play("1", "--start", "20", "--paused")
    let count = desk.news.count
    try await desk.call("Seek", "x", "5000000")
    try await desk.hears("the jump", after: count) { $0.position == 25 }
    let words = ["--user", "call", "org.mpris.MediaPlayer2.podcli", Desk.path, "org.mpris.MediaPlayer2"]
    // There is no window to raise.
    for method in ["Raise", "Quit"] {
      #expect(try await desk.program("busctl", words + [method]).run().status == .exited(0))
    }
    #expect(try await playing.end().status == .exited(0))
    #expect(try await desk.stage.position(of: 1) == 25)
  }

  @Test func `the rate can be set, and 0 pauses`() async throws {
    let desk = try await desk()
    let playing = try await desk.play("1")
    #expect(try await desk.set("Rate", "d", "1.5").status == .exited(0))
    try await desk.hears("the rate", after: 0) { $0.names == ["Rate"] && $0.text.contains("1.5") }
    _ = try await desk.set("Rate", "d", "0")
    try await desk.hears("the pause", after: 0) { $0.text.contains("\"Paused\"") }
    #expect(try await desk.property("Rate").output == "d 1.5\n")
    try await end(playing)
  }

  @Test func `what the player cannot do is refused by name`() async throws {
    let desk = try await desk()
    let playing = try await desk.play("1")
    for (words, error) in [
      (
        ["call", "org.mpris.MediaPlayer2.podcli", Desk.path, Desk.interface, "OpenUri", "s", "http://h/"],
        "NotSupported"
      ),
      (["call", "org.mpris.MediaPlayer2.podcli", Desk.path, Desk.interface, "Fly"], "UnknownMethod"),
      (["get-property", "org.mpris.MediaPlayer2.podcli", Desk.path, Desk.interface, "Shuffle"], "UnknownProperty"),
      (
        ["set-property", "org.mpris.MediaPlayer2.podcli", Desk.path, Desk.interface, "CanPlay", "b", "false"],
        "PropertyReadOnly"
      ),
      (
        ["set-property", "org.mpris.MediaPlayer2.podcli", Desk.path, Desk.interface, "Rate", "s", "fast"], "InvalidArgs"
      ),
      (["get-property", "org.mpris.MediaPlayer2.podcli", Desk.path, "org.example.Other", "X"], "UnknownInterface"),
    ] {
      let outcome = try await desk.program("busctl", ["--user"] + words).run()
      #expect(outcome.status == .exited(1))
      try await desk.monitor.wait(forOutput: "error_name=org.freedesktop.DBus.Error." + error)
    }
    #expect(try await desk.playerctl("status").output == "Playing\n")
    try await end(playing)
  }

  // MARK: Bad circumstances

  @Test func `10,000 questions are answered while it plays`() async throws {
    let desk = try await desk()
    let playing = try await desk.play("1")
    let script = Folders.fixtures + "/Desktop/many-calls.py"
    #expect(try await desk.program("/usr/bin/python3", [script, "10000"]).run().output == "10000\n")
    try await end(playing)
  }

  @Test func `the secret of a private feed is in no message`() async throws {
    let stage = try Stage(episodes: 1)
    let tone = Response.resource(Tone(seconds: 60, sampleRate: Stage.sampleRate).wav, type: "audio/wav")
    stage.server.serve("/private/1.wav") { tone.answering($0) }
    var feed = SampleFeed(
      episodes: 1, mediaBase: stage.server.url("/private"), mediaEnding: "wav?token=SECRET", seconds: 60)
    feed.channelExtra = "<itunes:image href=\"\(stage.server.url("/cover.png?token=SECRET"))\"/>"
    stage.server.serve("/private.xml", Response.feed(feed.bytes))
    _ = try await stage.run("subscribe", stage.server.url("/private.xml?token=SECRET"))
    let desk = try await Desk(stage)
    let playing = try await desk.play("1")
    try await desk.playerctl("metadata")
    try await desk.call("Pause")
    try await desk.hears("the pause", after: 0) { $0.text.contains("\"Paused\"") }
    #expect(!desk.monitor.transcript.output.contains("SECRET"))
    #expect(desk.monitor.transcript.output.contains("Episode 1"))
    try await end(playing)
  }

  @Test func `the picture follows when it is there`() async throws {
    let stage = try Stage(episodes: 1)
    let cover = stage.home.path + "/cover.png"
    _ = try await stage.home.program(
      "ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "color=c=red:size=32x32", "-frames:v", "1", cover
    ).run()
    stage.server.serve("/cover.png", Response.resource(try contents(of: cover), type: "image/png"))
    var feed = SampleFeed(episodes: 1, mediaBase: stage.server.url("/media"), seconds: 60)
    feed.channelExtra = "<itunes:image href=\"\(stage.server.url("/cover.png"))\"/>"
    stage.server.serve("/feed.xml", Response.feed(feed.bytes))
    try await stage.subscribe()
    let desk = try await Desk(stage)
    let playing = try await desk.play("1")
    try await desk.hears("the picture", after: 2) { $0.names == ["Metadata"] && $0.text.contains("mpris:artUrl") }
    let text = try await desk.playerctl("metadata", "mpris:artUrl").output
    #expect(text.hasPrefix("file:///"))
    let path = String(text.dropFirst(7).dropLast())
    #expect(try contents(of: path).starts(with: Array("P6\n".utf8)))
    try await end(playing)
  }

  @Test func `a bus that dies is let go of, and playing goes on`() async throws {
    let desk = try await desk()
    let playing = try await desk.play("1")
    let sockets = { @Sendable in names(in: "/proc/\(playing.pid)/fd").count }
    let before = sockets()
    desk.daemon.send(SIGKILL)
    try await desk.daemon.end()
    let watching = try desk.stage.home.podcli("status", "--watch", "--json").start()
    try await watching.wait(for: "two seconds more") { transcript in
      transcript.positions.first.map { (transcript.positions.last ?? 0) > $0 + 2 } ?? false && sockets() < before
    }
    #expect(playing.status == nil)
    try await end(playing)
    watching.send(SIGTERM)
  }

  @Test func `a bus that is not there changes nothing`() async throws {
    let stage = try Stage(episodes: 1, seconds: 1)
    try await stage.subscribe()
    let outcome = try await stage.home.podcli("play", "1")
      .setting("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere").run()
    #expect(outcome.status == .exited(0))
    #expect(try await stage.status(of: 1).hasCompleted)
  }

  @Test func `a second player has a name of its own`() async throws {
    let desk = try await desk()
    let first = try await desk.play("1")
    let other = try Stage(episodes: 1)
    try await other.subscribe()
    let second = try desk.program(builtProduct("podcli"), ["play", "1"])
      .setting("PODCLI_HOME", other.home.path + "/podcli").start()
    try await desk.monitor.wait(forOutput: "org.mpris.MediaPlayer2.podcli.instance\(second.pid)")
    let names = try await desk.playerctl("-l").output.split(separator: "\n")
    #expect(Set(names) == ["podcli", "podcli.instance\(second.pid)"])
    try await end(first)
    try await end(second)
  }
}
