import PodcastModel
import Synchronization
import System
import TestSupport
import Testing
import Text
import Transfer

@testable import Playback
@testable import PodcastStore
@testable import Podcatcher

/// The listener with a real library, the real libmpv and a server of its own; only the loudspeaker is missing.
@Suite struct ListenerTests {
  private let home: TemporaryHome
  private let server: LoopbackServer
  private let store: PodcastStore
  private let player = Player(audioOutput: "null")
  private let states = Observed<[PlayerStatus]>([])
  private let clock = Clock()

  init() async throws {
    home = try TemporaryHome()
    server = try LoopbackServer()
    store = try PodcastStore(path: home.path + "/library.db")
    let medium = Response.resource(Tone(seconds: 30, sampleRate: 16_000).wav, type: "audio/wav", etag: "\"1\"")
    server.serve("/1.wav") { medium.answering($0) }
    var feed = Feed()
    feed.title = "Show"
    var episode = FeedEpisode()
    episode.guid = "1"
    episode.title = "One"
    episode.enclosure = Enclosure(url: server.url("/1.wav"))
    episode.chapters = ChaptersLink(url: server.url("/c.json"), type: "application/json+chapters")
    feed.episodes = [episode]
    _ = try await store.subscribe(to: feed, at: server.url("/feed.xml"))
  }

  private func listener(
    _ player: Player? = nil, settings: Listener.Settings = .init(),
    report: @escaping @Sendable (Listener.Report) -> Void = { _ in }
  ) throws -> Listener {
    let client = try HTTPClient()
    return Listener(
      store: store, player: player ?? self.player,
      library: MediaLibrary(
        store: store, media: home.path + "/media", secrets: Secrets(folder: home.path), patience: .seconds(120)
      ) { () throws(TransferError) in client },
      settings: { _ in settings }, report: report, publish: { [states] state, _ in states.update { $0.append(state) } },
      clock: { [clock = self.clock] in clock.now })
  }

  private static let chapters =
    #"{"version":"1.2.0","chapters":[{"startTime":0,"title":"A"},{"startTime":20.12,"title":"B"}]}"#

  private func entry() async throws -> EpisodeEntry {
    try #require(try await store.episode(EpisodeID(rawValue: 1)))
  }

  private func wait(forPosition seconds: Double) async throws {
    try await states.wait(for: "the position \(seconds)") { ($0.last?.position?.inSeconds ?? 0) >= seconds }
  }

  @Test func `a player in the background that is left paused ends itself`() async throws {
    let folder = home.path
    let paths = try #require(Paths(environment: Environment { $0 == "PODCLI_HOME" ? folder : nil }))
    var options = PlayJourney.Options(version: "1") { _ in [:] }
    (options.isDetached, options.isPaused, options.idleLimit) = (true, true, .milliseconds(300))
    let journey = Live(paths: paths, audioOutput: "null", isOffline: false).playJourney(options)
    #expect(try journey.takeLock())
    let ending = await journey.play(try await entry(), from: .at(.seconds(5)), until: nil, in: store, [:]) { _ in
    } onStart: { _, _ in
    }
    #expect(try ending.result.get() == .stopped)
  }

  @Test func `an engine that breaks down is replaced, and the episode goes on where it was`() async throws {
    let listener = try listener()
    let entry = try await entry()
    let listening = Task { try await listener.listen(to: entry, from: .at(.seconds(5))) }
    try await wait(forPosition: 6)
    player.command(["quit"])
    try await wait(forPosition: 8)
    await listener.stop()
    #expect(try await listening.value == .stopped)
    #expect(states.value.compactMap { $0.position?.inSeconds }.allSatisfy { $0 == 0 || $0 >= 4.9 })
    let status = try await self.entry().status
    #expect(!status.hasCompleted)
    #expect(try #require(status.lastListenTime?.inSeconds) >= 8)
    player.close()
  }

  @Test func `after the end of playing no episode is opened, also not the one that played`() async throws {
    let listener = try listener()
    let entry = try await entry()
    let listening = Task { try await listener.listen(to: entry, from: .beginning) }
    try await wait(forPosition: 1)
    await listener.stop()
    #expect(try await listening.value == .stopped)
    #expect(await listener.carryOut(.open(entry.episode.id, at: nil)) == .noPlayer)
    player.close()
  }

