import PodcastModel
import PodcastStore
import Synchronization
import TestSupport
import Testing
import Transfer

@testable import Playback
@testable import Podcatcher

/// The listener with a real library, a real engine and a server of its own; only the loudspeaker is missing.
@Suite struct ListenerTests {
  private let home: TemporaryHome
  private let server: LoopbackServer
  private let store: PodcastStore
  private let player = MPVPlayer(audioOutput: "null")
  private let states = Observed<[PlayerState]>([])
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

  private func listener(_ player: MPVPlayer? = nil, settings: Listener.Settings = .init()) throws -> Listener {
    let client = try HTTPClient()
    return Listener(
      store: store, player: player ?? self.player,
      library: MediaLibrary(store: store, media: home.path + "/media", secrets: Secrets(folder: home.path)) {
        () throws(TransferError) in client
      },
      settings: { _ in settings }, publish: { [states] state in states.update { $0.append(state) } },
      clock: { [clock = self.clock] in clock.now })
  }

  private static let chapters =
    #"{"version":"1.2.0","chapters":[{"startTime":0,"title":"A"},{"startTime":20,"title":"B"}]}"#

  private func entry() async throws -> EpisodeEntry {
    try #require(try await store.episode(EpisodeID(rawValue: 1)))
  }

  private func wait(forPlace seconds: Double) async throws {
    try await states.wait(for: "the place \(seconds)") { ($0.last?.position?.inSeconds ?? 0) >= seconds }
  }

  @Test func `an engine that breaks down is replaced, and the episode goes on where it was`() async throws {
    let listener = try listener()
    let entry = try await entry()
    let listening = Task { try await listener.listen(to: entry, from: .at(.seconds(5))) }
    try await wait(forPlace: 6)
    player.command(["quit"])
    try await wait(forPlace: 8)
    await listener.stop()
    #expect(try await listening.value == .stopped)
    #expect(states.value.compactMap { $0.position?.inSeconds }.allSatisfy { $0 == 0 || $0 >= 4.9 })
    let status = try await self.entry().status
    #expect(!status.hasCompleted)
    #expect(try #require(status.lastListenTime?.inSeconds) >= 8)
    player.close()
  }

  @Test func `an episode that is over before a position is told was heard`() async throws {
    let medium = Response.resource(Tone(seconds: 0.1, sampleRate: 16_000).wav, type: "audio/wav", etag: "\"2\"")
    server.serve("/1.wav") { medium.answering($0) }
    let player = MPVPlayer(audioOutput: "null:ao-null-untimed=yes")
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
    try await wait(forPlace: 1)
    player.command(["quit"])
    try await wait(forPlace: 2)
    gate.open()
    try await states.wait(for: "the chapters") { $0.last?.chapter?.title == "A" }
    await listener.stop()
    _ = try await listening.value
    player.close()
  }

  @Test func `who fell asleep goes on where it began to get quieter`() async throws {
    let listener = try listener()
    let entry = try await entry()
    await listener.setSleep(.after(.seconds(1_000)))
    let listening = Task { try await listener.listen(to: entry, from: .at(.seconds(5))) }
    try await wait(forPlace: 6)
    let before = try #require(player.snapshot.position)
    clock.advance(by: .seconds(990))
    let amid = try #require(player.snapshot.position)
    try await wait(forPlace: amid.inSeconds + 1)
    let after = try #require(player.snapshot.position)
    clock.advance(by: .seconds(10))
    _ = try await listening.value
    let place = try #require(try await self.entry().status.lastListenTime)
    #expect(place >= before && place < after)
    #expect(try await store.bookmarks().map(\.bookmark.position) == [place])
    player.close()
  }

  @Test func `of a place that is not to be kept falling asleep leaves no bookmark`() async throws {
    var settings = Listener.Settings()
    settings.savesPosition = false
    let listener = try listener(settings: settings)
    let entry = try await entry()
    await listener.setSleep(.after(.seconds(1_000)))
    let listening = Task { try await listener.listen(to: entry, from: .at(.seconds(5))) }
    try await wait(forPlace: 6)
    clock.advance(by: .seconds(1_000))
    _ = try await listening.value
    #expect(try await store.bookmarks().isEmpty)
    #expect(try await self.entry().status.lastListenTime == nil)
    player.close()
  }

