package import PodcastStore

/// A library of another app, or a list of subscriptions, as it was read. Nothing of it is applied yet.
package struct FoundLibrary: Sendable {
  /// The app's name; nil for a list of subscriptions.
  package var app: String?
  package var path: String
  /// The data that the app does not keep, in words.
  package var lacks: [String] = []
  package var library: PortableLibrary
  /// Podcasts without a web address, which cannot come: files of another machine, and titles that nothing here has.
  package var withoutAddress: [String] = []
  /// The file ends before the list does.
  package var isCutOff = false
}

/// Why nothing can be imported from an app or a path.
package enum ImportError: Error, Sendable {
  /// A file or folder, and why it cannot be read.
  case unreadable(String, String)
  /// No app that podcli knows has this name.
  case noSuchApp(String, known: [String])
  /// The app has no library at these paths.
  case notThere(app: String, paths: [String])
  /// A backup or another library of podcli, which is restored and not imported.
  case podcliLibrary(String, isPacked: Bool)
  /// A file or folder with no library and no list of subscriptions.
  case unknown(String)
  /// The library is damaged, or of a version that podcli does not know.
  case damaged(String, app: String?, String)
  /// The app wrote while its library was copied, again and again.
  case changing(String)
  case diskFull(String)
  /// An OPML document, and why it cannot be read.
  case list(String, FeedFailure)

  /// The path has nothing that podcli knows.
  var isUnknown: Bool {
    switch self {
    case .unknown, .list: true
    default: false
    }
  }
}
