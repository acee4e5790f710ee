internal import PodcastModel

/// Compiles a filter into one statement that walks along an index in the order of the list, or over few rows.
struct FilterCompiler {
  /// The podcasts that a filter names, with the numbers of their episodes and of all episodes.
  struct Podcasts {
    var ids: [PodcastID]
    var episodes: Int64
    var allEpisodes: Int64
  }

  let filter: EpisodeFilter
  /// Nil when the filter names none.
  let podcasts: Podcasts?
  /// Whether episodes of unsubscribed podcasts are listed too.
  let includesUnlisted: Bool
  var isBrief = false
  /// Limits the list to these episodes.
  var candidates: [EpisodeID]?
  let now: Timestamp

  func statement(limit: Int?, after cursor: EpisodeCursor?) -> SQL {
    let base = base
    var conditions = base.conditions + filter.conditions.compactMap(condition)
    if let words = searchWords { conditions.append(found(words)) }
    if !includesUnlisted { conditions.append("e.is_listed = 1") }
    if let podcasts { conditions.append(among(podcasts, isIndexed: base.walksPodcasts)) }
    if let cursor, filter.sortKey == .date { conditions.append(rest(after: cursor)) }
    let limit = [limit, filter.limit].compactMap(\.self).min() ?? -1
    let text = conditions.isEmpty ? "1" : conditions.joined(by: " AND ")
    if let index = base.listIndex, filter.sortKey != .date, limit >= 0 {
      // The whole list is sorted but little of it shown, so the other columns are read for those rows only.
      let shown: SQL =
        "SELECT e.id FROM episodes e INDEXED BY \(index)\(besideOrder) WHERE \(text) ORDER BY \(order) LIMIT \(limit)"
      return "\(EpisodeRows.select(brief: isBrief))WHERE e.id IN (\(shown)) ORDER BY \(order)"
    }
    return "\(base.select)WHERE \(text) ORDER BY \(order) LIMIT \(limit)"
  }

  // MARK: The index to walk along

  private struct Base {
    var select: SQL
    var conditions: [SQL] = []
    var walksPodcasts = false
    /// The index of a walk over the whole list, whose conditions are on episodes alone.
    var listIndex: SQL?
  }

  /// The rarest condition decides.
  private var base: Base {
    let asked = Set(filter.conditions)
    if let candidates {
      return Base(
        select: EpisodeRows.select(), conditions: ["e.id IN (\(candidates.map { "\($0)" }.joined(by: ", ")))"])
    }
    if asked.contains(.inProgress) { return byStatus(along: "statuses_unfinished") }
    if asked.contains(.favourite) { return byStatus(along: "statuses_favourite") }
    if asked.contains(.downloaded) { return Base(select: EpisodeRows.selectByMedia(brief: isBrief)) }
    if searchWords != nil { return Base(select: EpisodeRows.select(brief: isBrief)) }
    if let podcasts, isWorthWalking(podcasts) {
      return Base(select: EpisodeRows.select(along: "episodes_of_podcast", brief: isBrief), walksPodcasts: true)
    }
    let index = includesUnlisted ? nil : listIndex(asked)
    return Base(select: EpisodeRows.select(along: index, brief: isBrief), listIndex: index)
  }

  private func byStatus(along index: SQL) -> Base {
    Base(select: EpisodeRows.selectByStatus(along: index, brief: isBrief))
  }

  private func listIndex(_ asked: Set<EpisodeFilter.Condition>) -> SQL {
    if asked.contains(.new) { return "playlist_new" }
    if asked.contains(.hasTranscript) { return "playlist_transcribed" }
    if asked.contains(.hasChapters) { return "playlist_chaptered" }
    if asked.contains(.played) { return "playlist_played" }
    return "playlist"
  }

  /// Few podcasts: their episodes are read and sorted. Many: the whole list is walked until enough are found.
  private func isWorthWalking(_ podcasts: Podcasts) -> Bool {
    if includesUnlisted || podcasts.ids.count <= 1 { return true }
    let wanted = Int64(filter.limit ?? 100)
    let (product, overflows) = podcasts.allEpisodes.multipliedReportingOverflow(by: wanted)
    return !overflows && podcasts.episodes < product / max(1, podcasts.episodes)
  }

  private func among(_ podcasts: Podcasts, isIndexed: Bool) -> SQL {
    // A leading plus keeps a condition away from the choice of an index.
    let column: SQL = isIndexed ? "e.podcast_id" : "+e.podcast_id"
    if podcasts.ids.count == 1 { return "\(column) = \(podcasts.ids[0])" }
    let ids: [SQL] = podcasts.ids.map { "\($0)" }
    return "\(column) IN (\(ids.joined(by: ", ")))"
  }

