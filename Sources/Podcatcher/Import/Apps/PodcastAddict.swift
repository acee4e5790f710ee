internal import PodcastStore

extension ForeignApp {
  /// Its backup is a ZIP archive with `podcastAddict.db`. Times are in milliseconds, -1 is none.
  static let podcastAddict = ForeignApp(
    name: "podcastaddict", title: "Podcast Addict",
    form: .database(columns: ["podcasts.feed_url", "episodes.seen_status", "episodes.position_to_resume"]) {
      database, _ throws(StoreError) in
      PortableLibrary(
        subscriptions: try database.subscriptions(feeds(database)), episodes: try database.episodes(episodes(database)))
    })

  private static func feeds(_ database: ForeignDatabase) -> String {
    func column(_ name: String) -> String { database.column(name, of: "podcasts", as: "p", else: "NULL") }
    let tags =
      database.has("tag_relation", "podcast_id")
      ? """
      (SELECT group_concat(t.name, char(10)) FROM tag_relation r JOIN tags t ON t._id = r.tag_id
        WHERE r.podcast_id = p._id)
      """ : "NULL"
    return """
      SELECT p.feed_url feed, p.name title, \(column("custom_name")) own, p.subscribed_status > 0 subscribed,
        \(column("login")) user, \(column("password")) password, \(column("private")) private, \(tags) tags
      FROM podcasts p
      """
  }

  /// `seen_status` 1 is played; the playlist is the list of type 1.
  private static func episodes(_ database: ForeignDatabase) -> String {
    let number = database.has("ordered_list", "rank") ? "rank" : "rowid"
    let playlist =
      database.has("ordered_list", "type")
      ? "(SELECT id, min(\(number)) number FROM ordered_list WHERE type = 1 GROUP BY id)"
      : "(SELECT NULL id, NULL number)"
    return """
      SELECT p.feed_url feed, e.guid, e.download_url media, e.name title, e.publication_date / 1000 published,
        e.duration_ms length, e.position_to_resume position, e.seen_status = 1 done,
        CASE WHEN e.playbackDate > 0 THEN e.playbackDate / 1000 END at, e.favorite favourite, q.number queue
      FROM episodes e JOIN podcasts p ON p._id = e.podcast_id LEFT JOIN \(playlist) q ON q.id = e._id
      """
  }
}