  @Test func `who goes to another chapter does not fall asleep at its start`() async throws {
    server.serve("/c.json", Response.ok(Self.chapters))
    let listener = try listener()
    let entry = try await entry()
    await listener.setSleep(.endOfChapter)
    let listening = Task { try await listener.listen(to: entry, from: .at(.seconds(1))) }
    try await states.wait(for: "the chapters") { $0.last?.chapter?.title == "A" }
    player.seek(to: .seconds(22))
    try await wait(forPlace: 24)
    player.seek(to: .seconds(19))
    _ = try await listening.value
    #expect(try #require(try await self.entry().status.lastListenTime) < .seconds(22))
    player.close()
  }

  @Test func `whom the end of a chapter stops goes on there, however late the chapters were known`() async throws {
    let gate = Gate()
    server.serve("/c.json", Response.ok(Self.chapters).delayed(until: gate))
    let listener = try listener()
    let entry = try await entry()
    await listener.setSleep(.endOfChapter)
    let listening = Task { try await listener.listen(to: entry, from: .at(.seconds(1))) }
    try await wait(forPlace: 2)
    gate.open()
    try await states.wait(for: "the chapters") { $0.last?.chapter?.title == "A" }
    try await wait(forPlace: 4)
    player.seek(to: .seconds(19))
    _ = try await listening.value
    let place = try #require(try await self.entry().status.lastListenTime)
    #expect(place >= .seconds(20))
    player.close()
  }
}

/// The real one, which can be put forward.
private final class Clock: Sendable {
  private let ahead = Mutex(Duration.zero)

  var now: Duration { Monotonic.now() + ahead.withLock { $0 } }

  func advance(by duration: Duration) { ahead.withLock { $0 += duration } }
}

@Suite struct PlayerStateTextTests {
  private var state: PlayerState {
    PlayerState(
      mode: .paused, episode: EpisodeID(rawValue: 7), position: .milliseconds(1_500), duration: .seconds(60),
      speed: 1.25,
      volume: 80, chapter: .init(index: 2, title: "A sponsor"), sleepAt: Timestamp(seconds: 1_700_000_000))
  }

  @Test func `a state reads as it was written`() {
    #expect(PlayerState(text: state.text) == state)
    var bare = state
    (bare.position, bare.duration, bare.chapter, bare.sleepAt) = (nil, nil, nil, nil)
    #expect(PlayerState(text: bare.text) == bare)
  }

  @Test func `a title with lines in it stays on its line`() {
    var state = state
    state.chapter?.title = "one\ntwo\r\nthree"
    #expect(PlayerState(text: state.text)?.chapter?.title == "one two three")
  }

  @Test(arguments: ["", "playing\n", "asleep\n7\n\n\n1.0\n100.0\n\n\n\n", "playing\nx\n\n\n1.0\n100.0\n\n\n\n"])
  func `what is none is not read`(text: String) {
    #expect(PlayerState(text: text) == nil)
  }
}

@Suite struct SetbackTests {
  @Test func `the pauses grow, and hearing something makes up for everything`() {
    var setbacks = Setbacks()
    var pauses: [Duration] = []
    for _ in 0..<6 {
      pauses.append(setbacks.pause)
      setbacks.add()
    }
    #expect(pauses == [250, 500, 1000, 2000, 2000, 2000].map { .milliseconds($0) })
    setbacks.overcome()
    #expect(setbacks.isFirst)
  }

  @Test func `a place a little behind the end is near the end, one far behind it is another medium's`() {
    #expect(Rewind.place(from: .seconds(3_700), behind: .seconds(3_600)) == .seconds(3_540))
    #expect(Rewind.place(from: .seconds(7_200), behind: .seconds(3_600)) == .zero)
    #expect(Rewind.place(from: .seconds(90), behind: .seconds(5)) == .zero)
  }
}
