internal import PodcastModel
internal import Text

/// Finds what was done in this library since its registers were last compared with it, and stamps it. No other code has to
/// say what it changed, and a restored library, an import or an undo need no care. Inside a transaction.
struct SyncScan {
  let connection: Connection
  let rules: SyncRules
  let podcasts: SyncPodcasts
  let device: String
  /// The state of before sync gets honest old stamps.
  let isFirst: Bool
  /// Registers that came from elsewhere and are not applied yet are no changes that were made here.
  let leavesUnapplied: Bool
  private(set) var count = 0
  /// Podcasts that were left, and when.
  private var left: [(guid: String?, title: String?, stamp: Int64)] = []
  private let rows: SyncRegisterRows

  init(
    _ connection: Connection, _ rules: SyncRules, _ podcasts: SyncPodcasts, leavesUnapplied: Bool = false
  ) throws(StoreError) {
    self.leavesUnapplied = leavesUnapplied
    self.connection = connection
    self.rules = rules
    self.podcasts = podcasts
    rows = SyncRegisterRows(connection: connection)
    let state = SyncStateRows(connection: connection)
    device = try state.device()
    isFirst = try state["scanned"] == nil
    try state.set("scanned", to: "1")
  }

  mutating func run() throws(StoreError) {
    try forgetHidden()
    try scanPodcasts()
    try scanStatuses()
    try scanBookmarks()
    try scanQueue()
    try SyncStateRows(connection: connection).set("changed", to: "0")
  }

  private typealias Key = SyncRegisterRows.Key

  private func leaves(_ row: SyncRegisterRows.Row?) -> Bool { leavesUnapplied && row?.isApplied == false }

  /// `at`: when it was done, if that is known, in milliseconds. `parked`: a register of before the entity came.
  @discardableResult
  private mutating func stamp(
    _ key: SyncRegisterRows.Key, _ value: JSON, local: String?, over row: SyncRegisterRows.Row?, at: Int64? = nil,
    after earlier: Int64 = 0, parked: SyncRegister? = nil
  ) throws(StoreError) -> Int64 {
    let known = row?.register ?? parked
    let done = at.map { min(max($0, 1), isFirst ? .max : rules.now) } ?? (isFirst ? 1 : rules.now)
    let least = max(earlier, known.map { $0.stamp + 1 } ?? 0)
    let stamp = min(max(done, least), SyncRegister.stamps.upperBound)
    let author = known?.author(of: stamp, by: device) ?? device
    try rows.stamp(
      SyncRegister(key.name, stamp: stamp, device: author, value: value.compact), key, local: local)
    count += 1
    return stamp
  }

  // MARK: Podcasts

  /// A podcast that became private leaves the registers, and the next file.
  private func forgetHidden() throws(StoreError) {
    for id in podcasts.hidden
    where try connection.integer(
      "SELECT 1 FROM sync_registers WHERE kind = 'podcast' AND entity = \(id) LIMIT 1") != nil
    {
      try rows.forget(id)
      try SyncStateRows(connection: connection).set("rewrite", to: String(rules.now))
    }
  }

  private mutating func scanPodcasts() throws(StoreError) {
    var known: [SyncRegisterRows.Key: SyncRegisterRows.Row] = [:]
    for (id, row) in try rows.all(.podcast) {
      known[Key(kind: .podcast, id: id, name: row.register.name)] = row
    }
    let tags = try texts("SELECT podcast_id, tag, '1' FROM tags")
    let settings = try texts("SELECT podcast_id, key, value FROM settings")
    for podcast in podcasts.shared.values.sorted(by: { $0.id.rawValue < $1.id.rawValue }) {
      try scan(podcast, tags[podcast.id] ?? [:], settings[podcast.id] ?? [:], &known)
    }
    for (key, row) in known { try leave(key, row) }
    try affirmTwins()
  }

  /// A show that is followed under its present address, and left under a former one, is one podcast on a machine where its feed
  /// has moved: that it is followed is the later word.
  private mutating func affirmTwins() throws(StoreError) {
    for (guid, title, leftAt) in left {
      for podcast in podcasts.shared.values
      where podcast.isSubscribed && (podcast.title == title || guid != nil && podcast.guid == guid) {
        let key = Key.podcast(podcast.id, "sub")
        guard let row = try rows.read(key), row.register.value == "1", row.register.stamp <= leftAt else { continue }
        let stamp = min(leftAt + 1, SyncRegister.stamps.upperBound)
        try rows.stamp(
          SyncRegister("sub", stamp: stamp, device: row.register.author(of: stamp, by: device), value: "1"), key,
          local: row.local)
        count += 1
      }
    }
  }

