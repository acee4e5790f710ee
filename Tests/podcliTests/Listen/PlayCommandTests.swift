import Glibc
import PodcastModel
import PodcastStore
import TestSupport
import Testing

@Suite struct PlayCommandTests {
  @Test func `subscribe, playlist, play, resume`() async throws {
    let stage = try Stage()
    let subscribed = try await stage.run("subscribe", stage.feedURL)
    #expect(subscribed.status == .exited(0))
    #expect(subscribed.output == "Subscribed to Sample Show: 3 episodes\n")

    let list = try await stage.run("playlist").output.split(separator: "\n").map { $0.split(separator: "\t") }
    #expect(list.map { $0[2] } == ["Episode 3", "Episode 2", "Episode 1"])
    #expect(list.map { $0[1] } == ["Sample Show", "Sample Show", "Sample Show"])
    let newest = try #require(list.first.flatMap { Int64($0[0]) })

    let sink = try PCMSink(in: stage.home)
    let playing = try stage.home.podcli("play", String(newest), "--resume").heard(by: sink).start()
    try await sink.wait(forSeconds: 2)
    playing.send(SIGINT)
    #expect(try await playing.end().status == .exited(130))
    let position = try #require(try await stage.position(of: newest))
    #expect(position > 1.5)

    let resuming = try stage.home.podcli("resume").heard(by: sink).start()
    try await resuming.wait(forError: "Resuming Sample Show: Episode 3 at 0:0")
    try await sink.wait(forSeconds: 4)
    resuming.send(SIGTERM)
    #expect(try await resuming.end().status == .exited(143))
    #expect(try #require(try await stage.position(of: newest)) > position)
  }

