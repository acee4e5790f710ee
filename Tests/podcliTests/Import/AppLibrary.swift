import Glibc
import PodcastModel
import TestSupport
import Testing

@testable import PodcastStore

/// Another app with a library of the scenario in `Fixtures/Apps`: two podcasts of which some episodes were heard.
struct AppLibrary: Sendable, CustomTestStringConvertible {
  var name: String
  /// Of its file, where it is not a database `library.db`.
  var file = "library.db"
  var keeps: Set<Kept>

  /// The data that the app keeps besides subscriptions and what was played.
  enum Kept { case positions, favourites, queue, dates, datesOfPlayed, bookmarks }

  var testDescription: String { name }

  static let databases = [
    AppLibrary(name: "gpodder", keeps: [.positions, .favourites, .dates]),
    AppLibrary(name: "antennapod", keeps: [.positions, .favourites, .queue, .dates]),
    AppLibrary(name: "castero", keeps: [.positions, .queue]),
    AppLibrary(name: "newsboat", keeps: [.queue]),
    AppLibrary(name: "kasts", keeps: [.positions, .favourites, .queue]),
    AppLibrary(name: "gnome-podcasts", keeps: [.positions, .queue, .datesOfPlayed]),
    AppLibrary(name: "hullcaster", keeps: [.positions, .queue]),
    AppLibrary(name: "shellcaster", keeps: []),
    AppLibrary(name: "pocketcasts", keeps: [.positions, .favourites, .queue, .dates, .bookmarks]),
    AppLibrary(name: "apple-podcasts", keeps: [.positions, .favourites, .dates]),
    AppLibrary(name: "podcastaddict", keeps: [.positions, .favourites, .queue, .dates]),
  ]
  static let documents = [
    AppLibrary(name: "podliner", file: "podliner.json", keeps: [.positions, .favourites, .queue, .dates]),
    AppLibrary(name: "overcast", file: "overcast.opml", keeps: [.positions, .favourites, .dates]),
    AppLibrary(name: "portcast", file: "portcast.json", keeps: [.positions, .favourites, .queue, .dates, .bookmarks]),
  ]
  static var all: [AppLibrary] { databases + documents }
  static func named(_ name: String) -> AppLibrary { all.first { $0.name == name }! }

  /// Files that go with the database.
  private static let companions = [
    "newsboat": [
      "urls": """
      # podcasts
      "ALPHA" News "two words" "~My Alpha"
      BETA "!"
      "query:Unread:unread = \\"yes\\""
      https://example.org/texts
      """,
      "queue": """
      MEDIA/beta/1.wav "/home/me/1.wav" downloaded
      MEDIA/alpha/4.wav "/home/me/4.wav"
      MEDIA/alpha/1.wav "/home/me/a1.wav" finished
      MEDIA/beta/2.wav "/home/me/b2.wav" played
      MEDIA/beta/9.wav "/home/me/b9.wav" finished
      """,
    ],
    "pocketcasts": [
      "podcasts.opml": """
      <opml version="1.0"><body><outline text="feeds"><outline type="rss" text="Alpha" xmlUrl="ALPHA"/>
      <outline type="rss" text="Beta" xmlUrl="BETA"/></outline></body></opml>
      """
    ],
  ]

  // MARK: Making it

  /// Writes the library into a folder, and returns its path.
  func write(to folder: String, _ stage: Stage) throws -> String {
    let path = folder + "/" + file
    if file.hasSuffix(".db") {
      try execute(Self.fixture("scenario.sql", stage) + Self.fixture(name + ".sql", stage), path)
    } else {
      try Self.write(Self.fixture(file, stage), to: path)
    }
    for (name, text) in Self.companions[name] ?? [:] {
      try Self.write(Self.filled(text, stage), to: folder + "/" + name)
    }
    return path
  }

