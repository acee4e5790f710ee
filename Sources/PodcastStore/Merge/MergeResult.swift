package import PodcastModel

/// The result of merging a feed.
package struct MergeResult: Hashable, Sendable {
  /// The podcast of the feed.
  package var podcast: PodcastID
  /// Its title after the merge.
  package var title: String
  /// The podcast was not followed before.
  package var isNew: Bool
  /// The podcast was unsubscribed once; the statuses of its episodes are back.
  package var isReturning = false
  /// The new episodes, in the order of the feed.
  package var added: [EpisodeID] = []
  /// The number of changed episodes.
  package var updated = 0
  /// The number of unchanged episodes.
  package var unchanged = 0
  /// The number of episodes that share their guid with another one of the feed.
  package var twins = 0
}

extension MergeResult {
  /// The result for a podcast whose feed was not asked.
  package init(unasked podcast: PodcastEntry) {
    self.init(podcast: podcast.id, title: podcast.title, isNew: false)
  }

  /// With the new and changed episodes of another document of the same podcast, merged afterwards.
  package func adding(_ later: MergeResult) -> MergeResult {
    var result = self
    result.title = later.title
    result.added += later.added
    result.updated += later.updated
    return result
  }
}