  @Test(arguments: [(SIGTERM, 143), (SIGINT, 130), (SIGHUP, 129), (SIGQUIT, 131)] as [(Int32, Int32)])
  func `P2: a signal saves the position and sets the exit status`(signal: Int32, status: Int32) async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let sink = try PCMSink(in: stage.home)
    let playing = try stage.home.podcli("play", "1").heard(by: sink).start()
    try await sink.wait(forSeconds: 2.3)
    playing.send(signal)
    #expect(try await playing.end().status == .exited(status))
    let position = try #require(try await stage.position(of: 1))
    #expect(abs(position - sink.heard) < 0.3 * Deadline.slowness)
  }

  @Test func `P1: kill -9 loses no more than a second, and resume goes on`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let sink = try PCMSink(in: stage.home)
    var heardBefore = 0.0
    for round in 1...6 {
      let arguments = round == 1 ? ["play", "1"] : ["resume"]
      let start = try await stage.position(of: 1) ?? 0
      let playing = try stage.home.podcli(arguments).heard(by: sink).start()
      try await sink.wait(forSeconds: heardBefore + 1.3 + Double(round) * 0.17)
      playing.send(SIGKILL)
      #expect(try await playing.end().status == .signalled(SIGKILL))
      let heard = sink.heard - heardBefore
      heardBefore = sink.heard
      // Resuming goes back a second, never before the start.
      let truth = max(0, start - 1) + heard
      let position = try #require(try await stage.position(of: 1))
      #expect(truth - position < (isSanitized ? 2.2 : 1.1), "round \(round)")
      #expect(position - truth < 0.3, "round \(round)")
    }
  }

  @Test func `a position that the user chose is kept before anything is heard of it`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    _ = try await stage.run("bookmark", "1", "0:03", "another place")
    let playing = try stage.home.podcli("play", "1", "--start", "0:20", "--paused", "--quiet").start()
    try await stage.wait(for: "the position") { store in
      try await store.episode(EpisodeID(rawValue: 1))?.status.lastListenTime == .seconds(20)
    }
    playing.send(SIGTERM)
    _ = try await playing.end()
    #expect(try await stage.position(of: 1) == 20)
  }

  @Test func `a position that the user chose is kept where it is paused before anything is heard of it`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    try #require(try await stage.run("play", "1", "--start", "0:05", "--until", "0:06").status == .exited(0))
    for round in 1...4 {
      try #require(try await stage.run("play", "2", "--start", "0:\(20 + 5 * round)", "--detach").status == .exited(0))
      #expect(try await stage.run("pause").status == .exited(0))
      #expect(try await stage.run("stop").output.hasPrefix("stopped\t2\t"))
      #expect(try await Int(#require(stage.position(of: 2))) == 20 + 5 * round)
    }
  }

  @Test(arguments: [
    ["1", "--restart", "--start", "0:05"], ["1", "--restart", "--resume"], ["1@0:07", "--start", "0:05"],
    ["1@0:07", "--restart"], ["1", "--resume", "--start", "0:05"],
  ])
  func `two positions to start at are refused`(words: [String]) async throws {
    let stage = try Stage()
    try await stage.subscribe()
    #expect(try await stage.home.podcli(["play"] + words).run().status == .exited(2))
  }

  @Test func `an episode with a position is resumed at that position`() async throws {
    let stage = try Stage(seconds: 9)
    try await stage.subscribe()
    let outcome = try await stage.run("play", "1@0:07", "--resume", "--until", "8")
    #expect(outcome.status == .exited(0) && outcome.error.contains("from 0:07"), "\(outcome)")
  }

  @Test func `a relative end counts from the end of the intro that is skipped`() async throws {
    let stage = try Stage(seconds: 9)
    try await stage.subscribe()
    #expect(try await stage.run("set", "sample", "skip-intro=4s").status == .exited(0))
    #expect(try await stage.run("play", "1", "--until", "+2").status == .exited(0))
    let position = try await stage.position(of: 1) ?? 0
    #expect(position >= 6 && position < 8, "\(position)")
  }

  @Test func `chapters inside the media file are listed once it was played, where the feed has none`() async throws {
    let stage = try Stage(episodes: 1, seconds: 20)
    try await serve([(0, 8000, "Opening"), (8000, 20_000, "Letters")], as: "1", on: stage)
    try await stage.subscribe()
    #expect(try await stage.run("chapters", "1").error.contains("no chapters"))
    try await hear(stage)
    #expect(try await stage.run("chapters", "1").output.contains("Letters"))
    // Another file of the publisher has others, or none.
    try await serve([(0, 5000, "Advert"), (5000, 9000, "Opening"), (9000, 20_000, "Letters")], as: "2", on: stage)
    try await hear(stage)
    #expect(
      lines(try await stage.run("chapters", "1").output).map { $0.split(separator: "\t").last } == [
        "Advert", "Opening", "Letters",
      ])
    try await serve([], as: "3", on: stage)
    try await hear(stage)
    #expect(try await stage.run("chapters", "1").error.contains("no chapters"))
  }

  @Test func `chapters inside a downloaded file are listed before it is played`() async throws {
    let stage = try Stage(episodes: 1, seconds: 20)
    try await serve([(0, 8000, "Opening"), (8000, 20_000, "Letters")], as: "1", on: stage)
    try await stage.subscribe()
    #expect(try await stage.run("download", "1").status == .exited(0))
    #expect(try await stage.run("info", "1").output.contains("Letters"))
    #expect(try await stage.run("search", "letters").output.contains("chapters"))
    // Of a library in which they were not kept.
    try await stage.seed { store in try await store.setChapters([], of: EpisodeID(rawValue: 1)) }
    let chapters = lines(try await stage.run("chapters", "1").output)
    // libmpv tells the second mark before 8 s, as the encoder pads.
    #expect(chapters.map { $0.split(separator: "\t").prefix(2) } == [["0:00", "Opening"], ["0:08", "Letters"]])
    // They stay where the feed links to a document that cannot be read.
    var feed = SampleFeed(episodes: 1, mediaBase: stage.server.url("/media"), seconds: 20)
    feed.itemExtra[1] = #"<podcast:chapters url="\#(stage.server.url("/c.json"))"/>"#
    stage.server.serve("/feed.xml", Response.feed(feed.bytes))
    try #require(try await stage.run("refresh", "--force").status == .exited(0))
    #expect(try await stage.run("chapters", "1").output.contains("Letters"))
    // Another file of the publisher has others.
    try await serve([(0, 5000, "Advert"), (5000, 20_000, "Letters")], as: "2", on: stage)
    _ = try await stage.run("downloads", "--remove", "1")
    #expect(try await stage.run("download", "1").status == .exited(0))
    #expect(try await stage.run("search", "advert").output.contains("chapters"))
    #expect(try await stage.run("chapters", "1").output.contains("Advert"))
  }

  /// Plays a part of the publisher's present file.
  private func hear(_ stage: Stage) async throws {
    _ = try await stage.run("downloads", "--remove", "1")
    #expect(try await stage.run("play", "1", "--restart", "--until", "2").status == .exited(0))
  }

  /// An MP3 with these chapters is the first episode's media file, of the version `tag`.
  private func serve(_ marks: [(start: Int, end: Int, title: String)], as tag: String, on stage: Stage) async throws {
    let texts = marks.map {
      "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\($0.start)\nEND=\($0.end)\ntitle=\($0.title)\n"
    }
    let sound = try stage.home.write(Tone(seconds: 20).wav, to: "in.wav")
    let meta = try stage.home.write(";FFMETADATA1\n" + texts.joined(), to: "meta.txt")
    let file = stage.home.path + "/out.mp3"
    _ = try await stage.home.program(
      "ffmpeg", "-y", "-v", "error", "-i", sound, "-i", meta, "-map_metadata", "1", file
    ).run()
    stage.server.serve(
      "/media/1.wav", Response.resource(try contents(of: file), type: "audio/mpeg", etag: "\"\(tag)\""))
  }

  @Test func `starting an episode takes the current flag from the one before`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let sink = try PCMSink(in: stage.home)
    for (number, episode) in ["1", "2"].enumerated() {
      let playing = try stage.home.podcli("play", episode).heard(by: sink).start()
      try await sink.wait(forSeconds: Double(number + 1) * 1.5)
      playing.send(SIGTERM)
      _ = try await playing.end()
    }
    #expect(try await stage.status(of: 1).isCurrentlyPlaying == false)
    #expect(try await stage.status(of: 2).isCurrentlyPlaying)
    #expect(try await stage.library().current()?.episode.title == "Episode 2")
  }

  @Test func `an episode heard to its end is played and no longer current`() async throws {
    let stage = try Stage(seconds: 3)
    try await stage.subscribe()
    let outcome = try await stage.home.podcli("play", "1").setting("PODCLI_AO", "null:ao-null-untimed=yes").run()
    #expect(outcome.status == .exited(0))
    let status = try await stage.status(of: 1)
    #expect(status.hasCompleted)
    #expect(status.lastListenTime == nil)
    #expect(!status.isCurrentlyPlaying)
  }

  @Test func `resume in an empty library gives a hint`() async throws {
    let outcome = try await TemporaryHome().podcli("resume").run()
    #expect(outcome.status == .exited(3))
    #expect(outcome.error.contains("podcli play EPISODE"))
    #expect(outcome.output.isEmpty)
  }

  @Test func `P10: a second player is refused, and the lock is free when the first one dies`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let first = try stage.home.podcli("play", "1").start()
    try await first.wait(forError: "Playing")
    try await stage.server.wait(for: "the medium") { $0.contains { $0.request.path.hasPrefix("/media") } }
    let second = try await stage.run("play", "2")
    #expect(second.status == .exited(7))
    #expect(second.error.contains("pid \(first.pid)"))
    #expect(second.error.contains("Episode 1"))
    #expect(second.error.contains("podcli open 2,"))
    #expect(try await stage.run("resume").error.contains("show it with podcli attach,"))
    first.send(SIGKILL)
    _ = try await first.end()
    let third = try stage.home.podcli("play", "2").start()
    try await third.wait(forError: "Playing")
    third.send(SIGTERM)
    #expect(try await third.end().status == .exited(143))
  }

  @Test func `P9: no audio output is one line, and the position stays`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let store = try PodcastStoreForTests.writing(stage.home)
    try await store.savePosition(.seconds(20), of: .init(rawValue: 1), urgency: .flush)
    await store.close()
    let outcome = try await stage.home.podcli("play", "1").setting("PODCLI_AO", "no-such-output").run()
    #expect(outcome.status == .exited(8))
    #expect(outcome.error.contains("no audio output"))
    #expect(try await stage.position(of: 1) == 20)
  }

  @Test func `P5: a signal while the stream stalls ends at once and stores no 0`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let store = try PodcastStoreForTests.writing(stage.home)
    try await store.savePosition(.seconds(20), of: .init(rawValue: 1), urgency: .flush)
    await store.close()
    stage.server.serve("/media/1.wav", Response.ok("RIFF").neverAnswering())
    let playing = try stage.home.podcli("play", "1").start()
    try await stage.server.wait(for: "the medium") { $0.contains { $0.request.path == "/media/1.wav" } }
    playing.send(SIGTERM)
    #expect(try await playing.end().status == .exited(143))
    #expect(try await stage.position(of: 1) == 20)
  }

  @Test func `stopping does not wait for the silent server of an MP3`() async throws {
    let stage = try Stage()
    let item = "<item><title>One</title><enclosure url=\"\(stage.server.url("/1.mp3"))\" type=\"audio/mpeg\"/></item>"
    let feed = "<rss><channel><title>Show</title>\(item)</channel></rss>"
    stage.server.serve("/feed.xml", Response.feed(Array(feed.utf8)))
    stage.server.serve("/1.mp3", Response.ok("ID3").neverAnswering())
    try await stage.subscribe()
    let playing = try stage.home.podcli("play", "1").on(Program.Screen()).start()
    try await stage.server.wait(for: "the medium") { $0.contains { $0.request.path == "/1.mp3" } }
    playing.type("q")
    // Without a stop the wait ends with an unreachable server.
    #expect(try await playing.end().status == .exited(0))
  }

  @Test func `a missing media file is a failure of the network, and the position stays`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    stage.server.serve("/media/1.wav", Response.status(404))
    let outcome = try await stage.run("play", "1")
    #expect(outcome.status == .exited(5))
    #expect(outcome.error.contains("404"))
    #expect(try await stage.status(of: 1).hasCompleted == false)
  }
}

