import Glibc
import PodcastModel
import PodcastStore
import System
import TestSupport
import Testing

@testable import Podcatcher

/// Automatic downloads, and the files that leave the disk again.
@Suite struct MediaCareTests {
  private let home: TemporaryHome
  private let store: PodcastStore
  private let podcast: PodcastID
  private let ids: [EpisodeID]

  /// Episode 1 is the oldest, and shorter than the rest.
  init() async throws {
    home = try TemporaryHome()
    store = try PodcastStore(path: home.path + "/library.db")
    var feed = Feed()
    feed.title = "Show"
    feed.episodes = (1...6).map { number in
      var episode = FeedEpisode()
      episode.guid = "\(number)"
      episode.title = number == 5 ? "Interview" : "Episode \(number)"
      episode.duration = number == 1 ? 60 : 3600
      episode.publishedAt = Timestamp(seconds: 1_700_000_000 + Int64(number) * 86_400)
      episode.enclosure = Enclosure(url: "http://127.0.0.1:9/\(number).mp3", type: "audio/mpeg", length: nil)
      return episode
    }
    podcast = try await store.subscribe(to: feed, at: "http://127.0.0.1:9/feed.xml").podcast
    ids = try await store.playlist().map(\.episode.id).sorted { $0.rawValue < $1.rawValue }
  }

  private func care(_ config: [String: String] = [:]) -> MediaCare {
    MediaCare(store: store, files: DownloadFiles(store: store, media: home.path + "/media"), config: config)
  }

  /// A media file of 100 bytes, last used `number` seconds after the first.
  private func put(_ number: Int, _ change: (inout MediaRecord) -> Void = { _ in }) async throws {
    _ = Files.makeFolder(home.path + "/media/1-Show")
    var record = MediaRecord(episode: ids[number - 1], state: .complete)
    record.path = try home.write([UInt8](repeating: 7, count: 100), to: "media/1-Show/\(number).mp3")
    record.received = 100
    record.total = 100
    record.lastUsedAt = Timestamp(seconds: 1_800_000_000 + Int64(number))
    record.completedAt = record.lastUsedAt
    change(&record)
    if record.isAutomatic { record.requestedAt = record.requestedAt ?? record.completedAt }
    try await store.save(record)
  }

  private var left: [Int] { (1...6).filter { access(home.path + "/media/1-Show/\($0).mp3", F_OK) == 0 } }

  @Test func `of what was streamed the least recently played goes first, until the rest fits`() async throws {
    for number in 1...6 { try await put(number) }
    #expect(try await care(["cache-size": "250"]).trimCache() == 400)
    #expect(left == [5, 6])
    #expect(try await store.mediaRecord(of: ids[0]) == nil)
  }

  @Test func `nothing that is asked for, queued, marked, begun or playing goes`() async throws {
    for number in 1...6 { try await put(number) { $0.isKept = number == 1 } }
    try await store.enqueue([ids[1]])
    try await store.mark(.favourite, [ids[2]])
    try await store.savePosition(.seconds(9), of: ids[3], urgency: .flush)
    try await store.startPlaying(ids[4])
    try await care(["cache-size": "0"]).trimCache()
    #expect(left == [1, 2, 3, 4, 5])
  }

  @Test func `a cache that fits is left alone`() async throws {
    for number in 1...6 { try await put(number) }
    #expect(try await care(["cache-size": "600"]).trimCache() == 0)
    #expect(left.count == 6)
  }

  @Test(arguments: [("3", [4, 5, 6]), ("all", [1, 2, 3, 4, 5, 6]), ("0", []), ("200", [1, 2, 3, 4, 5, 6])])
  func `of automatic downloads the newest are kept`(rule: String, kept: [Int]) async throws {
    for number in 1...6 { try await put(number) { $0.isAutomatic = true } }
    try await care(["keep": rule]).trimAutomaticDownloads(of: [podcast])
    #expect(left == kept)
  }

  @Test(arguments: [([3, 4], [3, 4, 5, 6]), ([], [5, 6]), ([1, 2, 3], [2, 3, 5, 6])])
  func `a download that failed takes no place from a whole one, and as many of them are kept`(
    whole: [Int], kept: [Int]
  ) async throws {
    for number in 1...6 {
      try await put(number) { record in
        record.isAutomatic = true
        if !whole.contains(number) { record.state = .failed }
      }
    }
    try await care(["keep": "2"]).trimAutomaticDownloads(of: [podcast])
    #expect(left == kept)
  }

  @Test func `an automatic download that is wanted stays beyond the number`() async throws {
    for number in 1...6 { try await put(number) { $0.isAutomatic = true } }
    try await store.mark(.favourite, [ids[0]])
    try await care(["keep": "1"]).trimAutomaticDownloads(of: [podcast])
    #expect(left == [1, 6])
  }

  @Test func `what was thrown away does not come back by itself`() async throws {
    try await put(6) { $0.isAutomatic = true }
    _ = try await DownloadFiles(store: store, media: home.path + "/media").remove(ids[5])
    let wanted = try await care(["auto-download": "3"]).wanted(of: [podcast])
    #expect(wanted.map(\.episode.id) == [ids[4], ids[3]])
    #expect(try await store.downloads().isEmpty)
    #expect(try await store.episode(ids[5])?.download == nil)
  }

