import PodcastModel
import Podcatcher
import Text

/// The JSON of a podcast, the same in every answer.
enum PodcastJSON {
  static func document(_ podcast: PodcastEntry) -> JSON {
    [
      "id": JSON(podcast.id.rawValue), "title": JSON(podcast.title), "feedURL": JSON(shownAddress(podcast)),
      "author": JSON(podcast.author), "link": JSON(podcast.link.map(SafeAddress.withoutUser)),
      "image": JSON(podcast.image.map(SafeAddress.withoutUser)),
      "subscribed": JSON(podcast.isSubscribed), "private": JSON(podcast.isPrivate),
      "subscribedAt": JSON(podcast.subscribedAt), "episodes": JSON(podcast.episodeCount),
      "unplayed": JSON(podcast.unplayedCount), "downloaded": JSON(podcast.downloadedCount),
      "newestAt": JSON(podcast.newestAt), "refreshedAt": JSON(podcast.lastRefreshedAt),
      "error": JSON(podcast.refreshError), "gone": podcast.isGone ? true : nil,
    ]
  }

  private static func shownAddress(_ podcast: PodcastEntry) -> String {
    SafeAddress.shown(podcast.reference.feedURL)
  }
}
