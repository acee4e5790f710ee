import Glibc
import PodcastModel
import PodcastStore

/// A directory of its own for each test, gone with it.
final class TemporaryLibrary: Sendable {
  let directory: String

  init(_ name: String = "podcli-store") {
    var template = Array("/tmp/\(name)-XXXXXX".utf8CString)
    directory = String(cString: mkdtemp(&template))
  }

  deinit {
    for name in Self.names(in: directory) { unlink(directory + "/" + name) }
    rmdir(directory)
  }

  var path: String { directory + "/library.db" }
  var files: [String] { Self.names(in: directory).sorted() }

  func open(_ access: PodcastStore.Access = .readWrite) throws(StoreError) -> PodcastStore {
    try PodcastStore(path: path, access: access)
  }

  private static func names(in directory: String) -> [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
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
