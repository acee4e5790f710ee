internal import PodcastStore
internal import Text

extension ForeignApp {
  /// The Mac's `MTLibrary.sqlite`. Played is what has evidence; `ZPLAYSTATE` has none.
  static let applePodcasts = ForeignApp(
    name: "apple-podcasts", title: "Apple Podcasts", lacks: ["queue"],
    paths: { folders in
      [folders.home + "/Library/Group Containers/243LU875E5.groups.com.apple.podcasts/Documents/MTLibrary.sqlite"]
    },
    form: .database(columns: ["ZMTPODCAST.ZFEEDURL", "ZMTEPISODE.ZPLAYHEAD"]) { database, _ throws(StoreError) in
      let update = database.column("ZUPDATEDFEEDURL", of: "ZMTPODCAST", as: "p", else: "NULL")
      let address = "coalesce(nullif(\(update), ''), p.ZFEEDURL)"
      var library = PortableLibrary(
        subscriptions: try database.subscriptions(
          """
          SELECT \(address) feed, p.ZTITLE title, p.ZSUBSCRIBED subscribed,
            CAST(p.ZADDEDDATE AS INTEGER) + 978307200 added
          FROM ZMTPODCAST p
          """),
        episodes: try database.episodes(episodes(database, address)))
      for index in library.subscriptions.indices { library.subscriptions[index].feedURL.dropCacheBuster() }
      for index in library.episodes.indices { library.episodes[index].feedURL.dropCacheBuster() }
      return library
    })

  /// Seconds; dates count from 2001. Episodes that are paid for come from no feed.
  private static func episodes(_ database: ForeignDatabase, _ address: String) -> String {
    func column(_ name: String, else other: String) -> String {
      database.column(name, of: "ZMTEPISODE", as: "e", else: other)
    }
    return """
      SELECT \(address) feed, e.ZGUID guid, e.ZENCLOSUREURL media, e.ZTITLE title,
        CAST(e.ZPUBDATE AS INTEGER) + 978307200 published, e.ZDURATION * 1000 length, e.ZPLAYHEAD * 1000 position,
        coalesce(\(column("ZPLAYCOUNT", else: "0")), 0) > 0 OR coalesce(\(column("ZHASBEENPLAYED", else: "0")), 0) = 1
          OR \(column("ZLASTUSERMARKEDASPLAYEDDATE", else: "NULL")) IS NOT NULL done,
        CAST(\(column("ZLASTDATEPLAYED", else: "NULL")) AS INTEGER) + 978307200 at,
        \(column("ZSAVED", else: "0")) favourite
      FROM ZMTEPISODE e JOIN ZMTPODCAST p ON p.Z_PK = e.ZPODCAST
      WHERE coalesce(\(column("ZPRICETYPE", else: "NULL")), '') NOT IN ('PSUB', 'PLUS')
      """
  }
}

extension String {
  /// `?t=1234`, which only makes Apple's own cache ask anew.
  fileprivate mutating func dropCacheBuster() {
    var parts = WebURL(self)
    guard let query = parts.query, query.hasPrefix("t="), query.dropFirst(2).utf8.allSatisfy({ (48...57).contains($0) })
    else { return }
    parts.query = nil
    self = parts.description
  }
}
