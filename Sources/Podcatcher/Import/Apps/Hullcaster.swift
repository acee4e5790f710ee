internal import PodcastStore

extension ForeignApp {
  static let hullcaster = ForeignApp(
    name: "hullcaster", title: "hullcaster", lacks: ["favourites", "dates of listening"],
    paths: { [$0.config + "/hullcaster/data.db", $0.data + "/hullcaster/data.db"] },
    form: .database(columns: ["podcasts.url", "episodes.played", "episodes.position", "queue.episode_id"]) {
      database, _ throws(StoreError) in
      PortableLibrary(
        subscriptions: try database.subscriptions(feeds),
        episodes: try database.episodes(
          """
          SELECT p.url feed, e.guid, e.url media, e.title, e.pubdate published, e.duration * 1000 length,
            e.position * 1000 position, e.played done, q.number queue
          FROM episodes e JOIN podcasts p ON p.id = e.podcast_id
          LEFT JOIN (SELECT episode_id, min(position) number FROM queue GROUP BY episode_id) q ON q.episode_id = e.id
          """))
    })

  /// Its ancestor.
  static let shellcaster = ForeignApp(
    name: "shellcaster", title: "shellcaster", lacks: ["positions", "favourites", "queue", "dates of listening"],
    paths: { [$0.config + "/shellcaster/data.db", $0.data + "/shellcaster/data.db"] },
    form: .database(columns: ["podcasts.url", "episodes.played", "episodes.hidden", "version.version"]) {
      database, _ throws(StoreError) in
      PortableLibrary(
        subscriptions: try database.subscriptions(feeds),
        episodes: try database.episodes(
          """
          SELECT p.url feed, \(database.column("guid", of: "episodes", as: "e", else: "NULL")) guid, e.url media, e.title,
            e.pubdate published, e.duration * 1000 length, e.played done
          FROM episodes e JOIN podcasts p ON p.id = e.podcast_id
          """))
    })

  private static let feeds = "SELECT url feed, title FROM podcasts"
}