  private var searchWords: String? {
    let texts = filter.conditions.compactMap { condition -> String? in
      if case .text(let text) = condition { text } else { nil }
    }
    return texts.isEmpty ? nil : SearchQuery(texts.joined(separator: " ")).match()
  }

  private func found(_ match: String) -> SQL {
    let ids = (candidates ?? []).map(\.rawValue)
    guard let first = ids.min(), let last = ids.max() else {
      return "e.id IN (SELECT rowid FROM search WHERE search MATCH \(match))"
    }
    return "e.id IN (SELECT rowid FROM search WHERE search MATCH \(match) AND rowid BETWEEN \(first) AND \(last))"
  }

  // MARK: Conditions

  private func condition(_ condition: EpisodeFilter.Condition) -> SQL? {
    switch condition {
    case .unplayed: "e.is_played = 0"
    case .played: "e.is_played = 1"
    case .inProgress: "s.last_listen_time IS NOT NULL"
    case .favourite: "s.is_favourite = 1"
    case .downloaded: "m.state = 'complete'"
    case .new: "e.is_new = 1"
    case .hasTranscript: "e.has_transcript = 1"
    case .hasChapters: "e.chapter_count > 0"
    case .minutes(let comparison, let minutes): lasting(comparison, minutes * 60_000)
    case .season(let comparison, let season): compare("e.season", comparison, "\(season)")
    case .age(let comparison, let age): published(comparison, age)
    case .podcast, .tag, .text: nil
    }
  }

  /// As lists show it.
  private static let duration: SQL = "coalesce(s.media_duration, e.duration)"

  /// Few episodes have a measured duration; the publisher's is in the index, and rules most of them out without a look into
  /// their status.
  private func lasting(_ comparison: EpisodeFilter.Comparison, _ length: Double) -> SQL {
    func matches(_ column: SQL) -> SQL {
      // Lengths are shown in whole seconds.
      let next = length + 1000
      return switch comparison {
      case .below: "\(column) < \(length)"
      case .atMost: "\(column) < \(next)"
      case .above: "\(column) >= \(next)"
      case .atLeast: "\(column) >= \(length)"
      case .equal: "\(column) >= \(length) AND \(column) < \(next)"
      }
    }
    let measured: SQL = "SELECT episode_id FROM statuses WHERE \(matches("media_duration"))"
    return "(\(matches("e.duration")) OR e.id IN (\(measured))) AND \(matches(Self.duration))"
  }

  private func compare(_ column: SQL, _ comparison: EpisodeFilter.Comparison, _ value: SQL) -> SQL {
    "\(column) \(SQL(text: comparison.rawValue)) \(value)"
  }

  /// A smaller age is a later date. An equal age is taken to the day. An episode without a date has no age.
  private func published(_ comparison: EpisodeFilter.Comparison, _ age: Duration) -> SQL {
    let moment = now.seconds - age.components.seconds
    return switch comparison {
    case .below: "e.listed_at > \(moment)"
    case .atMost: "e.listed_at >= \(moment)"
    case .above: "e.listed_at < \(moment) AND e.listed_at <> 0"
    case .atLeast: "e.listed_at <= \(moment) AND e.listed_at <> 0"
    case .equal: "e.listed_at BETWEEN \(moment - 86_399) AND \(moment)"
    }
  }

  private func rest(after cursor: EpisodeCursor) -> SQL {
    filter.isDescending
      ? "(e.listed_at, e.id) < (\(cursor.listedAt), \(cursor.id))"
      : "(e.listed_at, e.id) > (\(cursor.listedAt), \(cursor.id))"
  }

  /// The tables that the conditions and the order need beside `episodes`. SQLite leaves statuses out where nothing names
  /// them.
  private var besideOrder: SQL {
    let podcasts: SQL = filter.sortKey == .podcast ? " CROSS JOIN podcasts p ON p.id = e.podcast_id" : ""
    return " LEFT JOIN statuses s ON s.episode_id = e.id\(podcasts)"
  }

  private var order: SQL {
    let direction: SQL = filter.isDescending ? " DESC" : ""
    let date: SQL = "e.listed_at\(direction), e.id\(direction)"
    return switch filter.sortKey {
    case .date: date
    case .title: "e.title COLLATE NOCASE\(direction), e.id"
    case .length: "\(Self.duration)\(direction), e.id"
    case .podcast: "p.title COLLATE NOCASE\(direction), e.listed_at DESC, e.id DESC"
    case .played: "s.last_played_at\(direction), e.id"
    }
  }
}