  @Test(
    arguments: [
      (0, 0, true), (1, 3599, false), (1, 3600, true), (3, 14_399, false), (3, 14_400, true), (99, 460_799, false),
    ]
      + [(1, -9, true), (99, 460_800, true)]
  )
  func `a download that the server refused is tried again an hour later, then after twice as long each time`(
    refused: Int, seconds: Int64, isWanted: Bool
  ) async throws {
    let now = Timestamp(seconds: 1_800_000_000)
    try await put(6) { record in
      record.isAutomatic = true
      record.state = .failed
      record.failedAttempts = refused
      record.requestedAt = Timestamp(seconds: now.seconds - seconds)
      record.sourceURL = "http://127.0.0.1:9/6.mp3"
    }
    let care = care(["auto-download": "1"])
    #expect(try await care.wanted(of: [podcast], now: now).isEmpty != isWanted)
    #expect(try await care.wanted(of: [podcast], orFailed: true, now: now).count == 1)
    try await put(6) { record in
      (record.isAutomatic, record.state, record.failedAttempts) = (true, .failed, refused)
      record.requestedAt = now
      record.sourceURL = "http://127.0.0.1:9/6.mp3?token=old"
    }
    #expect(try await care.wanted(of: [podcast], now: now).count == 1)
  }

  @Test func `no more are wanted than are kept`() async throws {
    let wanted = try await care(["auto-download": "3", "keep": "1"]).wanted(of: [podcast])
    #expect(wanted.map(\.episode.id) == [ids[5]])
  }

  @Test func `a file that another process fills is not wanted once more`() async throws {
    let care = care(["auto-download": "1"])
    try await put(6) { $0.state = .downloading }
    #expect(try await care.wanted(of: [podcast]).map(\.episode.id) == [ids[5]])
    let held = FileLock(path: home.path + "/media/1-Show/6.mp3.part")
    #expect(held != nil)
    #expect(try await care.wanted(of: [podcast]).isEmpty)
    withExtendedLifetime(held) {}
  }

  @Test func `the newest that the filter lets through are wanted, less what was heard`() async throws {
    #expect(try await care().wanted(of: [podcast]).isEmpty)
    try await store.set(["auto-download": "2", "auto-download-filter": "minutes<10"], of: podcast)
    #expect(try await care().wanted(of: [podcast]).map(\.episode.id) == [ids[0]])
    try await store.set(["auto-download": "2", "auto-download-filter": "text:interview"], of: podcast)
    #expect(try await care().wanted(of: [podcast]).map(\.episode.id) == [ids[4]])
    try await store.set(["auto-download": "2", "auto-download-filter": nil], of: podcast)
    try await store.markCompleted(ids[5])
    #expect(try await care().wanted(of: [podcast]).map(\.episode.id) == [ids[4]])
  }

  /// The newest of those that are indexed so far are others.
  @Test func `a filter that looks for words waits for the index`() async throws {
    var feed = Feed()
    feed.title = "Foxes"
    feed.episodes = (1...600).map { number in
      var episode = FeedEpisode()
      (episode.guid, episode.title) = ("\(number)", "Fox \(number)")
      episode.publishedAt = Timestamp(seconds: 1_700_000_000 + Int64(number) * 86_400)
      episode.enclosure = Enclosure(url: "http://127.0.0.1:9/fox\(number).mp3", type: "audio/mpeg", length: nil)
      return episode
    }
    let foxes = try await store.subscribe(to: feed, at: "http://127.0.0.1:9/foxes.xml").podcast
    try await store.set(["auto-download": "2", "auto-download-filter": "text:fox"], of: foxes)
    // Another process is indexing.
    let held = FileLock(path: home.path + "/library.db.indexing")
    #expect(held != nil)
    #expect(try await care().wanted(of: [foxes]).map(\.episode.title) == ["Fox 600", "Fox 599"])
    withExtendedLifetime(held) {}
  }

  @Test(
    arguments: [
      (.all, []), (.newest(1), [1, 2]), (.size(25), [2]), (.size(5), [0, 1, 2]), (.age(.seconds(150)), [1, 2]),
    ] as [(KeepRule, [Int])])
  func `a rule says which of a list leave`(rule: KeepRule, leaving: [Int]) {
    let files: [(size: Int64, age: Duration)] = [(10, .seconds(100)), (10, .seconds(200)), (10, .seconds(300))]
    #expect(rule.leaving(files) == leaving)
  }

  @Test(arguments: ["all", "10", "2G", "30d"]) func `a rule is written as it is read`(text: String) {
    #expect(KeepRule(text)?.text == text)
  }

  @Test(arguments: ["300y", "100000y", "20000w", "100000d"])
  func `a long time that is written is read again`(text: String) throws {
    let rule = try #require(KeepRule(text))
    #expect(KeepRule(rule.text) == rule)
    #expect(KeepRule("100001y") == nil && KeepRule("99999999999999999999d") == nil && KeepRule("99999999d") == nil)
  }
}
