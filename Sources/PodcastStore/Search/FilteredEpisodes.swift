internal import PodcastModel

/// Lists the episodes that match a filter whose podcasts are resolved.
struct FilteredEpisodes {
  let connection: Connection
  let filter: EpisodeFilter
  /// Nil when the filter names none.
  let podcasts: FilterCompiler.Podcasts?
  let now: Timestamp

  private var isEmpty: Bool { podcasts?.ids.isEmpty ?? false }

  /// Of subscribed podcasts, or also of others.
  func list(
    includesUnlisted: Bool, limit: Int?, after cursor: EpisodeCursor?, brief: Bool
  ) throws(StoreError) -> [EpisodeEntry] {
    if isEmpty { return [] }
    let compiler = FilterCompiler(
      filter: filter, podcasts: podcasts, includesUnlisted: includesUnlisted, isBrief: brief, now: now)
    return try EpisodeRows.read(compiler.statement(limit: limit, after: cursor), brief: brief, from: connection)
  }

  /// The matching ones of these, whatever the filter's order and limit.
  func matches(among ids: Set<EpisodeID>) throws(StoreError) -> Set<EpisodeID> {
    if isEmpty { return [] }
    var found: Set<EpisodeID> = []
    var rest = ids.sorted { $0.rawValue < $1.rawValue }[...]
    while !rest.isEmpty {
      var compiler = FilterCompiler(
        filter: EpisodeFilter(filter.conditions), podcasts: podcasts, includesUnlisted: true, now: now)
      compiler.candidates = Array(rest.prefix(Self.candidatesPerStatement))
      rest = rest.dropFirst(Self.candidatesPerStatement)
      let entries = try EpisodeRows.read(compiler.statement(limit: nil, after: nil), from: connection)
      found.formUnion(entries.map(\.episode.id))
    }
    return found
  }

  /// SQLite allows many more parameters.
  private static let candidatesPerStatement = 500
}
