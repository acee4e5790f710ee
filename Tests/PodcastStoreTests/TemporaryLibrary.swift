import CSQLite
import Glibc
import PodcastModel
import TestSupport

@testable import PodcastStore

/// A library of its own for each test, gone with it.
struct TemporaryLibrary: Sendable {
  private let home: TemporaryHome
  let directory: String

  /// `folder`: where in the home it lies, for tests that care.
  init(in folder: String = "library") {
    do {
      home = try TemporaryHome()
    } catch {
      preconditionFailure("\(error)")
    }
    directory = home.path + "/" + folder
    mkdir(directory, 0o700)
  }

  var path: String { directory + "/library.db" }
  var files: [String] { names(in: directory).sorted() }

  func open(_ access: StoreAccess = .readWrite) throws(StoreError) -> PodcastStore {
    try PodcastStore(path: path, access: access)
  }
}

extension Feed {
  /// A feed with these episodes, newest first, a day apart.
  static func sample(_ title: String = "Late Night Linux", episodes count: Int = 3) -> Feed {
    var feed = Feed()
    feed.title = title
    feed.episodes = (0..<count).reversed().map { FeedEpisode.sample($0) }
    return feed
  }
}

extension FeedEpisode {
  static func sample(_ number: Int) -> FeedEpisode {
    var episode = FeedEpisode()
    episode.guid = "guid-\(number)"
    episode.title = "Episode \(number)"
    episode.description = "<p>All about topic\(number) &amp; more</p>"
    episode.publishedAt = Timestamp(seconds: 1_700_000_000 + Int64(number) * 86_400)
    episode.duration = 1800 + Double(number)
    episode.enclosure = Enclosure(
      url: "https://example.org/\(number).mp3", type: "audio/mpeg", length: 10_000_000 + Int64(number))
    return episode
  }
}

extension Connection {
  /// How often a page was asked for, whether it was in the cache or not.
  var pagesAskedFor: Int {
    [SQLITE_DBSTATUS_CACHE_HIT, SQLITE_DBSTATUS_CACHE_MISS].reduce(0) { sum, kind in
      var (current, highest) = (Int32(0), Int32(0))
      sqlite3_db_status(handle, kind, &current, &highest, 0)
      return sum + Int(current)
    }
  }
}