  @Test func `a pause does not count for the sleep timer`() async throws {
    let listener = try listener()
    let entry = try await entry()
    let start = clock.now
    await listener.setSleep(.after(.seconds(1_000)))
    let listening = Task { try await listener.listen(to: entry, from: .at(.seconds(5))) }
    try await wait(forPosition: 6)
    #expect(await listener.carryOut(.pause) == nil)
    clock.hold(at: start + .seconds(2_000))
    let paused = try #require(listener.status?.sleepAt).seconds - Timestamp.now.seconds
    #expect((900...1_000).contains(paused))
    #expect(await listener.carryOut(.play) == nil)
    try await states.wait(for: "the rest of the timer") { $0.last?.sleepAt != nil && $0.last?.state == .playing }
    clock.hold(at: start + .seconds(3_000))
    #expect(try await listening.value == .stopped)
    player.close()
  }

  @Test func `two toggles within a moment leave it as it was, from keys and from other processes`() async throws {
    let listener = try listener()
    let entry = try await entry()
    let listening = Task { try await listener.listen(to: entry, from: .beginning) }
    try await wait(forPosition: 1)
    for _ in 1...2 { listener.perform(.toggle) }
    listener.perform(.seek(.at(.seconds(10))))
    try await wait(forPosition: 11)
    async let first = listener.carryOut(.toggle)
    async let second = listener.carryOut(.toggle)
    let (one, other) = await (first, second)
    #expect(one == nil && other == nil)
    listener.perform(.seek(.at(.seconds(20))))
    try await wait(forPosition: 21)
    await listener.stop()
    #expect(try await listening.value == .stopped)
    player.close()
  }

  /// Its podcast is deleted while it plays, or the library is locked until the queue is through.
  @Test(arguments: [true, false])
  func `an end that the library does not take keeps no other episode from ending, and none plays twice`(
    isDeleted: Bool
  ) async throws {
    var feed = Feed()
    feed.title = "Other"
    feed.episodes = ["Two", "Three"].map { title in
      let medium = Response.resource(Tone(seconds: 1, sampleRate: 16_000).wav, type: "audio/wav", etag: "\"1\"")
      server.serve("/\(title).wav") { medium.answering($0) }
      var episode = FeedEpisode()
      (episode.guid, episode.title) = (title, title)
      episode.enclosure = Enclosure(url: server.url("/\(title).wav"))
      return episode
    }
    let queued = try await store.subscribe(to: feed, at: server.url("/other.xml")).added
    try await store.enqueue(queued)
    await store.hurry()
    let order = try await store.queue().map(\.episode.title)
    let finished = Observed<[String]>([])
    let listener = try listener { report in
      if case .finished(let entry) = report { finished.update { $0.append(entry.episode.title) } }
    }
    let entry = try await entry()
    let listening = Task { try await listener.listen(to: entry, from: .at(.seconds(28))) }
    try await wait(forPosition: 28.5)
    let lock = try Connection(path: home.path + "/library.db", mode: .readWrite)
    if isDeleted {
      try await store.unsubscribe(entry.podcast.id, deleting: true)
    } else {
      try lock.executeScript("BEGIN IMMEDIATE")
    }
    try await finished.wait(for: "three ends") { $0.count >= 3 }
    #expect(finished.value == ["One"] + order)
    if !isDeleted { try lock.executeScript("ROLLBACK") }
    await listener.stop()
    _ = try await listening.value
    if isDeleted {
      #expect(try await store.queue().isEmpty)
      #expect(try await store.playlist().allSatisfy(\.status.hasCompleted))
    }
    player.close()
  }