  /// A connection as an app has it that is writing: the file is locked.
  static func lock(_ path: String) throws -> Connection {
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.executeScript("BEGIN EXCLUSIVE; CREATE TABLE half_done (x); INSERT INTO half_done VALUES (1)")
    return connection
  }

  /// The WAL, where the library has one, is left as it is.
  private func execute(_ script: String, _ path: String) throws {
    try Connection(path: path, mode: .create).executeScript(script)
  }

  static func fixture(_ name: String, _ stage: Stage) throws -> String {
    filled(String(decoding: try contents(of: Folders.fixtures + "/Apps/" + name), as: UTF8.self), stage)
  }

  private static func filled(_ text: String, _ stage: Stage) -> String {
    text.replacing("ALPHA", with: stage.server.url("/alpha.xml"))
      .replacing("BETA", with: stage.server.url("/beta.xml")).replacing("MEDIA", with: stage.server.origin)
  }

  static func write(_ text: String, to path: String) throws { try write(Array(text.utf8), to: path) }

  static func write(_ bytes: [UInt8], to path: String) throws {
    let file = try #require(fopen(path, "w"))
    defer { fclose(file) }
    try #require(fwrite(bytes, 1, bytes.count, file) == bytes.count)
  }

  // MARK: What comes of it

  /// A line for each episode with a status, and the queue.
  func expected(withLateEpisode: Bool = false) -> [String] {
    func date(_ seconds: Int, _ kept: Kept...) -> String { keeps.isDisjoint(with: kept) ? "" : " at \(seconds)" }
    var lines = ["alpha-1 played" + date(1_710_000_001, .dates, .datesOfPlayed)]
    if keeps.contains(.positions) {
      lines.append(
        "alpha-2 301.0" + date(1_710_000_002, .dates) + (keeps.contains(.bookmarks) ? " 61.0 listen again" : ""))
    }
    if keeps.contains(.favourites) { lines.append("alpha-3 favourite") }
    if keeps.contains(.positions) { lines.append("alpha-4 61.0" + date(1_710_000_004, .dates)) }
    lines.append("beta-2 played" + (keeps.contains(.datesOfPlayed) ? " at 1710000012" : ""))
    if withLateEpisode { lines.append("beta-9 played" + date(1_710_000_009, .dates, .datesOfPlayed)) }
    return lines + (keeps.contains(.queue) ? ["queue: beta-1 alpha-4"] : [])
  }

  /// The same of a library of podcli.
  static func state(of library: PodcastStore) async throws -> [String] {
    var lines: [String] = []
    for entry in try await library.playlist() {
      var words: [String] = []
      if entry.status.hasCompleted { words.append("played") }
      if let position = entry.status.lastListenTime { words.append("\(position.inSeconds)") }
      if let date = entry.status.lastPlayedAt { words.append("at \(date.seconds)") }
      if entry.isFavourite { words.append("favourite") }
      for mark in try await library.bookmarks(of: entry.episode.id) {
        words.append("\(mark.position.inSeconds) \(mark.note ?? "")")
      }
      if !words.isEmpty { lines.append("\(entry.episode.guid) " + words.joined(separator: " ")) }
    }
    let queue = try await library.queue().map(\.episode.guid)
    return lines.sorted() + (queue.isEmpty ? [] : ["queue: " + queue.joined(separator: " ")])
  }

  // MARK: The feeds

  /// A stage whose server has both feeds; no media file may be asked for.
  static func stage(betaEpisodes: Int = 4) throws -> Stage {
    let stage = try Stage(episodes: 1, seconds: 1)
    serve("Alpha", 6, stage)
    serve("Beta", betaEpisodes, stage)
    return stage
  }

  static func serve(_ title: String, _ episodes: Int, _ stage: Stage) {
    let name = title.lowercased()
    let feed = SampleFeed(
      title: title, episodes: episodes, mediaBase: stage.server.url("/\(name)"), seconds: 600)
    stage.server.serve("/\(name).xml", Response.feed(feed.bytes))
  }
}
