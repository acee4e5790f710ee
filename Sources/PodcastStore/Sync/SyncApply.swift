internal import PodcastModel
internal import Text

/// Writes the registers that came from elsewhere into the library. Inside a transaction.
struct SyncApply {
  let connection: Connection
  let rules: SyncRules
  let podcasts: SyncPodcasts
  private(set) var changed: Set<EpisodeID> = []
  /// Episodes of which something was refused.
  private(set) var refused: Set<EpisodeID> = []
  private var overwritten: Set<UndoLog.Overwritten> = []
  /// The episode with a position that was heard last, of those that were heard elsewhere.
  private(set) var heardLast: (id: EpisodeID, at: Int64)?

  /// The register of each tag's latest spelling, by the spelling in lower case.
  private var spellings: [PodcastID: [String: SyncRegister]] = [:]

  private typealias Key = SyncRegisterRows.Key
  private var rows: SyncRegisterRows { SyncRegisterRows(connection: connection) }

  init(_ connection: Connection, _ rules: SyncRules, _ podcasts: SyncPodcasts) {
    self.connection = connection
    self.rules = rules
    self.podcasts = podcasts
  }

  /// Refuses the registers that others had by then, except those of podcasts that have just come from them.
  struct Claim {
    var at: Int64
    /// A stamp far behind it is one of a clock that is wrong.
    var now: Int64
    var added: Set<PodcastID>

    /// Clocks differ so much, in milliseconds.
    private static let slack: Int64 = 60_000

    func refuses(_ register: SyncRegister, _ key: SyncRegisterRows.Key) -> Bool {
      guard register.stamp <= at || register.stamp > now + Self.slack, key.name != "is",
        key.name != "sub" || register.value != "1"
      else { return false }
      return key.kind == .episode || !added.contains(PodcastID(rawValue: key.id))
    }
  }

  mutating func run() throws(StoreError) {
    let waiting = try unapplied()
    guard !waiting.isEmpty else { return }
    for (key, row) in waiting {
      let value = JSON(parsing: row.register.value) ?? .null
      switch key.kind {
      case .podcast: try apply(value, row, ofPodcast: key)
      case .episode: try apply(value, row, ofEpisode: key)
      }
    }
    try UndoLog(connection: connection).forgetSteps(overwritten)
    try applyQueue()
  }

  /// A register that is refused counts as what was here before, so that the next scan tells others of what is here.
  mutating func refuse(_ claim: Claim) throws(StoreError) {
    for (key, row) in try unapplied() where claim.refuses(row.register, key) {
      try refuse(JSON(parsing: row.register.value) ?? .null, row, key)
      if key.kind == .episode { refused.insert(EpisodeID(rawValue: key.id)) }
    }
  }

  private func unapplied() throws(StoreError) -> [(key: Key, row: SyncRegisterRows.Row)] {
    let waiting = try connection.rows(
      """
      SELECT kind, entity, name, stamp, device, value, local, is_applied
      FROM sync_registers INDEXED BY sync_unapplied WHERE is_applied = 0 ORDER BY kind DESC, entity
      """
    ) { row in
      (
        key: SyncRegisterRows.Kind(rawValue: row.text(0)).map { Key(kind: $0, id: row.integer(1), name: row.text(2)) },
        row: SyncRegisterRows.row(row, from: 3, row.text(2))
      )
    }
    return waiting.compactMap { key, row in key.map { ($0, row) } }
  }

  private func refuse(_ value: JSON, _ row: SyncRegisterRows.Row, _ key: Key) throws(StoreError) {
    let local: String? =
      switch key.name {
      case "q": nil
      case "play": LocalPlay(position: value["pos"]?.int ?? 0, isFinished: value["done"]?.int == 1).text
      case "fav": value == 1 ? "1" : nil
      case "sub": row.register.value
      case let name where name.hasPrefix(SyncValue.tag): value == 1 ? "1" : nil
      // No bookmark has this number.
      case let name where name.hasPrefix(SyncValue.mark):
        value == .null ? nil : row.local ?? "refused \(name) \(key.id)"
      default: value.text
      }
    // The scan looks at episodes that have a status.
    if key.kind == .episode {
      _ = try StatusRows(connection: connection).upsert(
        EpisodeID(rawValue: key.id), "has_completed", "0", "has_completed = has_completed")
    }
    try rows.setApplied(key, local: local)
  }

