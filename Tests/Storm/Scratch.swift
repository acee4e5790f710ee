internal import Glibc
internal import PodcastModel
internal import TestSupport

/// A temporary directory with a library.
struct Scratch {
  private let home: TemporaryHome

  init() {
    do {
      home = try TemporaryHome()
    } catch {
      stop("\(error)")
    }
  }

  var directory: String { home.path }
  var library: String { directory + "/library.db" }

  func remove() { home.remove() }
}

extension Feed {
  /// One of many versions of a podcast's feed, which differ in titles and notes; later ones have more episodes.
  static func edition(_ edition: Int, of podcast: Int, episodes: Int) -> Feed {
    var feed = Feed()
    feed.title = "Podcast \(podcast)"
    feed.episodes = (0..<(episodes + edition)).map { number in
      var episode = FeedEpisode()
      episode.guid = "\(podcast)-\(number)"
      episode.title = number % 7 == edition % 7 ? "Episode \(number), edited \(edition)" : "Episode \(number)"
      episode.content = "<p>" + String(repeating: "words of edition \(edition) ", count: 20) + "</p>"
      episode.publishedAt = Timestamp(seconds: 1_700_000_000 + Int64(number) * 3600)
      episode.enclosure = Enclosure(url: "https://example.org/\(podcast)/\(number).mp3")
      return episode
    }
    return feed
  }

  static func address(of podcast: Int) -> String { "https://example.org/\(podcast)" }
}

func stop(_ message: String) -> Never {
  print(message)
  exit(1)
}