@Suite struct PlayStartTests {
  @Test func `a file of this machine that is cut while it plays is not played to its end`() async throws {
    let stage = try Stage(episodes: 1, seconds: 1)
    let tone = Tone(seconds: 300, sampleRate: Stage.sampleRate).wav
    let file = try stage.home.write(tone, to: "1.wav")
    let feed = SampleFeed(episodes: 1, mediaBase: "file://" + stage.home.path, seconds: 300)
    #expect(try await stage.run("subscribe", stage.home.write(feed.bytes, to: "feed.xml")).status == .exited(0))
    let sink = try PCMSink(in: stage.home)
    let playing = try stage.home.podcli("play", "1").heard(by: sink).start()
    try await sink.wait(forSeconds: 1)
    #expect(truncate(file, off_t(44 + Stage.sampleRate * 2 * 4)) == 0)
    let outcome = try await playing.end()
    #expect(outcome.status == .exited(5), "\(outcome)")
    #expect(try await !stage.status(of: 1).hasCompleted)
    #expect(try #require(try await stage.position(of: 1)) > 1)
  }

  @Test func `an episode that ends while the sleep timer makes it quieter is not heard to its end`() async throws {
    let stage = try Stage(episodes: 2, seconds: 30)
    try await stage.subscribe()
    let outcome = try await stage.run("play", "1", "--start", "26", "--sleep", "9")
    #expect(outcome.status == .exited(0) && outcome.error.contains("Good night"), "\(outcome)")
    #expect(!outcome.error.contains("Episode 2"), "\(outcome)")
    let status = try await stage.status(of: 1)
    let position = try #require(status.lastListenTime?.inSeconds)
    #expect(!status.hasCompleted && position > 25 && position < 27)
  }

