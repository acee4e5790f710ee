package import PodcastStore

/// Why a feed cannot be fetched, read or stored.
package enum FollowError: Error, Sendable {
  case network(NetworkFailure)
  /// An answer with another status than 200.
  case status(Int)
  /// Status 401 or 403 to a request with user and password.
  case credentialsRefused
  case feed(FeedFailure)
  /// A file on this machine, and why it cannot be read.
  case file(String, String)
  case notAnAddress(String)
  /// A list names a file, a path or something else that is no web address.
  case notForLists(String)
  /// The address of the feed is a secret that is not on this machine.
  case secretMissing
  /// Apple's directory names no feed for this link.
  case notInDirectory(String)
  /// The file for secrets cannot be read or written.
  case secretsNotKept
  /// The address of a podcast leads to another one by now, with this title.
  case otherPodcast(String)
  /// The new address of a podcast is another one's, of this title and number.
  case takenAddress(String, Int64)
  case store(StoreError)
}

extension FollowError {
  /// Trying again may help.
  var mayPass: Bool {
    switch self {
    case .network: true
    case .status(let status): status >= 500 || status == 429 || status == 408
    default: false
    }
  }

  /// The publisher says that the feed is no more.
  package var isGone: Bool {
    if case .status(410) = self { true } else { false }
  }
}
