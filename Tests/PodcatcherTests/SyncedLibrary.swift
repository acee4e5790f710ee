import PodcastModel
import PodcastStore
import TestSupport
import Testing
import Text

@testable import Podcatcher

/// One server, some feeds, and the libraries that meet there.
struct SyncStage {
  let server: PodcastServer
  let feeds: LoopbackServer

  init(_ personality: Personality) throws {
    server = try PodcastServer(personality)
    feeds = try LoopbackServer()
    for name in Self.names { serve(name) }
  }

  static let names = ["alpha", "beta", "gamma"]
  static let length = 600

  /// Serves a feed of ten minutes' episodes.
  func serve(_ name: String, episodes: Int = 4, at path: String? = nil) {
    let feed = SampleFeed(title: name, episodes: episodes, mediaBase: feeds.url("/\(name)"), seconds: Self.length)
    feeds.serve(path ?? "/\(name).xml", Response.feed(feed.bytes))
  }

  func feed(_ name: String) -> String { feeds.url("/\(name).xml") }
  func media(_ name: String, _ number: Int) -> String { feeds.url("/\(name)/\(number).wav") }

  func library(loggedIn: Bool = true) async throws -> SyncedLibrary {
    let library = try SyncedLibrary()
    if loggedIn { try await library.logIn(at: server.url) }
    return library
  }

  /// The phone heard this.
  func phone(_ name: String, _ number: Int, _ position: Int, at time: Timestamp = .now, total: Int = length) {
    server.report([
      "podcast": .string(feed(name)), "episode": .string(media(name, number)), "guid": .string("\(name)-\(number)"),
      "device": "phone", "action": "play", "timestamp": .string(String(time.description.dropLast())),
      "started": 0, "position": .integer(Int64(position)), "total": .integer(Int64(total)),
    ])
  }

  /// The requests whose path has this in it, and their bodies.
  func requests(_ method: String, _ path: String) -> [Request] {
    server.requests.filter { $0.method == method && $0.path.contains(path) }
  }

  func bodies(_ method: String, _ path: String) -> [String] {
    requests(method, path).map { String(decoding: $0.body, as: UTF8.self) }
  }
}

/// A library of podcli with an account.
struct SyncedLibrary {
  let home: TemporaryHome
  let store: PodcastStore
  let live: Live

  init(in home: TemporaryHome? = nil) throws {
    let home = try home ?? TemporaryHome()
    self.home = home
    let environment = home.environment
    let paths = try #require(Paths(environment: Environment { environment[$0] }))
    live = Live(paths: paths, audioOutput: "null")
    store = try live.store(.readWrite)
  }

  var syncer: Syncer { live.syncer(store: store) }
  var login: ServerLogin { live.serverLogin(store: store) }

  func logIn(at url: String, password: String = PodcastServer.password) async throws {
    let server = try await login.recognise(url, allowsHTTP: false)
    _ = try await login.logIn(to: server, user: PodcastServer.user, password: password)
  }

  @discardableResult
  func sync(_ change: (inout ServerSyncOptions) -> Void = { _ in }) async throws(ServerError) -> ServerReport {
    var options = ServerSyncOptions()
    change(&options)
    return try await live.serverSync(store: store).run(options)
  }

  func subscribe(_ url: String, isPrivate: Bool = false) async throws {
    var options = Subscriber.Options()
    options.isPrivate = isPrivate
    _ = try await live.subscriber(store: store).subscribe(to: url, options)
  }

  func unsubscribe(_ name: String) async throws {
    let podcast = try #require(await store.podcasts().first { $0.title == name })
    try await store.unsubscribe(podcast.id)
  }

  func episode(_ name: String, _ number: Int) async throws -> EpisodeEntry {
    try #require(await store.episodes(withGUID: "\(name)-\(number)").first)
  }

  /// Listening that ends here, half a minute of it.
  func hear(
    _ name: String, _ number: Int, _ seconds: Int, at time: Timestamp = .now, for length: Int = 30
  ) async throws {
    let id = try await episode(name, number).episode.id
    var session = ListeningSession(startedAt: time, startPosition: .seconds(max(0, seconds - length)))
    session.listened = .seconds(length)
    session.endPosition = .seconds(seconds)
    let history = try await store.beginSession(session, of: id)
    try await store.update(history, to: session)
    try await store.startPlaying(id, at: time)
    try await store.savePosition(.seconds(seconds), of: id, urgency: .flush, at: time)
  }

  func mark(_ mark: EpisodeMark, _ name: String, _ number: Int) async throws {
    try await store.mark(mark, [episode(name, number).episode.id])
  }

  /// Position in seconds, `done`, or `-`.
  func state(_ name: String, _ number: Int) async throws -> String {
    let status = try await episode(name, number).status
    if status.hasCompleted { return "done" }
    return status.lastListenTime.map { String($0.components.seconds) } ?? "-"
  }

  var titles: [String] {
    get async throws { try await store.podcasts().map(\.title) }
  }
}
