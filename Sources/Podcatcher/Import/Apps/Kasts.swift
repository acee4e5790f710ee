internal import PodcastStore

extension ForeignApp {
  static let kasts = ForeignApp(
    name: "kasts", title: "Kasts", lacks: ["dates of listening"],
    paths: { folders in
      let flatpak = folders.home + "/.var/app/org.kde.kasts/data"
      return [folders.data, flatpak].flatMap { [$0 + "/KDE/Kasts/database.db3", $0 + "/KDE/kasts/database.db3"] }
    },
    form: .database(columns: ["Feeds.url", "Entries.read", "Enclosures.playposition"]) {
      database, _ throws(StoreError) in
      let added = database.column("subscribed", of: "Feeds", as: "f", else: "NULL")
      return PortableLibrary(
        subscriptions: try database.subscriptions("SELECT f.url feed, f.name title, \(added) added FROM Feeds f"),
        episodes: try database.episodes(episodes(database)))
    })

  /// Before version 12 of the schema, tables are joined by the feed's address and the entry's id. `Entries.playposition`
  /// is out of date.
  private static func episodes(_ database: ForeignDatabase) -> String {
    let favourite = database.column("favorite", of: "Entries", as: "e", else: "0")
    let joins =
      database.has("Entries", "entryuid")
      ? """
      Entries e JOIN Feeds f USING (feeduid) LEFT JOIN Enclosures c USING (entryuid)
      LEFT JOIN Queue q ON q.entryuid = e.entryuid
      """
      : """
      Entries e JOIN Feeds f ON f.url = e.feed LEFT JOIN Enclosures c ON c.feed = e.feed AND c.id = e.id
      LEFT JOIN Queue q ON q.feed = e.feed AND q.id = e.id
      """
    return """
      SELECT f.url feed, nullif(e.id, c.url) guid, c.url media, e.title, e.created published,
        nullif(c.duration, 0) * 1000 length, c.playposition position, e.read done, \(favourite) favourite, q.listnr queue
      FROM \(joins)
      """
  }
}