  @Test func `starting over keeps the old position as a bookmark`() async throws {
    let stage = try Stage(episodes: 1, seconds: 30)
    try await stage.subscribe()
    let store = try PodcastStoreForTests.writing(stage.home)
    try await store.savePosition(.seconds(20), of: .init(rawValue: 1), urgency: .flush)
    await store.close()
    let outcome = try await stage.home.podcli("play", "1", "--restart", "--sleep", "1").run()
    #expect(outcome.error.contains("from the start"))
    #expect(try await stage.library().bookmarks().map(\.bookmark.position).contains(.seconds(20)))
  }

  @Test func `a start far from the old position keeps that as a bookmark, and one nearby does not`() async throws {
    let stage = try Stage(episodes: 1, seconds: 200)
    try await stage.subscribe()
    let store = try PodcastStoreForTests.writing(stage.home)
    try await store.savePosition(.seconds(100), of: .init(rawValue: 1), urgency: .flush)
    await store.close()
    #expect(try await stage.run("play", "1@1:50", "--until", "1:51").status == .exited(0))
    #expect(try await stage.library().bookmarks().isEmpty)
    #expect(try await stage.run("play", "1", "--start", "5", "--until", "6", "--no-save").status == .exited(0))
    #expect(try await stage.library().bookmarks().isEmpty)
    #expect(try await stage.run("play", "1", "--start", "5", "--until", "6").status == .exited(0))
    let bookmarks = try await stage.library().bookmarks().map(\.bookmark)
    #expect(bookmarks.map(\.note) == ["before starting at 0:05"] && bookmarks[0].position > .seconds(100))
  }

