internal import PodcastModel
internal import Text

/// The podcasts of the library as sync sees them: those that may be shared, and the keys under which they are known.
struct SyncPodcasts {
  struct Podcast {
    var id: PodcastID
    var url: String
    var others: [String] = []
    var guid: String?
    var title: String
    var ownTitle: String?
    var isSubscribed: Bool
    var changedAt: Timestamp

    var key: String { SyncAddress.key(url) }
    /// As the registers compare them.
    var addresses: String { ([url] + others).joined(separator: "\n") }
  }

  private(set) var shared: [PodcastID: Podcast] = [:]
  private(set) var hidden: Set<PodcastID> = []
  private(set) var ids: [String: PodcastID] = [:]
  /// Nil for a guid that several podcasts have.
  private var byGUID: [String: PodcastID?] = [:]
  /// The keys that the library keeps: they outlast a podcast that is deleted.
  private var kept: [String: PodcastID] = [:]

  init(_ connection: Connection, _ rules: SyncRules) throws(StoreError) {
    var addresses: [PodcastID: [String]] = [:]
    try connection.forEachRow("SELECT podcast_id, url FROM addresses ORDER BY url") { row in
      addresses[PodcastID(rawValue: row.integer(0)), default: []].append(row.text(1))
    }
    let all = try connection.rows(
      """
      SELECT p.id, p.feed_url, p.title, p.own_title, p.is_subscribed, p.subscribed_at, p.unsubscribed_at, p.is_private,
        d.feed_guid
      FROM podcasts p LEFT JOIN podcast_details d ON d.podcast_id = p.id
      WHERE p.id NOT IN (SELECT podcast_id FROM left_work WHERE kind = 'forgetting') ORDER BY p.id
      """
    ) { row in
      let isSubscribed = row.flag(4)
      let podcast = Podcast(
        id: PodcastID(rawValue: row.integer(0)), url: row.text(1), guid: row.optionalText(8), title: row.text(2),
        ownTitle: row.optionalText(3), isSubscribed: isSubscribed,
        changedAt: Timestamp(seconds: isSubscribed ? row.integer(5) : row.optionalInteger(6) ?? row.integer(5)))
      return (podcast: podcast, isPrivate: row.flag(7))
    }
    for (podcast, isPrivate) in all {
      let others = (addresses[podcast.id] ?? []).filter { $0 != podcast.url }
      add(podcast, others, isPrivate: isPrivate, rules)
    }
    let aliases = try connection.rows("SELECT key, podcast_id FROM sync_aliases") { ($0.text(0), $0.integer(1)) }
    let known = Set(shared.keys).union(hidden)
    for (key, id) in aliases {
      kept[key] = PodcastID(rawValue: id)
      if ids[key] == nil, known.contains(PodcastID(rawValue: id)) { ids[key] = PodcastID(rawValue: id) }
    }
  }

  private mutating func add(_ podcast: Podcast, _ others: [String], isPrivate: Bool, _ rules: SyncRules) {
    var podcast = podcast
    podcast.others = others
    let addresses = [podcast.url] + others
    for address in addresses where ids[SyncAddress.key(address)] == nil {
      ids[SyncAddress.key(address)] = podcast.id
    }
    if isPrivate || !addresses.allSatisfy({ SyncAddress.isFit($0) && !rules.isSecret($0) }) {
      hidden.insert(podcast.id)
    } else {
      shared[podcast.id] = podcast
      if let guid = podcast.guid { byGUID[guid] = byGUID[guid] == nil ? .some(podcast.id) : .some(nil) }
    }
  }

  /// By its key, the addresses that its line has, or its own guid.
  func find(_ key: String, addresses: [String] = [], guid: String? = nil) -> PodcastID? {
    if let id = ids[key] { return id }
    for address in addresses {
      if let id = ids[SyncAddress.key(address)] { return id }
    }
    return guid.flatMap { byGUID[$0] ?? nil }
  }

  /// Whether a line of elsewhere names a podcast or an address that is not shared.
  func hides(_ line: SyncLine, _ rules: SyncRules) -> Bool {
    let addresses = ["https://" + line.entity.podcast] + (line.identity?.addresses ?? [])
    return addresses.contains(where: rules.isSecret)
      || find(line.entity.podcast, addresses: addresses + addresses.flatMap(rules.covers)).map(hidden.contains) ?? false
  }

  /// A key under which another machine knows the podcast. That of a private one, which is its address, is not written.
  mutating func learn(_ key: String, _ id: PodcastID, _ connection: Connection) throws(StoreError) {
    ids[key] = id
    guard kept[key] != id, !hidden.contains(id) else { return }
    kept[key] = id
    try connection.execute("INSERT OR REPLACE INTO sync_aliases (key, podcast_id) VALUES (\(key), \(id))")
  }

  mutating func add(_ podcast: Podcast) {
    shared[podcast.id] = podcast
    for address in [podcast.url] + podcast.others where ids[SyncAddress.key(address)] == nil {
      ids[SyncAddress.key(address)] = podcast.id
    }
  }
}
