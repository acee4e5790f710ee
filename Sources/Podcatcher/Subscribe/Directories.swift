internal import PodcastModel
internal import Text
internal import Transfer

/// The podcast directories that can be searched.
package enum DirectoryName: String, CaseIterable, Hashable, Sendable {
  case itunes, fyyd, podcastindex, gpodder
}

/// One podcast as a directory lists it.
package struct DirectoryEntry: Hashable, Sendable {
  package var title: String
  package var author: String?
  package var feedURL: String
  package var episodes: Int?
  package var website: String?
  package var directories: [DirectoryName]
}

/// The podcast directories: their addresses, their requests, and the parsing of their answers.
package struct Directories: Sendable {
  private let settings: Settings
  private let client: @Sendable () throws(TransferError) -> HTTPClient

  init(settings: Settings, client: @escaping @Sendable () throws(TransferError) -> HTTPClient) {
    self.settings = settings
    self.client = client
  }

  /// All of them, but the Podcast Index only with a key.
  package var usable: [DirectoryName] {
    DirectoryName.allCases.filter { $0 != .podcastindex || hasPodcastIndexKey }
  }

  private var hasPodcastIndexKey: Bool {
    !settings[SettingKeys.podcastIndexKey].isEmpty && !settings[SettingKeys.podcastIndexSecret].isEmpty
  }

  /// The podcasts that a directory finds, best first.
  private func search(_ words: String, in directory: DirectoryName) async throws(FollowError) -> [DirectoryEntry] {
    let answer = try await json(request(words, directory, now: .now))
    return Self.entries(answer, directory)
  }

  /// Searches several directories at once. The answers are in the order of `directories`.
  package func search(
    _ words: String, inAllOf directories: [DirectoryName]
  ) async -> [(DirectoryName, Result<[DirectoryEntry], FollowError>)] {
    await withTaskGroup(of: (Int, Result<[DirectoryEntry], FollowError>).self) { group in
      for (index, directory) in directories.enumerated() {
        group.addTask {
          do throws(FollowError) {
            return (index, .success(try await search(words, in: directory)))
          } catch {
            return (index, .failure(error))
          }
        }
      }
      var answers: [(Int, Result<[DirectoryEntry], FollowError>)] = []
      for await answer in group { answers.append(answer) }
      return answers.sorted { $0.0 < $1.0 }.map { (directories[$0.0], $0.1) }
    }
  }

  /// The feed of the podcast with this number in Apple's directory.
  func feedURL(appleNumber number: String) async throws(FollowError) -> String? {
    let request = HTTPRequest(url: "\(base(of: .itunes))/lookup?id=\(number)")
    return try await json(request)["results"]?.elements?.lazy.compactMap { $0["feedUrl"]?.text }.first
  }

  private func json(_ request: HTTPRequest) async throws(FollowError) -> JSON {
    var request = request
    request.limits.bytes = 4 << 20
    let answer: HTTPAnswer
    do throws(TransferError) {
      answer = try await client().fetch(request)
    } catch {
      throw .network(NetworkFailure(error))
    }
    guard answer.head.isSuccess else { throw .status(answer.head.status) }
    guard let json = JSON(parsing: answer.body) else {
      throw .network(NetworkFailure(.badAnswer, "the directory's answer makes no sense"))
    }
    return json
  }

  // MARK: Requests

  private func base(of directory: DirectoryName) -> String {
    let (key, standard) =
      switch directory {
      case .itunes: (SettingKeys.directoryITunes, "https://itunes.apple.com")
      case .fyyd: (SettingKeys.directoryFyyd, "https://api.fyyd.de")
      case .podcastindex: (SettingKeys.directoryPodcastIndex, "https://api.podcastindex.org")
      case .gpodder: (SettingKeys.directoryGPodder, "https://gpodder.net")
      }
    let own = settings[key]
    return own.isEmpty ? standard : own
  }

  private func request(_ words: String, _ directory: DirectoryName, now: Timestamp) -> HTTPRequest {
    let query = PercentCoding.encoded(words)
    let base = base(of: directory)
    switch directory {
    case .itunes:
      return HTTPRequest(url: "\(base)/search?media=podcast&entity=podcast&limit=50&term=\(query)")
    case .fyyd:
      return HTTPRequest(url: "\(base)/0.2/search/podcast?title=\(query)&count=50")
    case .gpodder:
      return HTTPRequest(url: "\(base)/search.json?q=\(query)")
    case .podcastindex:
      var request = HTTPRequest(url: "\(base)/api/1.0/search/byterm?q=\(query)")
      request.followsRedirects = false
      let key = settings[SettingKeys.podcastIndexKey]
      let date = String(now.seconds)
      request.headers = [
        .init("X-Auth-Key", key), .init("X-Auth-Date", date),
        .init("Authorization", SHA1.hex(key + settings[SettingKeys.podcastIndexSecret] + date)),
      ]
      return request
    }
  }

  // MARK: Answers

  static func entries(_ answer: JSON, _ directory: DirectoryName) -> [DirectoryEntry] {
    let list: [JSON]?
    let names: (title: String, author: String, feed: String, episodes: String, website: String)
    switch directory {
    case .itunes:
      list = answer["results"]?.elements
      names = ("collectionName", "artistName", "feedUrl", "trackCount", "collectionViewUrl")
    case .fyyd:
      list = answer["data"]?.elements
      names = ("title", "author", "xmlURL", "episode_count", "htmlURL")
    case .podcastindex:
      list = answer["feeds"]?.elements
      names = ("title", "author", "url", "episodeCount", "link")
    case .gpodder:
      list = answer.elements
      names = ("title", "author", "url", "episode_count", "website")
    }
    return (list ?? []).compactMap { item in
      guard let feed = item[names.feed]?.text, WebURL(feed).isHTTP else { return nil }
      return DirectoryEntry(
        title: item[names.title]?.text ?? feed, author: item[names.author]?.text, feedURL: feed,
        episodes: item[names.episodes]?.int.flatMap { Int(exactly: $0) }, website: item[names.website]?.text,
        directories: [directory])
    }
  }

  // MARK: Merging

  /// One entry for each feed. Feeds that more directories list, and that rank higher in them, go first.
  package static func merged(_ answers: [[DirectoryEntry]]) -> [DirectoryEntry] {
    var entries: [String: (entry: DirectoryEntry, score: Double)] = [:]
    var order: [String] = []
    for (rank, entry) in answers.flatMap({ Array($0.enumerated()) }) {
      let key = sameFeed(entry.feedURL)
      let score = 1 / Double(rank + 5)
      if var known = entries[key] {
        known.score += score
        known.entry.directories += entry.directories.filter { !known.entry.directories.contains($0) }
        known.entry.author = known.entry.author ?? entry.author
        known.entry.episodes = known.entry.episodes ?? entry.episodes
        if entry.feedURL.hasPrefix("https:") { known.entry.feedURL = entry.feedURL }
        entries[key] = known
      } else {
        entries[key] = (entry, score)
        order.append(key)
      }
    }
    let ranked = order.enumerated().compactMap { index, key in entries[key].map { (index, $0) } }
    return ranked.sorted { ($0.1.score, -$0.0) > ($1.1.score, -$1.0) }.map(\.1.entry)
  }

  /// Directories differ in the scheme and the last slash.
  private static func sameFeed(_ address: String) -> String {
    var parts = WebURL(address)
    parts.scheme = nil
    parts.authority = parts.authority?.lowercased()
    parts.fragment = nil
    if parts.path.hasSuffix("/") { parts.path.removeLast() }
    return parts.description
  }
}
