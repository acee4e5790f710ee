import Glibc
import PodcastModel
import PodcastStore
import TestSupport
import Testing

@Suite struct FourCommandsTests {
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
    let place = try #require(try await stage.place(of: newest))
    #expect(place > 1.5)

    let resuming = try stage.home.podcli("resume").heard(by: sink).start()
    try await resuming.wait(forError: "Resuming Sample Show: Episode 3 at 0:0")
    try await sink.wait(forSeconds: 4)
    resuming.send(SIGTERM)
    #expect(try await resuming.end().status == .exited(143))
    #expect(try #require(try await stage.place(of: newest)) > place)
  }

  @Test(arguments: [(SIGTERM, 143), (SIGINT, 130), (SIGHUP, 129), (SIGQUIT, 131)] as [(Int32, Int32)])
  func `P2: a signal saves what was heard and says so in the status`(signal: Int32, status: Int32) async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let sink = try PCMSink(in: stage.home)
    let playing = try stage.home.podcli("play", "1").heard(by: sink).start()
    try await sink.wait(forSeconds: 2.3)
    playing.send(signal)
    #expect(try await playing.end().status == .exited(status))
    let place = try #require(try await stage.place(of: 1))
    #expect(abs(place - sink.heard) < 0.3 * Deadline.slowness)
  }

  @Test func `P1: kill -9 loses no more than a second, and resume goes on`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let sink = try PCMSink(in: stage.home)
    var heardBefore = 0.0
    for round in 1...6 {
      let arguments = round == 1 ? ["play", "1"] : ["resume"]
      let start = try await stage.place(of: 1) ?? 0
      let playing = try stage.home.podcli(arguments).heard(by: sink).start()
      try await sink.wait(forSeconds: heardBefore + 1.3 + Double(round) * 0.17)
      playing.send(SIGKILL)
      #expect(try await playing.end().status == .signalled(SIGKILL))
      let heard = sink.heard - heardBefore
      heardBefore = sink.heard
      // Resuming goes back a second, never before the start.
      let truth = max(0, start - 1) + heard
      let place = try #require(try await stage.place(of: 1))
      #expect(truth - place < 1.1, "round \(round)")
      #expect(place - truth < 0.3, "round \(round)")
    }
  }

  @Test func `starting an episode takes the flag from the one before`() async throws {
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

  @Test func `resume in an empty library says what to do`() async throws {
    let outcome = try await TemporaryHome().podcli("resume").run()
    #expect(outcome.status == .exited(3))
    #expect(outcome.error.contains("podcli play EPISODE"))
    #expect(outcome.output.isEmpty)
  }

  @Test func `P10: a second player is turned away, and the lock dies with the first`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let first = try stage.home.podcli("play", "1").start()
    try await first.wait(forError: "Playing")
    try await stage.server.wait(for: "the medium") { $0.contains { $0.request.path.hasPrefix("/media") } }
    let second = try await stage.run("play", "2")
    #expect(second.status == .exited(7))
    #expect(second.error.contains("pid \(first.pid)"))
    #expect(second.error.contains("Episode 1"))
    first.send(SIGKILL)
    _ = try await first.end()
    let third = try stage.home.podcli("play", "2").start()
    try await third.wait(forError: "Playing")
    third.send(SIGTERM)
    #expect(try await third.end().status == .exited(143))
  }

  @Test func `P9: no audio output is said in one line, and the place stays`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let store = try PodcastStoreForTests.writing(stage.home)
    try await store.savePosition(.seconds(20), of: .init(rawValue: 1), urgency: .flush)
    await store.close()
    let outcome = try await stage.home.podcli("play", "1").setting("PODCLI_AO", "no-such-output").run()
    #expect(outcome.status == .exited(8))
    #expect(outcome.error.contains("no audio output"))
    #expect(try await stage.place(of: 1) == 20)
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
    #expect(try await stage.place(of: 1) == 20)
  }

  @Test func `who stops while the server of an MP3 is silent does not wait for it`() async throws {
    let stage = try Stage()
    let item = "<item><title>One</title><enclosure url=\"\(stage.server.url("/1.mp3"))\" type=\"audio/mpeg\"/></item>"
    let feed = "<rss><channel><title>Show</title>\(item)</channel></rss>"
    stage.server.serve("/feed.xml", Response.feed(Array(feed.utf8)))
    stage.server.serve("/1.mp3", Response.ok("ID3").neverAnswering())
    try await stage.subscribe()
    let playing = try stage.home.podcli("play", "1").on(Program.Screen()).start()
    try await stage.server.wait(for: "the medium") { $0.contains { $0.request.path == "/1.mp3" } }
    playing.type("q")
    // Who waits hears in the end that the server cannot be reached.
    #expect(try await playing.end().status == .exited(0))
  }

  @Test func `a medium that is gone is a failure of the network, and the place stays`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    stage.server.serve("/media/1.wav", Response.status(404))
    let outcome = try await stage.run("play", "1")
    #expect(outcome.status == .exited(5))
    #expect(outcome.error.contains("404"))
    #expect(try await stage.status(of: 1).hasCompleted == false)
  }
}

