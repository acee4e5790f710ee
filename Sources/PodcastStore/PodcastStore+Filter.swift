package import PodcastModel

extension PodcastStore {
  /// The episodes a filter asks for: of every subscription, or of one podcast, subscribed or not. Brief as a playlist.
  package func episodes(
    matching filter: EpisodeFilter, of podcast: PodcastID? = nil, limit: Int? = nil, after cursor: EpisodeCursor? = nil,
    now: Timestamp = .now, brief: Bool = false
  ) throws(StoreError) -> [EpisodeEntry] {
    let named = try podcasts(namedIn: filter, within: podcast)
    if let named, named.ids.isEmpty { return [] }
    if filter.searchesText, access == .readWrite { try indexForSearch(budget: Self.patienceWithIndex) }
    let compiler = FilterCompiler(filter: filter, podcasts: named, includesUnlisted: podcast != nil, now: now)
    return try entries(compiler.statement(limit: limit, after: cursor), brief: brief)
  }

  /// Which of these a filter asks for, subscribed or not. Its order and its limit are those of another list.
  package func those(
    of ids: Set<EpisodeID>, matching filter: EpisodeFilter, now: Timestamp = .now
  ) throws(StoreError) -> Set<EpisodeID> {
    let named = try podcasts(namedIn: filter, within: nil)
    if let named, named.ids.isEmpty { return [] }
    if filter.searchesText, access == .readWrite { try indexForSearch(budget: Self.patienceWithIndex) }
    var found: Set<EpisodeID> = []
    var rest = ids.sorted { $0.rawValue < $1.rawValue }[...]
    while !rest.isEmpty {
      var compiler = FilterCompiler(
        filter: EpisodeFilter(filter.conditions), podcasts: named, includesUnlisted: true, now: now)
      compiler.candidates = Array(rest.prefix(Self.candidatesAtATime))
      rest = rest.dropFirst(Self.candidatesAtATime)
      found.formUnion(try entries(compiler.statement(limit: nil, after: nil)).map(\.episode.id))
    }
    return found
  }

  /// A statement has room for many more.
  private static let candidatesAtATime = 500

  private func podcasts(
    namedIn filter: EpisodeFilter, within podcast: PodcastID?
  ) throws(StoreError) -> FilterCompiler.Podcasts? {
    var named: Set<PodcastID>? = podcast.map { [$0] }
    for condition in filter.conditions {
      let ids: [PodcastID]
      switch condition {
      case .podcast(let name): ids = try podcasts(called: name).map(\.id)
      case .tag(let tag): ids = try podcasts(tagged: tag)
      default: continue
      }
      named = named?.intersection(ids) ?? Set(ids)
    }
    guard let named else { return nil }
    let ids = named.sorted { $0.rawValue < $1.rawValue }
    return FilterCompiler.Podcasts(
      ids: ids, episodes: try episodeCount(of: ids), allEpisodes: try episodeCount(of: nil))
  }

  /// A podcast by its id, by its feed's address, or by words of its title.
  package func podcasts(called name: String) throws(StoreError) -> [PodcastEntry] {
    if let id = Int64(name), let podcast = try podcast(PodcastID(rawValue: id)) { return [podcast] }
    if name.contains("://"), let podcast = try podcast(at: name) { return [podcast] }
    return try podcasts(titled: name, limit: 1000)
  }

  package func podcasts(tagged tag: String) throws(StoreError) -> [PodcastID] {
    try connection.rows("SELECT podcast_id FROM tags WHERE tag = \(tag)") { PodcastID(rawValue: $0.integer(0)) }
  }

  private func episodeCount(of ids: [PodcastID]?) throws(StoreError) -> Int64 {
    var total: Int64 = 0
    let wanted = ids.map(Set.init)
    try connection.forEachRow("SELECT podcast_id, episodes FROM counters") { row in
      if wanted?.contains(PodcastID(rawValue: row.integer(0))) ?? true { total += row.integer(1) }
    }
    return total
  }
}

extension EpisodeFilter {
  fileprivate var searchesText: Bool {
    conditions.contains { if case .text = $0 { true } else { false } }
  }
}
