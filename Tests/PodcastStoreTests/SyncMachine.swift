import PodcastModel
import Text

@testable import PodcastStore

/// A machine of the tests: a library, a clock, and the lines of the others.
final class SyncMachine {
  let library: TemporaryLibrary
  let store: PodcastStore
  var now: Int64

  init(at library: TemporaryLibrary = TemporaryLibrary(), now: Int64 = 1_800_000_000_000) throws {
    self.library = library
    store = try library.open()
    self.now = now
  }

  static let setting: @Sendable (String) -> String? = { Double($0) == nil ? nil : $0 }

  func rules(held: EpisodeID? = nil) -> SyncRules {
    var rules = SyncRules(
      isSecret: { $0.contains("token") }, settings: ["speed": Self.setting], now: now)
    rules.held = held
    return rules
  }

  func follow(_ url: String = "https://example.org/feed", _ feed: Feed = .sample()) async throws -> MergeResult {
    try await store.subscribe(to: feed, at: url, now: Timestamp(seconds: now / 1000))
  }

  /// All that this machine has to say, as the lines of its file.
  func lines() async throws -> (device: String, texts: [String]) {
    let outcome = try await store.sync(by: rules())
    let lines = try await store.linesToWrite(all: true, device: outcome.device, rules())
    return (outcome.device, lines.flatMap { $0.texts(of: outcome.device) })
  }

  @discardableResult
  func read(
    _ file: (device: String, texts: [String]), held: EpisodeID? = nil, claimedAt: Int64? = nil
  ) async throws -> SyncOutcome {
    var input = SyncInput()
    if let claimedAt {
      try await store.setSyncState(["claim": String(claimedAt)])
      input.claimKey = "claim"
    }
    let lines = file.texts.compactMap { JSON(parsing: $0) }.compactMap { SyncLine($0, from: file.device) }
    input.groups = [SyncInput.Group(device: file.device, lines: lines)]
    return try await store.sync(input, by: rules(held: held))
  }

  /// Both tell each other everything.
  func meet(_ other: SyncMachine) async throws {
    let (mine, theirs) = (try await lines(), try await other.lines())
    try await other.read(mine)
    try await read(theirs)
  }

  func episode(_ title: String) async throws -> EpisodeEntry {
    try await store.playlist().first { $0.episode.title == title }!
  }

  /// Gives its podcast a title of the user's own.
  func rename(_ title: String, at url: String = "https://example.org/feed", _ feed: Feed = .sample()) async throws {
    _ = try await store.subscribe(to: feed, at: url, ownTitle: title, now: Timestamp(seconds: now / 1000))
  }

  /// Listening that is worth telling.
  func listen(to title: String, until position: Duration) async throws {
    let id = try await episode(title).episode.id
    try await store.savePosition(position, of: id, urgency: .flush, at: Timestamp(seconds: now / 1000))
  }

  /// Everything that machines have in common, by names that they share.
  func picture() async throws -> [String] {
    var lines: [String] = []
    for entry in try await store.playlist() {
      let status = entry.status
      let position = status.lastListenTime.map { String($0.inMilliseconds / 1000) } ?? "-"
      lines.append("\(entry.episode.guid) \(position) \(status.hasCompleted) \(entry.isFavourite)")
      for mark in try await store.bookmarks(of: entry.episode.id) {
        lines.append("mark \(entry.episode.guid) \(mark.position.inMilliseconds) \(mark.note ?? "")")
      }
    }
    lines.append("queue " + (try await store.queue().map(\.episode.guid).joined(separator: " ")))
    for podcast in try await store.podcasts() {
      let tags = try await store.tags(of: podcast.id).joined(separator: ",")
      let settings = try await store.settings(of: podcast.id).map { "\($0)=\($1)" }.sorted().joined(separator: ",")
      lines.append("podcast \(podcast.reference.feedURL) \(podcast.title) [\(tags)] [\(settings)]")
    }
    return lines.sorted()
  }
}
