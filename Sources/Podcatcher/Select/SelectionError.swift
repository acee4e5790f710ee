package import PodcastModel
package import PodcastStore

/// Why words stand for no episode or podcast, or for several.
package enum SelectionError: Error, Sendable {
  /// With all titles, for "did you mean".
  case nothing(String, titles: [String])
  /// The same for words that can only name a podcast.
  case noPodcast(String, titles: [String])
  /// `30@` or `@41:07`: an episode without its position, or the reverse.
  case halfPosition(String)
  case severalEpisodes(String, [EpisodeEntry])
  case severalPodcasts(String, [PodcastEntry])
  /// Every episode of the podcast was played.
  case allPlayed(PodcastEntry)
  case nothingPlayed
  /// Episodes were played, and all of them to their end.
  case nothingBegun
  case store(StoreError)
}