  // MARK: Podcasts

  private mutating func apply(_ value: JSON, _ row: SyncRegisterRows.Row, ofPodcast key: SyncRegisterRows.Key)
    throws(StoreError)
  {
    let id = PodcastID(rawValue: key.id)
    let subscriptions = SubscriptionRows(connection: connection)
    let settings = SettingRows(connection: connection)
    var local: String?
    switch key.name {
    case "is": local = try applyIdentity(SyncIdentity(value), id)
    case "sub":
      local = row.register.value
      let time = Timestamp(seconds: min(row.register.stamp, rules.now) / 1000)
      if value == 1 { _ = try subscriptions.follow(id, time) } else { _ = try subscriptions.unfollow(id, time) }
      overwritten.insert(.init(kind: .subscription, subject: key.id))
    case "title":
      local = value.text
      let identity = try rows.read(.podcast(id, "is")).flatMap { JSON(parsing: $0.register.value) }
      try subscriptions.setOwnTitle(value.text, of: id, feedTitle: identity.flatMap { SyncIdentity($0).title })
      overwritten.insert(.init(kind: .title, subject: key.id))
    case let name where name.hasPrefix(SyncValue.tag):
      local = value == 1 ? "1" : nil
      let tag = String(name.dropFirst(SyncValue.tag.count))
      if value != 1 {
        try settings.remove(tagSpelled: tag, from: id)
      } else if try isLatestSpelling(row.register, ofPodcast: id) {
        try settings.respell(tag: tag, of: id)
      }
      overwritten.insert(.init(kind: .tag, subject: key.id, name: tag.lowercased()))
    default:
      let name = String(key.name.dropFirst(SyncValue.setting.count))
      local = value.text.flatMap { rules.setting(name, $0) }
      // A setting that is not shared, or a wrong value of one, changes nothing here.
      if local != nil || (value == .null && rules.settings[name] != nil) {
        try settings.set(name, to: local, of: id)
        overwritten.insert(.init(kind: .setting, subject: key.id, name: name.lowercased()))
      }
    }
    try rows.setApplied(key, local: local)
  }

  /// Of the spellings of a tag that differ in case alone, every machine has the one that was written last.
  private mutating func isLatestSpelling(_ tag: SyncRegister, ofPodcast id: PodcastID) throws(StoreError) -> Bool {
    if spellings[id] == nil {
      let tags = try rows.all(.podcast, of: id.rawValue, named: SyncValue.tag).map(\.row.register)
      spellings[id] = Dictionary(tags.filter { $0.value == "1" }.map { ($0.name.lowercased(), $0) }) { first, second in
        second.beats(first) ? second : first
      }
    }
    return spellings[id]?[tag.name.lowercased()].map { !$0.beats(tag) } ?? true
  }

  /// Addresses add up, and the newest is the feed's. An unencrypted one never replaces its encrypted twin.
  private func applyIdentity(_ identity: SyncIdentity, _ id: PodcastID) throws(StoreError) -> String {
    let present = try connection.first("SELECT feed_url FROM podcasts WHERE id = \(id)") { $0.text(0) } ?? ""
    let subscriptions = SubscriptionRows(connection: connection)
    for address in identity.addresses where !rules.isSecret(address) { try subscriptions.addAddress(address, of: id) }
    if let url = identity.url, url != present, !rules.isSecret(url),
      SyncAddress.key(url) != SyncAddress.key(present) || url.hasPrefix("https:")
    {
      _ = try subscriptions.moveFeed(of: id, to: url, isPrivate: false)
    }
    let now = try connection.first("SELECT feed_url FROM podcasts WHERE id = \(id)") { $0.text(0) } ?? ""
    let others = try connection.rows(
      "SELECT url FROM addresses WHERE podcast_id = \(id) AND url <> \(now) ORDER BY url"
    ) { $0.text(0) }
    return ([now] + others).joined(separator: "\n")
  }

