private import PodcastModel
internal import PodcastStore
internal import Text

/// The plays that gpodder servers and Nextcloud take, in the form that all of their clients read: whole seconds, all
/// three numbers, and times in UTC without a zone.
struct EpisodeActions {
  let json: JSON
  /// The episodes whose length or time is unknown: a play with a zero in it makes other apps jump to nowhere.
  let leftOut: Int

  /// Of subscriptions only, as servers would subscribe to others. Finished episodes go first, then the oldest.
  init(_ library: PortableLibrary) {
    let subscribed = Set(library.subscriptions.lazy.filter(\.isSubscribed).map(\.feedURL))
    let records = library.episodes.filter { record in
      subscribed.contains(record.feedURL) && (record.isPlayed || record.position != nil)
    }
    let ordered = records.sorted { ($0.rank, $0.time ?? .now) < ($1.rank, $1.time ?? .now) }
    let actions = ordered.compactMap(Self.action)
    json = .array(actions)
    leftOut = records.count - actions.count
  }

  private static func action(_ record: ListeningRecord) -> JSON? {
    guard let episode = record.enclosure, WebURL(episode).isHTTP, let total = record.duration?.rounded, total > 1,
      let time = record.time
    else { return nil }
    let position = record.isPlayed ? total : max(1, record.position?.rounded ?? 0)
    // A feed's duration may be wrong.
    let length = record.isPlayed ? total : max(total, position + 31)
    return [
      "podcast": JSON(record.feedURL), "episode": JSON(episode), "guid": JSON(record.guid), "action": "play",
      "timestamp": JSON(String(time.description.dropLast())), "started": JSON(record.isPlayed ? total : 0),
      "position": JSON(position), "total": JSON(length),
    ]
  }
}

extension ListeningRecord {
  fileprivate var rank: Int { isPlayed ? 0 : 1 }
  /// An episode that was marked without a date was heard after its publication.
  fileprivate var time: Timestamp? { listenedAt ?? publishedAt }
}