  private func texts(_ sql: SQL) throws(StoreError) -> [PodcastID: [String: String]] {
    var found: [PodcastID: [String: String]] = [:]
    try connection.forEachRow(sql) { found[PodcastID(rawValue: $0.integer(0)), default: [:]][$0.text(1)] = $0.text(2) }
    return found
  }

  private mutating func scan(
    _ podcast: SyncPodcasts.Podcast, _ tags: [String: String], _ settings: [String: String],
    _ known: inout [SyncRegisterRows.Key: SyncRegisterRows.Row]
  ) throws(StoreError) {
    let identity = SyncValue.identity(
      url: podcast.url, others: podcast.others, guid: podcast.guid, title: podcast.title)
    var wanted: [(name: String, local: String, value: JSON, at: Int64?)] = [
      ("is", podcast.addresses, identity, nil),
      ("sub", podcast.isSubscribed ? "1" : "0", podcast.isSubscribed ? 1 : 0, podcast.changedAt.seconds * 1000),
    ]
    if let title = podcast.ownTitle { wanted.append(("title", title, JSON(title), nil)) }
    for tag in tags.keys { wanted.append((SyncValue.tag + tag, "1", 1, nil)) }
    for (name, value) in settings {
      if let value = rules.setting(name, value) { wanted.append((SyncValue.setting + name, value, JSON(value), nil)) }
    }
    for (name, local, value, at) in wanted {
      let key = Key.podcast(podcast.id, name)
      let row = known.removeValue(forKey: key)
      // A value that no machine would read stays here.
      guard !leaves(row), row?.local != local, SyncValue.checked(value, for: name, ofEpisode: false) != nil else {
        continue
      }
      let parked = name == "sub" && podcast.isSubscribed && row == nil ? try parkedSubscription(of: podcast) : nil
      let stamp = try stamp(key, value, local: local, over: row, at: at, parked: parked)
      if name == "is" { try learnKeys(of: podcast) }
      if name == "sub", !podcast.isSubscribed { left.append((podcast.guid, podcast.title, stamp)) }
    }
  }

  /// The last word on following the podcast from before it was followed here: that it was left, however late.
  private func parkedSubscription(of podcast: SyncPodcasts.Podcast) throws(StoreError) -> SyncRegister? {
    var latest: SyncRegister?
    for address in [podcast.url] + podcast.others {
      let parked = try rows.parked(SyncEntity(podcast: SyncAddress.key(address)).text, "sub")
      if let parked, latest.map(parked.beats) ?? true { latest = parked }
    }
    return latest
  }

  private func learnKeys(of podcast: SyncPodcasts.Podcast) throws(StoreError) {
    for address in [podcast.url] + podcast.others {
      try connection.execute(
        "INSERT OR REPLACE INTO sync_aliases (key, podcast_id) VALUES (\(SyncAddress.key(address)), \(podcast.id))")
    }
  }

  /// A title, tag or setting that is not there any more; or the whole podcast.
  private mutating func leave(_ key: SyncRegisterRows.Key, _ row: SyncRegisterRows.Row) throws(StoreError) {
    guard !leaves(row) else { return }
    guard podcasts.shared[PodcastID(rawValue: key.id)] != nil else {
      if key.name == "sub" { try bury(PodcastID(rawValue: key.id), row) }
      return
    }
    guard !key.name.hasPrefix(SyncValue.tag) else { return try leaveTag(key, row) }
    guard row.local != nil else { return }
    try stamp(key, .null, local: nil, over: row)
  }

  /// Each spelling of a tag has a register, and the library has one of them: the tag is gone when it has none.
  private mutating func leaveTag(_ key: Key, _ row: SyncRegisterRows.Row) throws(StoreError) {
    guard row.local != nil || row.register.value == "1" else { return }
    let tag = String(key.name.dropFirst(SyncValue.tag.count))
    if try SettingRows(connection: connection).hasTag(tag, PodcastID(rawValue: key.id)) {
      if row.local != nil { try rows.setApplied(key, local: nil) }
    } else {
      try stamp(key, 0, local: nil, over: row)
    }
  }