  @Test func `each episode that is left while the library is locked keeps its position`() async throws {
    let medium = Response.resource(Tone(seconds: 30, sampleRate: 16_000).wav, type: "audio/wav", etag: "\"1\"")
    server.serve("/2.wav") { medium.answering($0) }
    var feed = Feed()
    var episode = FeedEpisode()
    (feed.title, episode.guid, episode.title) = ("Other", "2", "Two")
    episode.enclosure = Enclosure(url: server.url("/2.wav"))
    feed.episodes = [episode]
    let two = try await store.subscribe(to: feed, at: server.url("/other.xml")).added
    try await store.enqueue(two)
    await store.hurry()
    let listener = try listener()
    let entry = try await entry()
    let listening = Task { try await listener.listen(to: entry, from: .at(.seconds(5))) }
    try await wait(forPosition: 6)
    let lock = try Connection(path: home.path + "/library.db", mode: .readWrite)
    try lock.execute("BEGIN IMMEDIATE")
    listener.perform(.seek(.at(.seconds(12))))
    try await wait(forPosition: 12)
    listener.perform(.next)
    try await states.wait(for: "the second episode") {
      ($0.last.flatMap { $0.episode == two[0] ? $0.position : nil } ?? .zero) > .seconds(1)
    }
    listener.perform(.seek(.at(.seconds(20))))
    try await wait(forPosition: 20)
    listener.perform(.previous)
    try await states.wait(for: "the first episode where it was left") {
      $0.last?.episode == entry.episode.id && ($0.last?.position ?? .zero) > .seconds(8)
    }
    try lock.execute("ROLLBACK")
    await listener.stop()
    _ = try await listening.value
    #expect(try #require(try await self.entry().status.lastListenTime) > .seconds(8))
    #expect(try #require(try await store.episode(two[0])?.status.lastListenTime) >= .seconds(20))
    player.close()
  }

  @Test func `an episode that is over before its first position was heard`() async throws {
    let medium = Response.resource(Tone(seconds: 0.1, sampleRate: 16_000).wav, type: "audio/wav", etag: "\"2\"")
    server.serve("/1.wav") { medium.answering($0) }
    let player = Player(audioOutput: "null:ao-null-untimed=yes")
    let listener = try listener(player)
    for _ in 1...10 {
      #expect(try await listener.listen(to: try await entry(), from: .beginning) == .finished)
    }
    #expect(try await entry().status.hasCompleted)
    player.close()
  }

  @Test func `chapters that arrive after the engine was replaced are the episode's all the same`() async throws {
    let gate = Gate()
    server.serve("/c.json", Response.ok(Self.chapters).delayed(until: gate))
    let listener = try listener()
    let entry = try await entry()
    let listening = Task { try await listener.listen(to: entry, from: .beginning) }
    _ = try await server.request(1, to: "/c.json")
    try await wait(forPosition: 1)
    player.command(["quit"])
    try await wait(forPosition: 2)
    gate.open()
    try await states.wait(for: "the chapters") { $0.last?.chapter?.title == "A" }
    await listener.stop()
    _ = try await listening.value
    player.close()
  }

  /// An episode of another podcast, the second one, whose server answers once the gate is open.
  private func addOther() async throws -> Gate {
    let file = home.path + "/2.mp3"
    let made = try await home.program(
      "ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=d=30", "-b:a", "64k", file
    ).run()
    try #require(made.status == .exited(0), "\(made)")
    let gate = Gate()
    let medium = Response.resource(try contents(of: file), type: "audio/mpeg", etag: "\"2\"").delayed(until: gate)
    server.serve("/2.mp3") { medium.answering($0) }
    var (feed, episode) = (Feed(), FeedEpisode())
    (feed.title, episode.guid, episode.title) = ("Other", "2", "Two")
    episode.enclosure = Enclosure(url: server.url("/2.mp3"), type: "audio/mpeg")
    feed.episodes = [episode]
    _ = try await store.subscribe(to: feed, at: server.url("/other.xml"))
    return gate
  }

  @Test func `sound that is changed while the first episode is being opened stays changed`() async throws {
    let gate = try await addOther()
    let listener = try listener()
    let other = try #require(try await store.episode(EpisodeID(rawValue: 2)))
    let listening = Task { try await listener.listen(to: other, from: .beginning) }
    _ = try await server.request(1, to: "/2.mp3")
    #expect(await listener.carryOut(.volume(.to(30))) == nil)
    #expect(await listener.carryOut(.speed(.by(0.1))) == nil)
    gate.open()
    try await wait(forPosition: 1)
    #expect(player.snapshot.sound.volume == 30 && player.snapshot.sound.speed == 1.1)
    await listener.stop()
    _ = try await listening.value
    player.close()
  }

