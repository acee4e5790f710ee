internal import FeedKit
internal import PodcastModel
internal import PodcastStore

/// Statements of apps give their columns these names; a column that is absent is unknown.
///
/// Feeds: `feed title own user password speed intro outro subscribed private added tags` (tags one a line, intro and
/// outro in seconds). Episodes: `feed guid media title published length position done at favourite queue` (length and
/// position in milliseconds, the dates in seconds since 1970 or as text).
extension ForeignDatabase {
  func subscriptions(_ statement: String) throws(StoreError) -> [SubscriptionRecord] {
    try rows(statement).compactMap { row in
      guard let feed = row.text("feed") else { return nil }
      var record = SubscriptionRecord(feedURL: FeedSignIn.address(feed, row.text("user"), row.text("password")))
      record.title = row.text("title")
      record.ownTitle = row.text("own")
      record.isSubscribed = row.integer("subscribed") != 0
      record.isPrivate = row.flag("private")
      record.subscribedAt = row.date("added")
      record.tags = (row.text("tags") ?? "").split(separator: "\n").map(String.init)
      if let speed = row.real("speed"), speed > 0 { record.settings["speed"] = String(speed) }
      if let intro = row.integer("intro"), intro > 0 { record.settings["skip-intro"] = "\(intro)s" }
      if let outro = row.integer("outro"), outro > 0 { record.settings["skip-outro"] = "\(outro)s" }
      return record
    }
  }

  /// Only those that say something.
  func episodes(_ statement: String) throws(StoreError) -> [ListeningRecord] {
    try rows(statement).compactMap { row in
      guard let feed = row.text("feed") else { return nil }
      var record = ListeningRecord(feedURL: feed)
      record.guid = row.text("guid")
      record.enclosure = row.text("media")
      record.title = row.text("title")
      record.publishedAt = row.date("published")
      record.duration = row.integer("length").flatMap(Duration.init(sensibleMilliseconds:))
      record.isPlayed = row.flag("done")
      let position = row.integer("position").flatMap(Duration.init(sensibleMilliseconds:))
      if !record.isPlayed, let position, position > .zero { record.position = position }
      if record.isAboutListening { record.listenedAt = row.date("at") }
      record.isFavourite = row.flag("favourite")
      record.queueNumber = row.integer("queue")
      return record.isEmpty ? nil : record
    }
  }

  /// The column with its prefix, as `f.state`, or `other` where this version of the app has no such column.
  func column(_ name: String, of table: String, as prefix: String, else other: String) -> String {
    has(table, name) ? "\(prefix).\(name)" : other
  }
}

extension ForeignRow {
  /// Seconds since 1970, or a text in any format that feeds use, or as SQLite writes dates. Nothing before 1980.
  func date(_ name: String) -> Timestamp? {
    let moment = integer(name).map(Timestamp.init(seconds:)) ?? text(name).flatMap(DateText.timestamp)
    return moment.flatMap { Timestamp.sensible.contains($0) ? $0 : nil }
  }
}

extension Timestamp {
  /// From 1980 to the year 2100.
  static let sensible = Timestamp(seconds: 315_532_800)...Timestamp(seconds: 4_102_444_800)
}

extension Duration {
  /// Nil for a negative number, and beyond ten years.
  init?(sensibleMilliseconds number: Int64) {
    guard number >= 0, number < 315_360_000_000 else { return nil }
    self = .milliseconds(number)
  }
}
