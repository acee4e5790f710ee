import Glibc
import PodcastModel
import Synchronization
import System
import TestSupport
import Text

@testable import PodcastStore
@testable import Podcatcher

/// A machine of the tests: a library of its own, a clock that may be wrong, and its own view of the shared folder.
final class SyncMachine: @unchecked Sendable {
  // One test uses it, one step after the other.
  let home: TemporaryHome
  private(set) var store: PodcastStore
  let clock: Clock
  var offset: Int64 = 0 {
    didSet { skew.withLock { $0 = offset } }
  }
  private let skew = Mutex<Int64>(0)
  var held: EpisodeID?
  /// A rule that this machine does not keep.
  let flaw: SyncFlaw?
  /// The files of its folder are older than some seconds, so that those which did not change are not read again.
  private let hasOldFiles: Bool
  private var versions = 0
  private var ages: [String: (bytes: [UInt8], time: Int)] = [:]
  /// Registers that its file ever held after a sync: others may count on them.
  private(set) var told: [String: [SyncRegister]] = [:]

  /// The time of a whole test, in milliseconds.
  final class Clock: Sendable {
    private let now = Mutex<Int64>(1_800_000_000_000)
    var time: Int64 { now.withLock { $0 } }
    func tick(_ milliseconds: Int64 = 60_000) { now.withLock { $0 += milliseconds } }
  }

  var folder: String { home.path + "/folder" }
  var files: String { folder + "/podcli-sync-1" }
  private var data: String { home.path + "/data" }
  var now: Int64 { clock.time + offset }
  var time: Timestamp { Timestamp(seconds: now / 1000) }

  init(_ clock: Clock, flaw: SyncFlaw? = nil, hasOldFiles: Bool = false) throws {
    self.clock = clock
    self.flaw = flaw
    self.hasOldFiles = hasOldFiles
    home = try TemporaryHome()
    mkdir(home.path + "/data", 0o700)
    mkdir(home.path + "/folder", 0o700)
    mkdir(home.path + "/folder/podcli-sync-1", 0o700)
    store = try PodcastStore(path: home.path + "/data/library.db")
  }

  var rules: SyncRules {
    var rules = Sharing.rules(now: clock.time + skew.withLock { $0 })
    rules.held = held
    return rules
  }

  @discardableResult
  func sync(isAsked: Bool = false) async throws -> SyncReport {
    try await store.setSyncState([SyncState.folder: folder])
    try await flaw?.prepare(self)
    if hasOldFiles { ageFiles() }
    let report = try await FolderSync(store, data: data) { [self] in rules }.run(isAsked: isAsked)
    try await noteTold()
    return report
  }

  private func noteTold() async throws {
    guard let device = try await store.syncState()["device"] else { return }
    let text = SyncFileText(bytes(SyncPlan.name(of: device)) ?? [])
    for line in text.lines {
      for register in line.registers { told[Self.name(line.entity, register), default: []].append(register) }
    }
  }

  private static func name(_ entity: SyncEntity, _ register: SyncRegister) -> String {
    "\(entity.podcast) \(entity.episode?.guid ?? "") \(register.name)"
  }

  /// The registers that count here, by the same names.
  func registers() async throws -> [String: SyncRegister] {
    try await store.allRegisters(rules)
  }

  // MARK: Files

  func bytes(_ name: String) -> [UInt8]? { try? contents(of: files + "/" + name) }
  func write(_ bytes: [UInt8], as name: String) throws { try home.write(bytes, to: "folder/podcli-sync-1/" + name) }
  func remove(_ name: String) { unlink(files + "/" + name) }
  var names: [String] { TestSupport.names(in: files).filter { $0.hasSuffix(".jsonl") }.sorted() }

  /// Each version has a time of its own.
  private func ageFiles() {
    for name in names {
      let bytes = bytes(name) ?? []
      if ages[name]?.bytes != bytes {
        versions += 1
        ages[name] = (bytes, 1_600_000_000 + versions)
      }
      let time = timespec(tv_sec: ages[name]?.time ?? 0, tv_nsec: 0)
      utimensat(AT_FDCWD, files + "/" + name, [time, time], 0)
    }
  }

