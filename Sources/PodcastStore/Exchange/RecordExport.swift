internal import PodcastModel

/// Reads everything that the user did, for other apps and other machines; also what waits for its episode.
struct RecordExport {
  let connection: Connection

  func library() throws(StoreError) -> PortableLibrary {
    let waiting = try ParkedRecords(connection: connection).all()
    return PortableLibrary(subscriptions: try subscriptions(), episodes: try episodes() + waiting)
  }

  private func subscriptions() throws(StoreError) -> [SubscriptionRecord] {
    let rows = SettingRows(connection: connection)
    var records = try connection.rows(
      """
      SELECT p.id, p.feed_url, p.title, p.own_title, d.feed_guid, p.subscribed_at, p.unsubscribed_at, p.is_subscribed,
        p.is_private
      FROM podcasts p LEFT JOIN podcast_details d ON d.podcast_id = p.id
      WHERE p.id NOT IN (SELECT podcast_id FROM left_work WHERE kind = 'forgetting') ORDER BY p.id
      """
    ) { row in
      var record = SubscriptionRecord(feedURL: row.text(1))
      record.title = row.text(2)
      record.ownTitle = row.optionalText(3)
      record.guid = row.optionalText(4)
      record.subscribedAt = row.optionalTime(5)
      record.unsubscribedAt = row.optionalTime(6)
      record.isSubscribed = row.flag(7)
      record.isPrivate = row.flag(8)
      return (id: PodcastID(rawValue: row.integer(0)), record: record)
    }
    for index in records.indices {
      records[index].record.tags = try rows.tags(of: records[index].id)
      records[index].record.settings = try rows.settings(of: records[index].id)
    }
    return records.map(\.record)
  }

  /// Episodes with a status, a place in the queue or a bookmark, the oldest first.
  private func episodes() throws(StoreError) -> [ListeningRecord] {
    let bookmarks = BookmarkRows(connection: connection)
    let bookmarked = Set(try connection.rows("SELECT DISTINCT episode_id FROM bookmarks") { $0.integer(0) })
    return try connection.rows(
      """
      SELECT e.id, p.feed_url, e.guid, e.enclosure_url, e.title, e.published_at,
        coalesce(s.media_duration, e.duration), s.last_listen_time,
        s.has_completed, s.last_played_at, s.is_favourite, q.place
      FROM (SELECT episode_id FROM statuses UNION SELECT episode_id FROM queue UNION SELECT episode_id FROM bookmarks) u
      CROSS JOIN episodes e ON e.id = u.episode_id CROSS JOIN podcasts p ON p.id = e.podcast_id
      LEFT JOIN statuses s ON s.episode_id = e.id LEFT JOIN queue q ON q.episode_id = e.id ORDER BY e.id
      """
    ) { row throws(StoreError) in
      var record = ListeningRecord(feedURL: row.text(1))
      record.guid = row.text(2)
      record.enclosure = row.optionalText(3)
      record.title = row.text(4)
      record.publishedAt = row.optionalTime(5)
      record.duration = row.optionalLength(6)
      record.position = row.optionalLength(7)
      record.isPlayed = row.flag(8)
      record.listenedAt = row.optionalTime(9)
      record.isFavourite = row.flag(10)
      record.queueNumber = row.optionalInteger(11)
      let id = row.integer(0)
      if bookmarked.contains(id) { record.bookmarks = try bookmarks.read(of: EpisodeID(rawValue: id)) }
      return record
    }.filter { !$0.isEmpty }
  }
}
