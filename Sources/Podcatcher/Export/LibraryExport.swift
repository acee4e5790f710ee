private import PodcastModel
package import PodcastStore
package import Text

/// Everything that the user did, as JSON for other programs and other machines.
package struct LibraryExport: Sendable {
  private let store: PodcastStore
  private let addresses: SubscriptionList

  init(store: PodcastStore, addresses: SubscriptionList) {
    self.store = store
    self.addresses = addresses
  }

  /// A document, and the counts of what it leaves out.
  package struct Document: Sendable {
    package var json: JSON
    package var leftOutPodcasts = 0
    package var leftOutEpisodes = 0
  }

  /// PortCast, which podcli reads again: podcasts, positions, marks, the queue, bookmarks, tags, titles and the settings
  /// of the sound.
  package func portCast(includingPrivate: Bool) async throws(StoreError) -> Document {
    let (library, leftOut) = try await visible(includingPrivate)
    return Document(json: PortCastDocument(library).json, leftOutPodcasts: leftOut)
  }

  /// Episode actions, as gpodder servers and Nextcloud take them.
  package func episodeActions(includingPrivate: Bool) async throws(StoreError) -> Document {
    let (library, leftOut) = try await visible(includingPrivate)
    let actions = EpisodeActions(library)
    return Document(json: actions.json, leftOutPodcasts: leftOut, leftOutEpisodes: actions.leftOut)
  }

  /// Without private podcasts and files of this machine, or with them and their secret addresses.
  private func visible(_ includingPrivate: Bool) async throws(StoreError) -> (PortableLibrary, leftOut: Int) {
    var library = try await store.portableLibrary()
    var shown: [String: String] = [:]
    var leftOut = 0
    for record in library.subscriptions {
      if includingPrivate || !record.isOurs {
        shown[record.feedURL] = includingPrivate ? addresses.address(listedAs: record.feedURL) : record.feedURL
      } else if record.isSubscribed {
        leftOut += 1
      }
    }
    let known = Set(library.subscriptions.map(\.feedURL))
    library.subscriptions = library.subscriptions.compactMap { record in
      var record = record
      guard let url = shown[record.feedURL] else { return nil }
      // A password makes no address a secret.
      record.isPrivate = PrivateAddress.isCover(record.feedURL)
      record.feedURL = url
      return record
    }
    library.episodes = library.episodes.compactMap { record in
      var record = record
      let unknown =
        known.contains(record.feedURL) || PrivateAddress.isCover(record.feedURL) ? nil : record.feedURL
      guard let url = shown[record.feedURL] ?? unknown else { return nil }
      record.feedURL = url
      return record
    }
    return (library, leftOut)
  }
}

extension SubscriptionRecord {
  /// It stays on this machine unless asked for.
  fileprivate var isOurs: Bool { isPrivate || feedURL.hasPrefix("file:") }
}