  @Test func `resume after everything is finished names the next episode`() async throws {
    let stage = try Stage(episodes: 2, seconds: 2)
    try await stage.subscribe()
    _ = try await stage.home.podcli("play", "Sample Show/2", "--no-queue")
      .setting("PODCLI_AO", "null:ao-null-untimed=yes").run()
    let outcome = try await stage.run("resume")
    #expect(outcome.status == .exited(3))
    #expect(outcome.error.contains("finished, last Sample Show: Episode 1"))
    #expect(outcome.error.contains("next unplayed: Episode 2; podcli play "))
  }

  @Test func `the end of the chapter is that of the next one, after an episode that stopped at a chapter's end`()
    async throws
  {
    let stage = try Stage()
    var feed = SampleFeed(episodes: 1, mediaBase: stage.server.url("/media"), seconds: 60)
    feed.itemExtra[1] = "<podcast:chapters url=\"\(stage.server.url("/c.json"))\" type=\"application/json+chapters\"/>"
    stage.server.serve("/feed.xml", Response.feed(feed.bytes))
    let chapters = [0, 6, 9].map { "{\"startTime\":\($0),\"title\":\"\($0)\"}" }.joined(separator: ",")
    stage.server.serve("/c.json", Response.ok("{\"version\":\"1.2.0\",\"chapters\":[\(chapters)]}"))
    try await stage.subscribe()
    try #require(try await stage.run("chapters", "1").output.contains("0:09"))
    let first = try await stage.run("play", "1", "--start", "5", "--sleep", "chapter")
    #expect(first.error.contains("Good night. Your position is kept: 0:06"), "\(first)")
    let second = try await stage.run("resume", "--sleep", "chapter")
    #expect(second.error.contains("Good night. Your position is kept: 0:09"), "\(second)")
  }

  @Test func `keys that come at once are told together`() async throws {
    let stage = try Stage(episodes: 1, seconds: 60)
    try await stage.subscribe()
    let playing = try stage.home.podcli("play", "1").on(Program.Screen()).start()
    try await playing.wait(forScreen: "▶")
    playing.type("bt++")
    try await playing.wait(forScreen: "volume 110 %, trim mild, boost on")
    playing.type("q")
    _ = try await playing.end()
  }

  @Test func `the settings of a podcast apply when it plays`() async throws {
    let stage = try Stage(episodes: 1, seconds: 60)
    try await stage.subscribe()
    let set = try await stage.run("set", "Sample Show", "skip-intro=20", "speed=2")
    try #require(set.status == .exited(0), "\(set)")
    let outcome = try await stage.home.podcli("play", "1", "--sleep", "2").run()
    #expect(outcome.status == .exited(0))
    let session = try #require(try await stage.library().history().first?.session)
    #expect(session.startPosition.inSeconds >= 19.9)
    #expect(session.savedBySpeed.inSeconds > 0.1)
  }
}
