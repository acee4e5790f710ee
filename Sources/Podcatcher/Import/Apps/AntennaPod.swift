internal import PodcastStore

extension ForeignApp {
  /// Its backup, `AntennaPodBackup-2026-11-22.db`, of any version: columns are added from one to the next.
  static let antennaPod = ForeignApp(
    name: "antennapod", title: "AntennaPod",
    form: .database(columns: ["Feeds.download_url", "FeedItems.item_identifier", "FeedMedia.position"]) {
      database, _ throws(StoreError) in
      PortableLibrary(
        subscriptions: try database.subscriptions(AntennaPodSQL.feeds(database)),
        episodes: try database.episodes(AntennaPodSQL.episodes(database)))
    })
}

private enum AntennaPodSQL {
  /// `state` 0 is a subscription. A speed below 0 means the app's own. Tags are divided by U+001E.
  static func feeds(_ database: ForeignDatabase) -> String {
    func column(_ name: String, else other: String = "NULL") -> String {
      database.column(name, of: "Feeds", as: "f", else: other)
    }
    let tags = column("tags", else: "''")
    return """
      SELECT f.download_url feed, f.title, \(column("custom_title")) own, \(column("state", else: "0")) = 0 subscribed,
        \(column("username")) user, \(column("password")) password, \(column("feed_playback_speed")) speed,
        \(column("feed_skip_intro")) intro, \(column("feed_skip_ending")) outro,
        replace(replace(replace(\(tags), '#root', ''), '#untagged', ''), char(30), char(10)) tags
      FROM Feeds f
      """
  }

  /// `read` 1 is played. Times are in milliseconds.
  static func episodes(_ database: ForeignDatabase) -> String {
    let lastPlayed = database.column("last_played_time", of: "FeedMedia", as: "m", else: "0")
    let completed = database.column("playback_completion_date", of: "FeedMedia", as: "m", else: "0")
    let favourites =
      database.has("Favorites", "feeditem") ? "(SELECT DISTINCT feeditem FROM Favorites)" : "(SELECT NULL feeditem)"
    return """
      SELECT f.download_url feed, i.item_identifier guid, m.download_url media, i.title, i.pubDate / 1000 published,
        m.duration length, m.position, i.read = 1 done,
        nullif(max(coalesce(\(lastPlayed), 0), coalesce(\(completed), 0)) / 1000, 0) at,
        v.feeditem IS NOT NULL favourite, q.number queue
      FROM FeedItems i JOIN Feeds f ON f.id = i.feed LEFT JOIN FeedMedia m ON m.feeditem = i.id
      LEFT JOIN \(favourites) v ON v.feeditem = i.id
      LEFT JOIN (SELECT feeditem, min(id) number FROM Queue GROUP BY feeditem) q ON q.feeditem = i.id
      """
  }
}
