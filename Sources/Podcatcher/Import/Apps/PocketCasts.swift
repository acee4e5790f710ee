internal import PodcastModel
internal import PodcastStore

extension ForeignApp {
  /// Android's "Export database". It has web sites in place of feed addresses: those come from Pocket Casts' OPML beside
  /// it, or from a podcast of that title in the library.
  static let pocketCasts = ForeignApp(
    name: "pocketcasts", title: "Pocket Casts",
    form: .database(columns: ["podcasts.uuid", "podcast_episodes.playing_status", "podcast_episodes.played_up_to"]) {
      database, surroundings throws(StoreError) in
      try PocketCastsLibrary(database: database, feedURLs: surroundings.feedURLs).library()
    })
}

private struct PocketCastsLibrary {
  let database: ForeignDatabase
  let feedURLs: [String: String]

  func library() throws(StoreError) -> PortableLibrary {
    var library = PortableLibrary(
      subscriptions: try database.subscriptions(feeds), episodes: try database.episodes(Self.episodes + Self.joins))
    if database.has("bookmarks", "episode_uuid") { library.episodes += try bookmarks() }
    for index in library.subscriptions.indices {
      library.subscriptions[index].feedURL = address(library.subscriptions[index].feedURL)
    }
    for index in library.episodes.indices {
      library.episodes[index].feedURL = address(library.episodes[index].feedURL)
    }
    return library
  }

  private func address(_ title: String) -> String { feedURLs[title] ?? TitledFeed.prefix + title }

  private var feeds: String {
    let folder =
      database.has("folders", "name") ? "(SELECT d.name FROM folders d WHERE d.uuid = p.folder_uuid)" : "NULL"
    return """
      SELECT p.title feed, p.title, p.added_date / 1000 added, p.subscribed,
        \(database.column("is_private", of: "podcasts", as: "p", else: "0")) private,
        CASE WHEN p.override_global_effects THEN p.playback_speed END speed, \(folder) tags
      FROM podcasts p
      """
  }

  /// `playing_status` 2 is finished. Seconds are fractions, dates milliseconds. Archived is not played.
  private static let episodes = """
    SELECT p.title feed, e.download_url media, e.title, e.published_date / 1000 published, e.duration * 1000 length,
      e.played_up_to * 1000 position, e.playing_status = 2 done, nullif(e.last_playback_interaction_date, 0) / 1000 at,
      e.starred favourite, u.number queue\u{20}
    """
  private static let joins = """
    FROM podcast_episodes e JOIN podcasts p ON p.uuid = e.podcast_id
    LEFT JOIN (SELECT episodeUuid, min(position) number FROM up_next_episodes GROUP BY episodeUuid) u
      ON u.episodeUuid = e.uuid
    """

  private func bookmarks() throws(StoreError) -> [ListeningRecord] {
    try database.rows(
      """
      SELECT p.title feed, e.download_url media, e.title, e.published_date / 1000 published, b.time, b.title note,
        b.created_at / 1000 made
      FROM bookmarks b JOIN podcast_episodes e ON e.uuid = b.episode_uuid JOIN podcasts p ON p.uuid = e.podcast_id
      WHERE NOT coalesce(b.deleted, 0)
      """
    ).compactMap { row in
      guard let feed = row.text("feed"), let time = row.real("time"), let position = Duration(validSeconds: time)
      else { return nil }
      var record = ListeningRecord(feedURL: feed)
      record.enclosure = row.text("media")
      record.title = row.text("title")
      record.publishedAt = row.date("published")
      record.bookmarks = [
        Bookmark(id: 0, position: position, note: row.text("note"), createdAt: row.date("made") ?? .now)
      ]
      return record
    }
  }
}

/// A feed that is known by its title only.
enum TitledFeed {
  static let prefix = "title:"

  static func title(_ address: String) -> String? {
    address.hasPrefix(prefix) ? String(address.dropFirst(prefix.count)) : nil
  }
}
