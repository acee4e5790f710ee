package import PodcastModel
package import PodcastStore

/// Why words stand for no episode or podcast, or for several.
package enum SelectionError: Error, Sendable {
  /// With all titles, for "did you mean".
  case nothing(String, titles: [String])
  case severalEpisodes(String, [EpisodeEntry])
  case severalPodcasts(String, [PodcastEntry])
  /// Every episode of the podcast was played.
  case allPlayed(PodcastEntry)
  case nothingPlayed
  case store(StoreError)
}