@Suite struct NetworkLossTests {
  private static let cut = 2_000_000

  /// The first twenty seconds are sent, and then whatever the test says.
  private func stage(_ later: @escaping @Sendable (Request, Response) -> Response) async throws -> Stage {
    let stage = try Stage(seconds: 60)
    let medium = Response.resource(
      Tone(seconds: 60, sampleRate: Stage.sampleRate).wav, type: "audio/wav", etag: "\"1\"")
    stage.server.serve("/media/1.wav") { request in
      let answer = medium.answering(request)
      let start = request.header("Range").flatMap { Int($0.dropFirst("bytes=".count).prefix { $0 != "-" }) } ?? 0
      return start < Self.cut ? answer.truncated(at: Self.cut - start) : later(request, answer)
    }
    try await stage.subscribe()
    return stage
  }

  @Test func `a server that is gone for good: status 5, the place kept, nothing marked as played`() async throws {
    let stage = try await stage { _, _ in Response.status(503) }
    _ = try await stage.run("config", "set", "network-patience=2s")
    let outcome = try await stage.home.podcli("play", "1", "--start", "15").run()
    #expect(outcome.status == .exited(5), "\(outcome)")
    #expect(outcome.error.contains("503"))
    let status = try await stage.status(of: 1)
    let place = try #require(status.lastListenTime?.inSeconds)
    #expect(place > 18 && place < 22)
    #expect(!status.hasCompleted)
    #expect(status.isCurrentlyPlaying)
    #expect(stage.server.requests(to: "/media/1.wav").count >= 4)
  }

  @Test func `a server that comes back is gone on with, without a word from the user`() async throws {
    let away = Observed(4)
    let stage = try await stage { _, answer in
      let isAway = away.update { left in
        defer { left -= 1 }
        return left > 0
      }
      return isAway ? Response.status(503) : answer
    }
    let playing = try stage.home.podcli("play", "1", "--start", "18").start()
    let watching = try stage.home.podcli("status", "--watch", "--json").start()
    try await watching.wait(for: "a place behind what came at first") { ($0.positions.last ?? 0) > 24 }
    playing.send(SIGTERM)
    #expect(try await playing.end().status == .exited(143))
    watching.send(SIGTERM)
    #expect(watching.transcript.positions.allSatisfy { $0 >= 18 && $0 < 40 })
    #expect(away.value < 0)
  }
}

@Suite struct AutoplayTests {
  private func play(_ stage: Stage, _ arguments: String...) async throws -> Outcome {
    try await stage.home.podcli(["play"] + arguments).setting("PODCLI_AO", "null:ao-null-untimed=yes").run()
  }