  @Test func `an episode that is left for a slow one is gone back to`() async throws {
    _ = try await addOther()
    let wasGivenUp = Observed(false)
    let listener = try listener { report in if case .cannotPlay = report { wasGivenUp.update { $0 = true } } }
    let entry = try await entry()
    let listening = Task { try await listener.listen(to: entry, from: .beginning) }
    try await wait(forPosition: 1)
    let other = Task { await listener.carryOut(.open(EpisodeID(rawValue: 2), at: nil)) }
    _ = try await server.request(1, to: "/2.mp3")
    #expect(await listener.carryOut(.open(entry.episode.id, at: nil)) == nil)
    _ = await other.value
    let position = try #require(states.value.last?.position?.inSeconds)
    try await wait(forPosition: position + 1)
    #expect(states.value.last?.episode == entry.episode.id && !wasGivenUp.value)
    #expect(await !listener.previous())
    await listener.stop()
    _ = try await listening.value
    player.close()
  }

  @Test func `an episode whose server does not answer is left for the next one`() async throws {
    _ = try await addOther()
    try await store.enqueue([EpisodeID(rawValue: 1)])
    let listener = try listener()
    let other = try #require(try await store.episode(EpisodeID(rawValue: 2)))
    let listening = Task { try await listener.listen(to: other, from: .beginning) }
    _ = try await server.request(1, to: "/2.mp3")
    #expect(await listener.carryOut(.next) == nil)
    try await wait(forPosition: 1)
    #expect(states.value.last?.episode?.rawValue == 1)
    await listener.stop()
    _ = try await listening.value
    player.close()
  }

  @Test func `a pause that comes while an episode is being opened holds`() async throws {
    let gate = try await addOther()
    let listener = try listener()
    let entry = try await entry()
    let listening = Task { try await listener.listen(to: entry, from: .beginning) }
    try await wait(forPosition: 1)
    let other = Task { await listener.carryOut(.open(EpisodeID(rawValue: 2), at: nil)) }
    _ = try await server.request(1, to: "/2.mp3")
    #expect(await listener.carryOut(.pause) == nil)
    gate.open()
    try await states.wait(for: "the other episode, paused") { states in
      states.last?.episode?.rawValue == 2 && states.last?.position != nil && states.last?.state == .paused
    }
    _ = await other.value
    await listener.stop()
    _ = try await listening.value
    player.close()
  }

  @Test func `a step leads to the first chapter, and no chapter behind the end ends the episode`() async throws {
    let chapters = #"{"version":"1.2.0","chapters":[{"startTime":9,"title":"A"},{"startTime":600,"title":"B"}]}"#
    server.serve("/c.json", Response.ok(chapters))
    let listener = try listener()
    let entry = try await entry()
    let listening = Task { try await listener.listen(to: entry, from: .beginning) }
    try await states.wait(for: "the chapters") { [listener] _ in listener.nowPlaying?.chapters.count == 2 }
    #expect(await listener.carryOut(.chapter(.by(-1))) == .noSuchChapter)
    #expect(await listener.carryOut(.chapter(.by(1))) == nil)
    try await wait(forPosition: 9)
    #expect(await listener.carryOut(.chapter(.by(1))) == .beyondEnd(.seconds(30)))
    #expect(await listener.carryOut(.chapter(.to(2))) == .beyondEnd(.seconds(30)))
    await listener.stop()
    #expect(try await listening.value == .stopped)
    player.close()
  }

  /// Plays from the fifth second on, with a sleep timer that began at `start` of the clock.
  private func asleep(
    after length: Duration
  ) async throws -> (listener: Listener, listening: Task<EndVerdict, any Error>, start: Duration) {
    let (listener, entry, start) = (try listener(), try await entry(), clock.now)
    clock.hold(at: start)
    await listener.setSleep(.after(length))
    clock.release()
    let listening = Task { try await listener.listen(to: entry, from: .at(.seconds(5))) }
    try await wait(forPosition: 6)
    return (listener, listening, start)
  }

