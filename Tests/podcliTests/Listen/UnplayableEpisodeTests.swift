import Glibc
import PodcastModel
import PodcastStore
import TestSupport
import Testing
import Text

/// Episode 1 plays, the server has no file of 2, the feed gives none for 3, and 4 can be played.
@Suite struct UnplayableEpisodeTests {
  private func stage() async throws -> Stage {
    let stage = try Stage(episodes: 4)
    let feed = SampleFeed(episodes: 4, mediaBase: stage.server.url("/media"))
    let xml = feed.xml.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
      !(line.contains("<enclosure") && line.contains("/media/3.wav"))
    }
    // An MP3 has several readers, one after the other.
    let text = xml.joined(separator: "\n").replacing(
      "/media/2.wav\" type=\"audio/wav", with: "/media/2.mp3\" type=\"audio/mpeg")
    stage.server.serve("/feed.xml", Response.feed(Array(text.utf8)))
    stage.server.serve("/media/2.mp3", .status(404))
    try await stage.subscribe()
    try #require(try await stage.run("play", "3").status == .exited(8))
    return stage
  }

  @Test(arguments: [
    (["open", "2"], 5, "Episode 2 cannot be fetched"), (["open", "3"], 8, "to play for Sample Show: Episode 3"),
  ])
  func `an episode that cannot be played is refused, and what plays goes on`(
    words: [String], status: Int32, text: String
  ) async throws {
    let stage = try await stage()
    let playing = try stage.home.podcli("play", "1", "--start", "20").start()
    try await stage.wait(forPosition: 21, of: 1)
    let outcome = try await stage.home.podcli(words).run()
    #expect(outcome.status == .exited(status), "\(outcome)")
    #expect(outcome.error.contains(text), "\(outcome)")
    try await stage.wait(forPosition: 23, of: 1)
    let heard = try await stage.run("status").output
    #expect(heard.hasPrefix("playing\t1\tSample Show\tEpisode 1\t"), "\(heard)")
    let note = JSON(parsing: try await stage.json("status"))?["note"]?.text
    #expect(note == "Episode \(words[1]) could not be played")
    playing.send(SIGTERM)
    _ = try await playing.end()
  }

  @Test func `an episode that follows waits for the network, and those on this machine play meanwhile`() async throws {
    let stage = try Stage(episodes: 4, seconds: 3)
    try await stage.subscribe()
    try #require(try await stage.run("download", "3").status == .exited(0))
    let isBack = Gate()
    let medium = Response.resource(Tone(seconds: 3).wav, type: "audio/wav")
    for name in ["/media/2.wav", "/media/4.wav"] {
      stage.server.serve(name) { isBack.isOpen ? medium.answering($0) : Response.status(200).reset() }
    }
    try #require(try await stage.run("queue", "add", "2", "3").status == .exited(0))
    let playing = try stage.home.podcli("play", "1").setting("PODCLI_AO", "null").start()
    try await stage.wait(for: "the end of the stored one") {
      try await $0.episode(.init(rawValue: 3))?.status.hasCompleted == true
    }
    #expect(try await stage.status(of: 2).hasCompleted == false)
    isBack.open()
    try await stage.wait(for: "the end of the other one") {
      try await $0.episode(.init(rawValue: 2))?.status.hasCompleted == true
    }
    let outcome = try await playing.end()
    #expect(outcome.status == .exited(0), "\(outcome)")
  }

  /// Episode 2 is on a server that is away, and 3 on the one of the feed.
  private func stageOfTwoServers() async throws -> Stage {
    let stage = try Stage(episodes: 3, seconds: 3)
    let feed = SampleFeed(episodes: 3, mediaBase: stage.server.url("/media"), seconds: 3)
    let second = stage.server.url("/media/2.wav")
    let xml = feed.xml.replacing(second, with: second.replacing("127.0.0.1", with: "localhost"))
    stage.server.serve("/feed.xml", Response.feed(Array(xml.utf8)))
    try await stage.subscribe()
    try #require(try await stage.run("queue", "add", "2", "3").status == .exited(0))
    return stage
  }

  @Test func `while the server of an episode that follows is away, one of another server plays`() async throws {
    let stage = try await stageOfTwoServers()
    let isBack = Gate()
    let medium = Response.resource(Tone(seconds: 3).wav, type: "audio/wav")
    stage.server.serve("/media/2.wav") { isBack.isOpen ? medium.answering($0) : Response.status(503) }
    let playing = try stage.home.podcli("play", "1").setting("PODCLI_AO", "null").start()
    try await stage.wait(for: "the end of the one of another server") {
      try await $0.episode(.init(rawValue: 3))?.status.hasCompleted == true
    }
    #expect(try await stage.status(of: 2).hasCompleted == false)
    isBack.open()
    let outcome = try await playing.end()
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(try await stage.status(of: 2).hasCompleted)
  }

  /// Episode 1 plays to its end, and the server of `away` does not answer until the gate is open.
  private func waiting(
    for away: [Int], _ stage: Stage, _ isBack: Gate, _ words: String...
  ) async throws -> RunningProgram {
    let medium = Response.resource(Tone(seconds: 3).wav, type: "audio/wav")
    for number in away {
      stage.server.serve("/media/\(number).wav") { isBack.isOpen ? medium.answering($0) : Response.status(503) }
    }
    let playing = try stage.home.podcli(["play", "1"] + words).setting("PODCLI_AO", "null").start()
    try await stage.wait(forStatus: #""note":"waiting for the network""#)
    return playing
  }

  @Test
  func
    `while an episode waits for the network, next leads to the one after it and back, not to the one that has ended`()
    async throws
  {
    let stage = try await stageOfTwoServers()
    let isBack = Gate()
    let playing = try await waiting(for: [2, 3], stage, isBack)
    _ = try await stage.run("next")
    try await playing.wait(forError: "Episode 3 cannot be fetched")
    isBack.open()
    let outcome = try await playing.end()
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(lines(outcome.error).filter { $0.hasSuffix("Playing Sample Show: Episode 1") }.count == 1, "\(outcome)")
    #expect(try await stage.status(of: 2).hasCompleted)
    #expect(try await stage.status(of: 3).hasCompleted)
  }

  @Test func `while an episode waits for the network, another can be opened, and a sleep timer runs out`() async throws
  {
    let stage = try await stageOfTwoServers()
    let playing = try await waiting(for: [2], stage, Gate())
    #expect(try await stage.run("open", "3").status == .exited(0))
    try await stage.wait(for: "its end") { try await $0.episode(.init(rawValue: 3))?.status.hasCompleted == true }
    try await stage.wait(forStatus: #""note":"waiting for the network""#)
    _ = try await stage.run("sleep", "1")
    let outcome = try await playing.end()
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(outcome.error.contains("Good night"), "\(outcome)")
    #expect(try await stage.library().bookmarks(of: .init(rawValue: 2)).isEmpty)
  }

  @Test func `what is marked as played while it waits for the network does not play`() async throws {
    let stage = try Stage(episodes: 3, seconds: 3)
    try await stage.subscribe()
    let isBack = Gate()
    let playing = try await waiting(for: [2, 3], stage, isBack)
    try #require(try await stage.run("mark", "played", "2").status == .exited(0))
    isBack.open()
    let outcome = try await playing.end()
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(!outcome.error.contains("Finished Episode 2") && outcome.error.contains("Finished Episode 3"), "\(outcome)")
  }

  @Test func `what is taken out of the queue while it waits for the network does not play`() async throws {
    let stage = try await stageOfTwoServers()
    let isBack = Gate()
    let playing = try await waiting(for: [2, 3], stage, isBack)
    try #require(try await stage.run("queue", "remove", "2").status == .exited(0))
    isBack.open()
    let outcome = try await playing.end()
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(!outcome.error.contains("Finished Episode 2") && outcome.error.contains("Finished Episode 3"), "\(outcome)")
  }

  @Test func `a sleep timer runs out also before the first sound`() async throws {
    let stage = try Stage(episodes: 1)
    try await stage.subscribe()
    stage.server.serve("/media/1.wav", Response.ok("").neverAnswering())
    let outcome = try await stage.run("play", "1", "--sleep", "2")
    #expect(outcome.status == .exited(0) && outcome.error.contains("Good night"), "\(outcome)")
  }

  @Test func `a pause while an episode waits for the network is shown, and the patience begins anew behind it`()
    async throws
  {
    let stage = try Stage(episodes: 2, seconds: 3)
    try await stage.subscribe()
    _ = try await stage.run("config", "set", "network-patience=3s")
    let isBack = Gate()
    let playing = try await waiting(for: [2], stage, isBack)
    _ = try await stage.run("pause")
    try await stage.wait(forStatus: #""state":"paused""#)
    let paused = Timestamp.now
    while Timestamp.now.seconds < paused.seconds + 5 { _ = try await stage.run("status") }
    let asked = stage.server.requests(to: "/media/2.wav").count
    _ = try await stage.run("play")
    try await stage.server.wait(for: "one more attempt") { exchanges in
      exchanges.count { $0.request.path == "/media/2.wav" } > asked
    }
    isBack.open()
    let outcome = try await playing.end()
    #expect(outcome.status == .exited(0) && outcome.error.contains("Finished Episode 2"), "\(outcome)")
  }

  @Test func `a short outage leaves the episodes of a podcast in their order`() async throws {
    let stage = try Stage(episodes: 3, seconds: 3)
    try await stage.subscribe()
    try #require(try await stage.run("download", "3").status == .exited(0))
    let isBack = Gate()
    let playing = try await waiting(for: [2], stage, isBack)
    isBack.open()
    let outcome = try await playing.end()
    #expect(outcome.status == .exited(0), "\(outcome)")
    let (second, third) = (try await stage.status(of: 2), try await stage.status(of: 3))
    #expect(second.hasCompleted && third.hasCompleted, "\(outcome)")
    #expect(try #require(second.lastPlayedAt) < #require(third.lastPlayedAt))
  }

  @Test func `where two servers are away, the first episode in turn plays when they are back`() async throws {
    let stage = try await stageOfTwoServers()
    let isBack = Gate()
    let playing = try await waiting(for: [2, 3], stage, isBack)
    isBack.open()
    let outcome = try await playing.end()
    #expect(outcome.status == .exited(0), "\(outcome)")
    let (second, third) = (try await stage.status(of: 2), try await stage.status(of: 3))
    #expect(second.hasCompleted && third.hasCompleted, "\(outcome)")
    #expect(try #require(second.lastPlayedAt) < #require(third.lastPlayedAt))
  }

  @Test(arguments: [true, false])
  func `next, and the end of an episode, lead past those in the queue that cannot be played`(isAsked: Bool) async throws
  {
    let stage = try await stage()
    try #require(try await stage.run("queue", "add", "2", "3", "4").status == .exited(0))
    let playing = try stage.home.podcli("play", "1", "--start", isAsked ? "10" : "57").start()
    if isAsked {
      try await stage.wait(forPosition: 11, of: 1)
      // It may take longer than a control word is waited for.
      _ = try await stage.run("next")
    }
    try await stage.wait(forPosition: 1, of: 4)
    #expect(JSON(parsing: try await stage.json("status"))?["note"] == "Episode 3 could not be played")
    playing.send(SIGTERM)
    let outcome = try await playing.end()
    #expect(outcome.error.contains("Episode 2 cannot be fetched: status 404"), "\(outcome)")
    #expect(outcome.error.contains("the feed gives nothing to play for Sample Show: Episode 3"), "\(outcome)")
    let queue = try await stage.run("queue").output
    #expect(lines(queue).map { $0.prefix { $0 != "\t" } }.starts(with: ["2", "3"]), "\(queue)")
  }

  @Test func `a file that is packed in a way that was not asked for is refused at the first answer`() async throws {
    let stage = try await stage()
    let tone = Tone(seconds: 1, sampleRate: Stage.sampleRate).wav
    stage.server.serve("/media/1.wav", Response.ok(tone, type: "audio/wav").header("Content-Encoding", "br"))
    let outcome = try await stage.run("play", "1")
    #expect(outcome.status == .exited(5), "\(outcome)")
    #expect(outcome.error.contains("packed in a way that was not asked for: br"), "\(outcome)")
    #expect(stage.server.requests(to: "/media/1.wav").count <= 3)
  }

  @Test func `a server that refuses is asked once`() async throws {
    let stage = try await stage()
    #expect(try await stage.run("play", "2").status == .exited(5))
    #expect(stage.server.requests(to: "/media/2.mp3").count == 1)
  }

  @Test func `with --json a failure is all that standard error has`() async throws {
    let outcome = try await stage().run("play", "2", "--json")
    #expect(outcome.status == .exited(5) && outcome.output.isEmpty, "\(outcome)")
    #expect(JSON(parsing: outcome.error)?["error"]?["code"] == "network", "\(outcome)")
  }

  @Test func `of a list, those that cannot be played make the exit status that of some that worked`() async throws {
    let stage = try await stage()
    let outcome = try await stage.home.podcli("play", "-", "--speed", "4").input("1\n2\n3\n4\n")
      .setting("PODCLI_AO", "null:ao-null-untimed=yes").run()
    #expect(outcome.status == .exited(6), "\(outcome)")
    #expect(outcome.error.contains("Episode 2 and 1 other could not be played\n  they stay in the queue"), "\(outcome)")
  }

  @Test func `the title of a podcast stands for an episode that has a media file, where there is one`() async throws {
    let stage = try await stage()
    _ = try await stage.run("mark", "played", "4")
    #expect(try await stage.run("play", "Sample Show").error.contains("Episode 2 cannot be fetched"))
    _ = try await stage.run("mark", "played", "1", "2")
    #expect(try await stage.run("play", "Sample Show").error.contains("to play for Sample Show: Episode 3"))
  }

  @Test func `where nothing else follows, the one that cannot be played is named`() async throws {
    let stage = try await stage()
    try #require(try await stage.run("queue", "add", "3").status == .exited(0))
    try #require(try await stage.run("config", "set", "autoplay=queue").status == .exited(0))
    let outcome = try await stage.run("play", "1", "--start", "58")
    #expect(outcome.status == .exited(8))
    #expect(outcome.error.contains("the feed gives nothing to play for Sample Show: Episode 3"), "\(outcome)")
    #expect(outcome.error.contains("podcli info 3"), "\(outcome)")
  }
}