  @Test func `at its end the next newer unplayed episode of the podcast plays, to the last`() async throws {
    let stage = try Stage(episodes: 3, seconds: 3)
    try await stage.subscribe()
    let outcome = try await play(stage, "Sample Show/2")
    #expect(outcome.status == .exited(0))
    #expect(
      outcome.error.contains("Playing Sample Show: Episode 2\nFinished Episode 2\nPlaying Sample Show: Episode 3"))
    let newest = try await stage.library().playlist()
    #expect(newest.map(\.status.hasCompleted) == [true, true, false])
  }

  @Test func `the queue comes first, and what has ended leaves it`() async throws {
    let stage = try Stage(episodes: 3, seconds: 3)
    try await stage.subscribe()
    let list = try await stage.library().playlist()
    let store = try PodcastStoreForTests.writing(stage.home)
    try await store.enqueue([list[2].episode.id])
    await store.close()
    let outcome = try await play(stage, "Sample Show/1")
    #expect(outcome.error.contains("Finished Episode 3\nPlaying Sample Show: Episode 1"))
    #expect(try await stage.library().queue().isEmpty)
  }

  @Test func `--no-queue stops after the episode, and a bookmark of the sleep timer is kept`() async throws {
    let stage = try Stage(episodes: 2, seconds: 3)
    try await stage.subscribe()
    let outcome = try await play(stage, "Sample Show/2", "--no-queue")
    #expect(!outcome.error.contains("Episode 2\nPlaying"))
    let asleep = try await stage.home.podcli("play", "Sample Show/1", "--sleep", "1").run()
    #expect(asleep.status == .exited(0))
    #expect(asleep.error.contains("Good night"))
    let bookmarks = try await stage.library().bookmarks()
    #expect(bookmarks.map(\.bookmark.note) == ["sleep timer"])
    #expect(try await stage.library().playlist().first?.status.hasCompleted == false)
  }

  @Test func `what was listened to is in the history`() async throws {
    let stage = try Stage(episodes: 1, seconds: 4)
    try await stage.subscribe()
    _ = try await stage.home.podcli("play", "1", "--speed", "2").run()
    let session = try #require(try await stage.library().history().first?.session)
    #expect(session.listened.inSeconds > 1 && session.listened.inSeconds < 3)
    #expect(session.savedBySpeed.inSeconds > 1)
    #expect(session.endedAt != nil)
  }
}

@Suite struct StartingTests {
  @Test func `starting over keeps the old place as a bookmark`() async throws {
    let stage = try Stage(episodes: 1, seconds: 30)
    try await stage.subscribe()
    let store = try PodcastStoreForTests.writing(stage.home)
    try await store.savePosition(.seconds(20), of: .init(rawValue: 1), urgency: .flush)
    await store.close()
    let outcome = try await stage.home.podcli("play", "1", "--restart", "--sleep", "1").run()
    #expect(outcome.error.contains("from the start"))
    #expect(try await stage.library().bookmarks().map(\.bookmark.position).contains(.seconds(20)))
  }

  @Test func `resume after everything is finished says so, and what could be next`() async throws {
    let stage = try Stage(episodes: 2, seconds: 2)
    try await stage.subscribe()
    _ = try await stage.home.podcli("play", "Sample Show/2", "--no-queue")
      .setting("PODCLI_AO", "null:ao-null-untimed=yes").run()
    let outcome = try await stage.run("resume")
    #expect(outcome.status == .exited(3))
    #expect(outcome.error.contains("finished, last Sample Show: Episode 1"))
    #expect(outcome.error.contains("next unplayed: Episode 2; podcli play "))
  }

  @Test func `what is set for a podcast holds when it plays`() async throws {
    let stage = try Stage(episodes: 1, seconds: 60)
    try await stage.subscribe()
    let set = try await stage.run("set", "Sample Show", "skip-intro=20", "speed=2")
    try #require(set.status == .exited(0), "\(set)")
    let outcome = try await stage.home.podcli("play", "1", "--sleep", "2").run()
    #expect(outcome.status == .exited(0))
    let session = try #require(try await stage.library().history().first?.session)
    #expect(session.startPosition.inSeconds >= 19.9)
    #expect(session.savedBySpeed.inSeconds > 0.5)
  }
}