  // MARK: The library as a file

  func backUp(as name: String) async throws { try await store.backUp(to: home.path + "/" + name) }

  /// Replaces the library by a copy, of this or of another machine.
  func restore(_ file: String) async throws {
    await store.close()
    try PodcastStore.restore(file, to: home.path + "/data/library.db")
    store = try PodcastStore(path: home.path + "/data/library.db")
  }

  /// With an empty library.
  func startAnew() async throws {
    await store.close()
    for suffix in ["", "-wal", "-shm"] { unlink(home.path + "/data/library.db" + suffix) }
    store = try PodcastStore(path: home.path + "/data/library.db")
  }

  func close() async { await store.close() }

  // MARK: Deeds

  func follow(_ number: Int = 0, episodes: Int = 3) async throws {
    var feed = Feed()
    feed.title = "Podcast \(number)"
    feed.episodes = (0..<episodes).map { Self.episode(number, $0) }
    _ = try await store.subscribe(to: feed, at: "https://example.org/\(number).xml", now: time)
  }

  private static func episode(_ podcast: Int, _ number: Int) -> FeedEpisode {
    var episode = FeedEpisode()
    episode.guid = "guid-\(number)"
    episode.title = "Episode \(podcast).\(number)"
    episode.publishedAt = Timestamp(seconds: 1_700_000_000 + Int64(number) * 86_400)
    episode.duration = 3600
    episode.enclosure = Enclosure(url: "https://example.org/\(podcast)/\(number).mp3", type: "audio/mpeg", length: 1000)
    return episode
  }

  func episode(_ title: String) async throws -> EpisodeEntry? {
    try await store.playlist().first { $0.episode.title == title }
  }

  func listen(to id: EpisodeID, until position: Duration) async throws {
    try await store.savePosition(position, of: id, urgency: .flush, at: time)
  }

  func finish(_ id: EpisodeID) async throws { try await store.markCompleted(id, at: time) }

  func leave(_ podcast: PodcastID) async throws { try await store.unsubscribe(podcast, now: time) }

  /// Everything that machines have in common, by names that they share.
  func picture() async throws -> [String] {
    var lines: [String] = []
    for podcast in try await store.podcasts() {
      let tags = try await store.tags(of: podcast.id).joined(separator: ",")
      let settings = try await store.settings(of: podcast.id).map { "\($0)=\($1)" }.sorted().joined(separator: ",")
      lines.append("podcast \(podcast.reference.feedURL) \(podcast.title) [\(tags)] [\(settings)]")
      for entry in try await store.episodes(of: podcast.id) {
        let position = entry.status.lastListenTime.map { String($0.inMilliseconds) } ?? "-"
        lines.append("\(entry.episode.title) \(position) \(entry.status.hasCompleted) \(entry.isFavourite)")
        for mark in try await store.bookmarks(of: entry.episode.id) {
          lines.append("mark \(entry.episode.title) \(mark.position.inMilliseconds) \(mark.note ?? "")")
        }
      }
    }
    lines.sort()
    lines.append("queue " + (try await store.queue().map(\.episode.title).joined(separator: ", ")))
    return lines
  }
}

extension PodcastStore {
  fileprivate func allRegisters(_ rules: SyncRules) throws(StoreError) -> [String: SyncRegister] {
    let podcasts = try SyncPodcasts(connection, rules)
    let rows = try connection.rows(
      """
      SELECT ifnull(e.podcast_id, r.entity), ifnull(e.guid, ''), r.name, r.stamp, r.device, r.value
      FROM sync_registers r LEFT JOIN episodes e ON r.kind = 'episode' AND e.id = r.entity
      """
    ) { row in
      (
        podcast: PodcastID(rawValue: row.integer(0)), guid: row.text(1),
        register: SyncRegister(row.text(2), stamp: row.integer(3), device: row.text(4), value: row.text(5))
      )
    }
    let pairs = rows.map { row in
      ("\(podcasts.shared[row.podcast]?.key ?? "") \(row.guid) \(row.register.name)", row.register)
    }
    return Dictionary(pairs) { first, _ in first }
  }
}
