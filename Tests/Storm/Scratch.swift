internal import Glibc
internal import PodcastModel

/// A directory of this run's own.
struct Scratch {
  let directory: String

  init() {
    var template = Array("/tmp/podcli-storm-XXXXXX".utf8CString)
    directory = mkdtemp(&template).map { String(cString: $0) } ?? "."
  }

  var library: String { directory + "/library.db" }

  func remove() {
    for name in names { unlink(directory + "/" + name) }
    rmdir(directory)
  }

  private var names: [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
        })
    }
    return names
  }
}

/// Numbers that are the same in every run.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

extension Feed {
  /// Of each podcast there are many editions, in which titles and notes differ and episodes are added.
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
