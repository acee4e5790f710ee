internal import PodcastStore

extension ForeignApp {
  /// It holds its database in memory and writes it when it ends.
  static let castero = ForeignApp(
    name: "castero", title: "castero", lacks: ["favourites", "dates of listening"],
    paths: { [$0.data + "/castero/castero.db"] },
    form: .database(columns: ["feed.key", "episode.feed_key", "episode.enclosure"]) { database, _ throws(StoreError) in
      PortableLibrary(
        subscriptions: try database.subscriptions("SELECT key feed, title FROM feed"),
        episodes: try database.episodes(episodes(database)))
    })

  /// Marks came with version 2 of the schema, the queue with 3, positions with 4.
  private static func episodes(_ database: ForeignDatabase) -> String {
    let progress = database.has("progress", "time") ? "progress" : "(SELECT NULL ep_id, NULL time)"
    let queue = database.has("queue", "ep_id") ? "queue" : "(SELECT NULL ep_id, NULL id)"
    let played = database.column("played", of: "episode", as: "e", else: "0")
    return """
      SELECT e.feed_key feed, e.enclosure media, e.title, e.pubdate published, p.time position, \(played) done,
        q.number queue
      FROM episode e LEFT JOIN (SELECT ep_id, max(time) time FROM \(progress) GROUP BY ep_id) p ON p.ep_id = e.id
      LEFT JOIN (SELECT ep_id, min(id) number FROM \(queue) GROUP BY ep_id) q ON q.ep_id = e.id
      """
  }
}
