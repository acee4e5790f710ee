import Glibc
import PodcastModel
import PodcastStore
import TestSupport
import Testing

/// A fresh home, a server with one podcast on it, and the built program.
struct Stage {
  let home: TemporaryHome
  let server: LoopbackServer
  static let sampleRate = 48_000

  /// Episodes 1, 2, … are tones of `seconds`.
  init(episodes: Int = 3, seconds: Int = 60) throws {
    home = try TemporaryHome()
    server = try LoopbackServer()
    let feed = SampleFeed(episodes: episodes, mediaBase: server.url("/media"), seconds: seconds)
    server.serve("/feed.xml", Response.feed(feed.bytes))
    let tone = Tone(seconds: Double(seconds), sampleRate: Self.sampleRate).wav
    for number in 1...episodes {
      let medium = Response.resource(tone, type: "audio/wav", etag: "\"\(number)\"")
      server.serve("/media/\(number).wav") { medium.answering($0) }
    }
  }

  /// The socket of its player.
  var socket: String { home.path + "/podcli/run/player.sock" }

  var feedURL: String { server.url("/feed.xml") }

  func run(_ arguments: String...) async throws -> Outcome { try await home.podcli(arguments).run() }

  func subscribe() async throws {
    let outcome = try await run("subscribe", feedURL)
    try #require(outcome.status == .exited(0), "\(outcome)")
  }

  func library() throws -> PodcastStore {
    try PodcastStore(path: home.path + "/podcli/library.db", access: .readOnly)
  }

  /// Waits until the library, asked after each of its changes, meets the condition.
  func wait(for what: String, until holds: @escaping @Sendable (PodcastStore) async throws -> Bool) async throws {
    let store = try self.library()
    try await eventually(what, watching: home.path + "/podcli") { try await holds(store) }
  }

  func status(of episode: Int64) async throws -> EpisodeStatus {
    try await #require(library().episode(EpisodeID(rawValue: episode))).status
  }

  func position(of episode: Int64) async throws -> Double? {
    try await status(of: episode).lastListenTime?.inSeconds
  }
}

extension Outcome {
  var output: String { transcript.output }
  var error: String { transcript.error }
}

enum PodcastStoreForTests {
  static func writing(_ home: TemporaryHome) throws -> PodcastStore {
    try PodcastStore(path: home.path + "/podcli/library.db")
  }
}
