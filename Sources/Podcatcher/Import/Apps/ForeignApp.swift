private import FeedKit
private import PodcastModel
internal import PodcastStore
internal import System
internal import Text

/// Another podcast app: the columns or members by which its library is recognised, and how it is read. Each app has a
/// file with its schema's SQL, and a line in `ForeignApps`.
struct ForeignApp: Sendable {
  /// The word for `--from`.
  let name: String
  let title: String
  /// The data that the app does not keep, in words.
  var lacks: [String] = []
  /// The usual paths of its library, the likeliest first.
  var paths: @Sendable (AppFolders) -> [String] = { _ in [] }
  let form: Form

  enum Form: Sendable {
    /// A database that has all these columns, each `table.column`.
    case database(
      columns: [String], read: @Sendable (ForeignDatabase, AppSurroundings) throws(StoreError) -> PortableLibrary)
    case json(isOne: @Sendable (JSON) -> Bool, read: @Sendable (JSON) -> PortableLibrary)
    /// Overcast's outlines, which FeedKit reads.
    case outlines
  }
}

/// The folders under which apps keep their libraries.
struct AppFolders: Sendable {
  let home: String
  /// `$XDG_DATA_HOME`, and the same for configuration.
  let data: String
  let config: String
  let environment: Environment

  /// Nil without a home directory.
  init?(_ environment: Environment) {
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    self.home = home
    data = environment["XDG_DATA_HOME"] ?? home + "/.local/share"
    config = environment["XDG_CONFIG_HOME"] ?? home + "/.config"
    self.environment = environment
  }
}

/// The files that lie beside a library and are needed to read it.
struct AppSurroundings: Sendable {
  /// The library's path.
  let path: String
  let folders: AppFolders?
  /// `--read-as-played`
  let readsAsPlayed: Bool
  /// Where lists of subscriptions may lie, besides the library's own folder.
  let listFolders: [String]

  var folder: String { Files.folder(of: path) }

  /// The name is that of a list of subscriptions.
  static func isList(_ name: String) -> Bool {
    let name = name.lowercased()
    return name.hasSuffix(".opml") || name.hasSuffix(".xml")
  }

  /// Feed addresses by title, from the lists of subscriptions beside the library.
  var feedURLs: [String: String] {
    var addresses: [String: String] = [:]
    for folder in [folder] + listFolders {
      for name in (Files.names(in: folder) ?? []).sorted() where Self.isList(name) {
        guard let bytes = Files.read(folder + "/" + name, atMost: 16 << 20) else { continue }
        for feed in (try? OPML.feeds(in: bytes)) ?? [] {
          if let title = feed.title, addresses[title] == nil { addresses[title] = feed.url }
        }
      }
    }
    return addresses
  }
}
