private import FeedKit
package import PodcastModel
package import PodcastStore
internal import Text
private import Transfer

/// The subscriptions as OPML, for other programs.
package struct SubscriptionList: Sendable {
  private let store: PodcastStore
  private let secrets: Secrets

  init(store: PodcastStore, secrets: Secrets) {
    self.store = store
    self.secrets = secrets
  }

  /// The OPML document with its number of feeds.
  package struct Export: Sendable {
    package var document: String
    package var feeds: Int
    /// The number of private feeds that were left out.
    package var leftOut: Int
  }

  /// Writes OPML. Private feeds, with their secrets, and files of this machine are included only on request.
  package func export(includingPrivate: Bool, now: Timestamp = .now) async throws(StoreError) -> Export {
    var outlines: [FeedOutline] = []
    var leftOut = 0
    for podcast in try await store.podcasts() {
      let url = podcast.reference.feedURL
      let isOurs = podcast.isPrivate || PrivateAddress.isCover(url) || url.hasPrefix("file:")
      guard includingPrivate || !isOurs else {
        leftOut += 1
        continue
      }
      var outline = FeedOutline(
        url: address(listedAs: url), title: podcast.title, website: podcast.link,
        folders: try await store.tags(of: podcast.id))
      // A password in the address says so itself.
      outline.isPrivate = PrivateAddress.isCover(url)
      outlines.append(outline)
    }
    let document = OPML.document(title: "podcli", feeds: outlines, created: now)
    return Export(document: document, feeds: outlines.count, leftOut: leftOut)
  }

  /// Reads the feeds of an OPML document.
  package static func feeds(in document: [UInt8]) throws(FollowError) -> [FeedOutline] {
    do throws(FeedError) {
      return try OPML.feeds(in: document)
    } catch {
      throw .feed(FeedFailure(error))
    }
  }

  /// The address with its secrets.
  func address(listedAs listed: String) -> String {
    guard let secret = secrets.secret(for: listed) else { return listed }
    var parts = WebURL(secret.address ?? listed)
    if let credentials = secret.credentials {
      let user = PercentCoding.encoded(credentials.user) + ":" + PercentCoding.encoded(credentials.password)
      parts.authority = user + "@" + (parts.authority ?? "")
    }
    return parts.description
  }
}
