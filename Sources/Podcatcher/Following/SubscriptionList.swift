private import FeedKit
package import PodcastModel
package import PodcastStore
internal import Text
private import Transfer

/// What you follow, as other programs read it.
package struct SubscriptionList: Sendable {
  private let store: PodcastStore
  private let secrets: Secrets

  package init(store: PodcastStore, secrets: Secrets) {
    self.store = store
    self.secrets = secrets
  }

  package struct Export: Sendable {
    package var document: String
    package var feeds: Int
    /// Private ones that stayed here.
    package var leftOut: Int
  }

  /// Private feeds leave only when asked to, then with all that opens them. Files of this machine are nobody else's.
  package func export(includingPrivate: Bool, now: Timestamp = .now) async throws(StoreError) -> Export {
    var outlines: [FeedOutline] = []
    var leftOut = 0
    for podcast in try await store.podcasts() {
      let isOurs = podcast.isPrivate || podcast.reference.feedURL.hasPrefix("file:")
      guard includingPrivate || !isOurs else {
        leftOut += 1
        continue
      }
      let folders = try await store.tags(of: podcast.id)
      outlines.append(
        FeedOutline(url: address(of: podcast), title: podcast.title, website: podcast.link, folders: folders))
    }
    let document = OPML.document(title: "podcli", feeds: outlines, created: now)
    return Export(document: document, feeds: outlines.count, leftOut: leftOut)
  }

  private func address(of podcast: PodcastEntry) -> String {
    let listed = podcast.reference.feedURL
    guard let secret = secrets.secret(for: listed) else { return listed }
    var parts = WebAddress(secret.address ?? listed)
    if let credentials = secret.credentials {
      let user = PercentCoding.encoded(credentials.user) + ":" + PercentCoding.encoded(credentials.password)
      parts.authority = user + "@" + (parts.authority ?? "")
    }
    return parts.description
  }
}
