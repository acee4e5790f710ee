internal import PodcastModel
internal import Text

/// Finds podcasts and episodes by the names that other clients and servers give them.
struct ServerNames {
  private let matcher: RecordMatcher
  private var exact: [String: PodcastID] = [:]
  /// By address without scheme and escapes; nil where two podcasts share it.
  private var loose: [String: PodcastID?] = [:]

  init(_ connection: Connection) throws(StoreError) {
    matcher = RecordMatcher(connection: connection)
    for feed in try ServerFeedRows(connection: connection).all() {
      guard let podcast = feed.podcast else { continue }
      for url in [feed.url, feed.alias].compactMap(\.self) { exact[url] = podcast }
    }
    let known = try connection.rows("SELECT url, podcast_id FROM addresses") { row in
      (url: row.text(0), podcast: PodcastID(rawValue: row.integer(1)))
    }
    for (url, podcast) in known {
      let key = Self.looseKey(url)
      if let other = loose[key], other != podcast { loose[key] = .some(nil) } else { loose[key] = podcast }
    }
  }

  func podcast(at url: String) throws(StoreError) -> PodcastID? {
    if let podcast = exact[url] { return podcast }
    if let podcast = try matcher.podcast(at: url) { return podcast }
    return loose[Self.looseKey(url)] ?? nil
  }

  /// Servers quote queries again and again, and clients decode them.
  static func looseKey(_ url: String) -> String {
    let parts = WebURL(url)
    var rest = parts.path + (parts.query.map { "?" + $0 } ?? "")
    for _ in 0..<3 where rest.contains("%") { rest = PercentCoding.decoded(rest) }
    while rest.hasSuffix("/") { rest.removeLast() }
    let port = parts.origin.split(separator: ":").last.map(String.init) ?? ""
    let isUsual = port == "80" || port == "443"
    return (parts.host ?? "") + (isUsual ? "" : ":" + port) + rest
  }

  // MARK: Episodes

  /// The newest play of each episode, and those without an episode in the library, with their podcasts.
  func match(
    _ plays: [RemotePlay]
  ) throws(StoreError) -> (found: [EpisodeID: RemotePlay], unmatched: [(play: RemotePlay, podcast: PodcastID?)]) {
    var byPodcast: [PodcastID: [RemotePlay]] = [:]
    var found: [EpisodeID: RemotePlay] = [:]
    var unmatched: [(play: RemotePlay, podcast: PodcastID?)] = []
    var podcasts: [String: PodcastID?] = [:]
    for play in plays {
      if podcasts[play.feedURL] == nil { podcasts[play.feedURL] = .some(try podcast(at: play.feedURL)) }
      if let podcast = podcasts[play.feedURL] ?? nil {
        byPodcast[podcast, default: []].append(play)
      } else {
        unmatched.append((play, nil))
      }
    }
    for (podcast, plays) in byPodcast {
      let rest = try match(plays, in: podcast) { episode, play in
        if found[episode].map({ play.isNewer(than: $0) }) ?? true { found[episode] = play }
      }
      unmatched += rest.map { ($0, podcast) }
    }
    return (found, unmatched)
  }

  /// By guid, then enclosure, then enclosure without its query; each trait in a pass of its own, as a guid that differs
  /// may be the server's own. Returns the plays without an episode.
  private func match(
    _ plays: [RemotePlay], in podcast: PodcastID, _ take: (EpisodeID, RemotePlay) -> Void
  ) throws(StoreError) -> [RemotePlay] {
    var rest = plays
    for trait in Trait.allCases where !rest.isEmpty {
      let named = Dictionary(grouping: rest.filter { trait.name(of: $0) != nil }) { trait.name(of: $0) ?? "" }
      let records = named.values.compactMap { $0.first.map(trait.record) }
      var matched: Set<String> = []
      for match in try matcher.match(records, in: podcast).matches {
        let name = trait.name(of: match.record)
        matched.insert(name)
        for play in named[name] ?? [] { take(match.episode, play) }
      }
      rest.removeAll { play in trait.name(of: play).map(matched.contains) ?? false }
    }
    return rest
  }

  private enum Trait: CaseIterable {
    case guid, enclosure, enclosureWithoutQuery

    func name(of play: RemotePlay) -> String? {
      switch self {
      case .guid: play.guid
      case .enclosure: play.enclosure
      case .enclosureWithoutQuery: String(play.enclosure.prefix { $0 != "?" })
      }
    }

    func record(_ play: RemotePlay) -> ListeningRecord {
      var record = ListeningRecord(feedURL: play.feedURL)
      if self == .guid { record.guid = play.guid } else { record.enclosure = play.enclosure }
      return record
    }

    func name(of record: ListeningRecord) -> String {
      switch self {
      case .guid: record.guid ?? ""
      case .enclosure: record.enclosure ?? ""
      case .enclosureWithoutQuery: String((record.enclosure ?? "").prefix { $0 != "?" })
      }
    }
  }
}