  // MARK: Episodes

  private mutating func apply(
    _ value: JSON, _ row: SyncRegisterRows.Row, ofEpisode key: SyncRegisterRows.Key
  ) throws(StoreError) {
    let id = EpisodeID(rawValue: key.id)
    switch key.name {
    case "play":
      // Its player is not disturbed, and saves a later position anyway.
      guard id != rules.held else { return }
      try rows.setApplied(key, local: try applyPlay(value, id))
      overwritten.insert(.init(kind: .status, subject: key.id, name: "has_completed"))
    case "fav":
      let isFavourite = value == 1
      _ = try StatusRows(connection: connection).upsert(
        id, "is_favourite", "\(isFavourite)", "is_favourite = excluded.is_favourite")
      overwritten.insert(.init(kind: .status, subject: key.id, name: "is_favourite"))
      try rows.setApplied(key, local: isFavourite ? "1" : nil)
    case "q": try rows.setApplied(key, local: nil)
    default: try rows.setApplied(key, local: try applyBookmark(value, row.local, id))
    }
    changed.insert(id)
  }

  /// Files of one episode differ by their advertisements: no position is behind the end of ours, and `done` alone says
  /// that it is finished. A duration that only the feed tells may be wrong, and cuts nothing.
  private mutating func applyPlay(_ value: JSON, _ id: EpisodeID) throws(StoreError) -> String? {
    let length = try connection.integer(
      """
      SELECT media_duration FROM statuses WHERE episode_id = \(id)
      """)
    let isFinished = value["done"]?.int == 1
    // A finished episode that is heard once more has one, too.
    let wanted = value["pos"]?.int ?? 0
    let position = length.map { min(wanted, max(0, $0 - 15_000)) } ?? wanted
    let stored = position > 0 ? Duration.milliseconds(position) : nil
    let at = value["at"]?.int.map { min($0, rules.now / 1000) }
    _ = try StatusRows(connection: connection).upsert(
      id, "last_listen_time, position_number, last_played_at, has_completed", "\(stored), 1, \(at), \(isFinished)",
      """
      last_listen_time = excluded.last_listen_time, position_number = position_number + 1,
      last_played_at = ifnull(excluded.last_played_at, last_played_at), has_completed = excluded.has_completed,
      is_currently_playing = is_currently_playing AND NOT excluded.has_completed
      """)
    if stored != nil, let at, at > heardLast?.at ?? 0 { heardLast = (id, at) }
    return LocalPlay(position: position, isFinished: isFinished).text
  }

  private func applyBookmark(_ value: JSON, _ local: String?, _ id: EpisodeID) throws(StoreError) -> String? {
    let bookmarks = BookmarkRows(connection: connection)
    if let known = local.flatMap({ Int64($0) }) { try bookmarks.remove(known) }
    guard value != .null else { return nil }
    let mark = try bookmarks.add(
      at: .milliseconds(value["pos"]?.int ?? 0), note: value["note"]?.text, in: id,
      now: Timestamp(seconds: value["at"]?.int ?? 0))
    return String(mark.id)
  }

  private func applyQueue() throws(StoreError) {
    let rows = QueueRows(connection: connection)
    let before = try rows.read()
    var isShared: [EpisodeID: Bool] = [:]
    for id in before {
      let podcast = try connection.integer("SELECT podcast_id FROM episodes WHERE id = \(id)") ?? 0
      isShared[id] = podcasts.shared[PodcastID(rawValue: podcast)] != nil
    }
    let after = try SyncQueue(connection: connection).merged(into: before) { isShared[$0] ?? false }
    if after != before { try rows.replace(with: after) }
  }
}
