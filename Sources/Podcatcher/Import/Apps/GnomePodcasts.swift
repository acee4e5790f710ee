internal import PodcastStore

extension ForeignApp {
  static let gnomePodcasts = ForeignApp(
    name: "gnome-podcasts", title: "GNOME Podcasts", lacks: ["favourites", "dates of unfinished episodes"],
    paths: { folders in
      [
        folders.data + "/gnome-podcasts/podcasts.db",
        folders.home + "/.var/app/org.gnome.Podcasts/data/gnome-podcasts/podcasts.db",
      ]
    },
    form: .database(columns: ["source.uri", "shows.source_id", "episodes.play_position"]) {
      database, _ throws(StoreError) in
      PortableLibrary(
        subscriptions: try database.subscriptions(
          "SELECT s.uri feed, w.title FROM shows w JOIN source s ON s.id = w.source_id"),
        episodes: try database.episodes(episodes(database)))
    })

  /// Dates are numbers until July 2024, then texts. A position of 0 means not begun or finished.
  private static func episodes(_ database: ForeignDatabase) -> String {
    // Since April 2026; the positions are fractions.
    let queue =
      database.has("queue", "position") && database.has("queue", "episode_id")
      ? "(SELECT count(*) FROM queue p JOIN queue q ON p.position <= q.position WHERE q.episode_id = e.id)" : "0"
    return """
      SELECT s.uri feed, e.guid, e.uri media, e.title, e.epoch published, nullif(e.duration, 0) * 1000 length,
        e.play_position * 1000 position, e.played IS NOT NULL AND e.play_position = 0 done, e.played at,
        nullif(\(queue), 0) queue
      FROM episodes e JOIN shows w ON w.id = e.show_id JOIN source s ON s.id = w.source_id
      """
  }
}