  /// A podcast that was deleted here is left elsewhere. All that the files say of it is parked by the next sync, which
  /// reads them again: it may be followed anew.
  private mutating func bury(_ id: PodcastID, _ row: SyncRegisterRows.Row) throws(StoreError) {
    var keys = Set(try connection.rows("SELECT key FROM sync_aliases WHERE podcast_id = \(id)") { $0.text(0) })
    // A library of before may lack the keys of a podcast that came from elsewhere.
    let identity = try rows.read(.podcast(id, "is")).flatMap { JSON(parsing: $0.register.value) }.map(SyncIdentity.init)
    keys.formUnion((identity?.addresses ?? []).map(SyncAddress.key))
    // A podcast that has the address now, such as one that was followed anew, is not left.
    keys = keys.filter { podcasts.ids[$0] == nil }
    try rows.forget(id)
    try rows.forgetStrays()
    let stamp = min(max(rules.now, row.register.stamp + 1), SyncRegister.stamps.upperBound)
    let author = row.register.author(of: stamp, by: device)
    left.append((identity?.guid, identity?.title, stamp))
    for key in keys.sorted() {
      let left = SyncRegister("sub", stamp: stamp, device: author, value: "0")
      try rows.park(left, SyncEntity(podcast: key).text, holder: nil)
      count += 1
    }
    try SyncStateRows(connection: connection).set("buried", to: String(stamp))
  }

  // MARK: Episodes

  private mutating func scanStatuses() throws(StoreError) {
    let changed = try connection.rows(
      """
      SELECT e.id, e.podcast_id, ifnull(s.last_listen_time, 0), s.has_completed, s.last_played_at,
        coalesce(s.media_duration, e.duration), r.stamp, r.device, r.value, r.local, r.is_applied,
        (SELECT listened >= \(LocalPlay.leastNews) FROM sessions WHERE episode_id = s.episode_id
          ORDER BY started_at DESC, id DESC LIMIT 1) AS was_heard
      FROM statuses s CROSS JOIN episodes e ON e.id = s.episode_id
      LEFT JOIN sync_registers r ON r.kind = 'episode' AND r.entity = s.episode_id AND r.name = 'play'
      WHERE r.local IS NOT CASE WHEN s.has_completed OR s.last_listen_time > 0
        THEN ifnull(s.last_listen_time, 0) || ',' || s.has_completed END
      """
    ) { row in
      (
        play: LocalPlay(
          position: row.integer(2), isFinished: row.flag(3), at: row.optionalInteger(4), length: row.optionalInteger(5),
          wasHeard: row.flag(11), wasStarted: !row.isNull(11)),
        id: EpisodeID(rawValue: row.integer(0)), podcast: PodcastID(rawValue: row.integer(1)),
        row: row.isNull(6) ? nil : SyncRegisterRows.row(row, from: 6, "play")
      )
    }
    for (play, id, podcast, row) in changed
    where podcasts.shared[podcast] != nil && (rules.isPlayer || id != rules.held) {
      guard !leaves(row), play.isNews(after: row?.local) else { continue }
      let knownAt = row.flatMap { JSON(parsing: $0.register.value)?["at"]?.int }
      // A mark does not change the time of the last listening, nor is it as old as an accidental start.
      let isListening = row == nil ? isFirst || !play.isMark : play.at != knownAt
      let at = isListening ? play.at.map { $0 * 1000 } : nil
      try stamp(.episode(id, "play"), play.value, local: play.text, over: row, at: at)
      try connection.execute("DELETE FROM sync_further WHERE episode_id = \(id)")
    }
    try scanFavourites()
  }

  private mutating func scanFavourites() throws(StoreError) {
    let changed = try connection.rows(
      """
      SELECT e.id, e.podcast_id, s.is_favourite, r.stamp, r.device, r.value, r.local, r.is_applied
      FROM statuses s CROSS JOIN episodes e ON e.id = s.episode_id
      LEFT JOIN sync_registers r ON r.kind = 'episode' AND r.entity = s.episode_id AND r.name = 'fav'
      WHERE r.local IS NOT CASE s.is_favourite WHEN 1 THEN '1' END
      """
    ) { row in
      (
        id: EpisodeID(rawValue: row.integer(0)), podcast: PodcastID(rawValue: row.integer(1)), isFavourite: row.flag(2),
        row: row.isNull(3) ? nil : SyncRegisterRows.row(row, from: 3, "fav")
      )
    }
    for (id, podcast, isFavourite, row) in changed where podcasts.shared[podcast] != nil && !leaves(row) {
      try stamp(.episode(id, "fav"), isFavourite ? 1 : 0, local: isFavourite ? "1" : nil, over: row)
    }
  }

