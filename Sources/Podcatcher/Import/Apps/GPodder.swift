internal import PodcastStore

extension ForeignApp {
  /// gPodder 3, and `gpo`: the file `Database`. Its titles are those that the person sees.
  static let gPodder = ForeignApp(
    name: "gpodder", title: "gPodder", lacks: ["queue"],
    paths: { folders in
      (folders.environment["GPODDER_HOME"].map { [$0 + "/Database"] } ?? []) + [folders.home + "/gPodder/Database"]
    },
    form: .database(columns: ["podcast.auth_username", "episode.current_position", "episode.is_new"]) {
      database, _ throws(StoreError) in
      PortableLibrary(
        subscriptions: try database.subscriptions(feeds), episodes: try database.episodes(episodes))
    })

  private static let feeds = """
    SELECT url feed, title, title own, auth_username user, auth_password password FROM podcast
    """

  /// Playing clears `is_new` at once, so an episode is done at its end, or when it is not new and has no position.
  /// A guid that is the link or the address was made up.
  private static let episodes = """
    SELECT p.url feed, CASE WHEN e.guid IN (e.link, e.url) THEN NULL ELSE e.guid END guid, e.url media, e.title,
      nullif(e.published, 0) published, nullif(e.total_time, 0) * 1000 length, e.current_position * 1000 position,
      (e.total_time > 0 AND e.current_position > 0
        AND (e.current_position + 10 >= e.total_time OR e.current_position >= 0.99 * e.total_time))
      OR (e.is_new = 0 AND e.current_position = 0 AND e.state != 2) done,
      nullif(max(coalesce(e.last_playback, 0), coalesce(e.current_position_updated, 0)), 0) at, e.archive favourite
    FROM episode e JOIN podcast p ON p.id = e.podcast_id
    """
}
