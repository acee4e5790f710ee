internal import PodcastStore
internal import Text

/// The outcome of a sync with a server.
package struct ServerReport: Hashable, Sendable {
  /// Podcasts that were followed and left here, as the server has it.
  package var followed = 0
  package var left = 0
  /// Podcasts that the server was told of.
  package var subscriptionsSent = 0
  /// Episodes that changed here.
  package var received = 0
  package var sent = 0
  /// Reports whose episode is not in the library yet.
  package var waiting = 0
  /// The addresses of feeds on the server that cannot be fetched from here.
  package var unreachable: [String] = []
  /// Podcasts that stay here, because their addresses are secrets.
  package var hidden = 0
  /// Marks that this server cannot keep.
  package var untold = 0
  /// Reports and addresses that the server refuses.
  package var refused = 0
  /// Seconds by which the server's clock is ahead of this machine's, where they differ by more than an hour.
  package var clockOffset: Int64 = 0
  package var failures: [ServerError] = []

  package var hasChanges: Bool { followed + left + subscriptionsSent + received + sent + refused > 0 }
  package var isQuiet: Bool { !hasChanges && failures.isEmpty }
}

/// Lets a sync begin, or not.
package struct ServerSyncOptions: Hashable, Sendable {
  /// Applies removals even if they look like a mistake.
  package var isForced = false
  /// Asks for everything that the server has.
  package var isFull = false
  /// Follows a command of another kind: it asks for subscriptions seldom, and waits while the server wants a pause.
  package var isAutomatic = false

  package init() {}
}