  private mutating func scanBookmarks() throws(StoreError) {
    var linked: [String: (key: SyncRegisterRows.Key, row: SyncRegisterRows.Row)] = [:]
    for (id, row) in try rows.all(.episode, named: SyncValue.mark) {
      guard let local = row.local else { continue }
      linked[local] = (Key(kind: .episode, id: id, name: row.register.name), row)
    }
    let here = try connection.rows(
      """
      SELECT b.id, b.episode_id, b.position, b.note, b.created_at, e.podcast_id, e.guid
      FROM bookmarks b CROSS JOIN episodes e ON e.id = b.episode_id
      """
    ) { row in
      (
        mark: LocalMark(
          id: row.integer(0), position: row.integer(2), note: row.optionalText(3), made: row.integer(4)),
        episode: EpisodeID(rawValue: row.integer(1)), podcast: PodcastID(rawValue: row.integer(5)), guid: row.text(6)
      )
    }
    for (mark, episode, podcast, guid) in here where podcasts.shared[podcast] != nil {
      guard linked.removeValue(forKey: String(mark.id)) == nil else { continue }
      let key = Key.episode(episode, mark.name(guid))
      try stamp(key, mark.value, local: String(mark.id), over: try rows.read(key), at: mark.made * 1000)
    }
    for (key, row) in linked.values where !leaves(row) { try stamp(key, .null, local: nil, over: row) }
  }

  // MARK: The queue

  private mutating func scanQueue() throws(StoreError) {
    let shared = try SyncQueue(connection: connection, onlyApplied: leavesUnapplied)
    let here = try connection.rows(
      "SELECT q.episode_id, e.podcast_id FROM queue q CROSS JOIN episodes e ON e.id = q.episode_id ORDER BY q.place"
    ) { (id: EpisodeID(rawValue: $0.integer(0)), podcast: PodcastID(rawValue: $0.integer(1))) }
    let waiting = Set(
      try connection.rows(
        """
        SELECT entity FROM sync_registers INDEXED BY sync_unapplied
        WHERE is_applied = 0 AND kind = 'episode' AND name = 'q' AND \(leavesUnapplied)
        """
      ) { EpisodeID(rawValue: $0.integer(0)) })
    let wanted = here.filter { podcasts.shared[$0.podcast] != nil && !waiting.contains($0.id) }.map(\.id)
    for (id, key) in shared.changes(to: wanted) {
      let register = Key.episode(id, "q")
      // An episode that was finished before is queued to be heard again, though the clock that its end was told by may
      // be ahead of this one.
      let finished = key == nil && !isFirst ? nil : try finishedAt(id)
      try stamp(
        register, key.map { JSON($0) } ?? .null, local: nil, over: try rows.read(register),
        at: isFirst ? finished : nil, after: isFirst ? 0 : finished ?? 0)
    }
  }

  private func finishedAt(_ id: EpisodeID) throws(StoreError) -> Int64? {
    guard let play = try rows.read(.episode(id, "play"))?.register, JSON(parsing: play.value)?["done"]?.int == 1 else {
      return nil
    }
    return play.stamp
  }
}

/// A position and whether the episode is finished, as the library has it.
struct LocalPlay {
  var position: Int64
  var isFinished: Bool
  var at: Int64?
  var length: Int64?
  /// For 20 seconds, when it was last played.
  var wasHeard = false
  /// Here, and not by an import.
  var wasStarted = false

  /// It ended without having been heard.
  var isMark: Bool { isFinished && wasStarted && !wasHeard }

  static let leastNews: Int64 = 20_000

  /// Nil for an episode that was never played.
  var text: String? { position > 0 || isFinished ? "\(position),\(isFinished ? 1 : 0)" : nil }

  var value: JSON { SyncValue.play(position: position, length: length, isFinished: isFinished, at: at) }

  /// An accidental start says nothing: only 20 seconds do, or the end, or a jump.
  func isNews(after local: String?) -> Bool {
    let parts = (local ?? "0,0").split(separator: ",").map { Int64($0) ?? 0 }
    guard parts.count == 2 else { return true }
    return (parts[1] != 0) != isFinished || abs(parts[0] - position) >= Self.leastNews || wasHeard
  }
}

private struct LocalMark {
  var id: Int64
  var position: Int64
  var note: String?
  var made: Int64

  var value: JSON { SyncValue.bookmark(at: position, note: note, made: made) }

  /// Made of what the bookmark is, so that a cloned library and an imported one have it once.
  func name(_ guid: String) -> String {
    SyncValue.mark + SyncAddress.hash("\(guid)|\(position)|\(made)|\(note ?? "")")
  }
}