  @Test func `after falling asleep playing goes on where it began to get quieter`() async throws {
    let (_, listening, start) = try await asleep(after: .seconds(1_000))
    let before = try #require(player.snapshot.position)
    // A second of the clock for each status that is told: the fade begins with the first or the second.
    var after = before
    for second in 990...994 {
      clock.hold(at: start + .seconds(second))
      after = try await states.wait(for: "a later position") { [after] told -> Duration? in
        guard let position = told.last?.position, position > after else { return nil }
        return position
      }
    }
    clock.hold(at: start + .seconds(1_000))
    _ = try await listening.value
    let position = try #require(try await self.entry().status.lastListenTime)
    #expect(position >= before && position < after)
    #expect(try await store.bookmarks().map(\.bookmark.position) == [position])
    player.close()
  }

  @Test func `a jump while it gets quieter is where playing goes on after falling asleep`() async throws {
    let (listener, listening, start) = try await asleep(after: .seconds(1_000))
    clock.hold(at: start + .seconds(990))
    let before = try #require(player.snapshot.position)
    try await states.wait(for: "a later position") { $0.last?.position ?? .zero > before }
    #expect(await listener.carryOut(.seek(.at(.seconds(20)))) == nil)
    clock.hold(at: start + .seconds(1_000))
    _ = try await listening.value
    let position = try #require(try await self.entry().status.lastListenTime)
    #expect(position >= .seconds(20))
    player.close()
  }

  @Test func `with no position to be kept, falling asleep leaves no bookmark`() async throws {
    var settings = Listener.Settings()
    settings.savesPosition = false
    let listener = try listener(settings: settings)
    let entry = try await entry()
    await listener.setSleep(.after(.seconds(1_000)))
    let listening = Task { try await listener.listen(to: entry, from: .at(.seconds(5))) }
    try await wait(forPosition: 6)
    clock.advance(by: .seconds(1_000))
    _ = try await listening.value
    #expect(try await store.bookmarks().isEmpty)
    #expect(try await self.entry().status.lastListenTime == nil)
    player.close()
  }

  @Test func `a seek to another chapter does not end playing at its start`() async throws {
    server.serve("/c.json", Response.ok(Self.chapters))
    let listener = try listener()
    let entry = try await entry()
    await listener.setSleep(.endOfChapter)
    let listening = Task { try await listener.listen(to: entry, from: .at(.seconds(1))) }
    try await states.wait(for: "the chapters") { $0.last?.chapter?.title == "A" }
    listener.perform(.chapter(.by(1)))
    try await wait(forPosition: 22)
    player.seek(to: .seconds(19))
    _ = try await listening.value
    #expect(try #require(try await self.entry().status.lastListenTime) < .seconds(22))
    player.close()
  }

  @Test func `the end of a chapter stops playing and is kept, however late the chapters were known`() async throws {
    let gate = Gate()
    server.serve("/c.json", Response.ok(Self.chapters).delayed(until: gate))
    let listener = try listener()
    let entry = try await entry()
    await listener.setSleep(.endOfChapter)
    let listening = Task { try await listener.listen(to: entry, from: .at(.seconds(1))) }
    try await wait(forPosition: 2)
    gate.open()
    try await states.wait(for: "the chapters") { $0.last?.chapter?.title == "A" }
    try await wait(forPosition: 4)
    player.seek(to: .seconds(19))
    _ = try await listening.value
    let position = try #require(try await self.entry().status.lastListenTime)
    #expect(position >= .seconds(20))
    player.close()
  }
}

/// The real one, which can be put forward, and held.
private final class Clock: Sendable {
  private let ahead = Mutex(Duration.zero)
  private let held = Mutex<Duration?>(nil)

  var now: Duration { held.withLock { $0 } ?? Monotonic.now() + ahead.withLock { $0 } }

  func hold(at time: Duration) { held.withLock { $0 = time } }

  func release() { held.withLock { $0 = nil } }

  func advance(by duration: Duration) { ahead.withLock { $0 += duration } }
}
