internal import PodcastModel
internal import PodcastStore
internal import TestSupport

/// Feeds with realistic texts: a few words make up most of them, and many words are rare.
struct LibraryGenerator {
  private var random: SeededGenerator
  private let newest: Int64 = 1_760_000_000

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func feed(_ number: Int, episodes: Int) -> Feed {
    var feed = Feed()
    feed.title = "\(capitalised(word())) \(word()) \(number)"
    feed.author = "\(capitalised(word())) \(capitalised(word()))"
    feed.description = text(words: 40)
    feed.link = "https://podcast\(number).example/"
    feed.image = "https://podcast\(number).example/cover.jpg"
    feed.language = "en"
    let offset = Int64.random(in: 0..<86_400, using: &random)
    feed.episodes = (0..<episodes).map { age in
      episode(episodes - age, of: number, at: newest - offset - Int64(age) * 86_400 * 7000 / Int64(max(1000, episodes)))
    }
    return feed
  }

  private mutating func episode(_ number: Int, of podcast: Int, at seconds: Int64) -> FeedEpisode {
    var episode = FeedEpisode()
    episode.guid = "podcast\(podcast)-episode-\(number)"
    episode.title = "\(number): \(capitalised(text(words: Int.random(in: 3...8, using: &random))))"
    episode.link = "https://podcast\(podcast).example/episodes/\(number)"
    episode.content =
      "<p>\(text(words: Int.random(in: 30...160, using: &random)))</p><p>More at <a href=\"https://podcast\(podcast).example/\">\(word())</a></p>"
    episode.publishedAt = Timestamp(seconds: seconds)
    episode.duration = Double(Int.random(in: 300...7200, using: &random))
    episode.enclosure = Enclosure(
      url: "https://media.example/podcast\(podcast)/\(number).mp3", type: "audio/mpeg",
      length: Int64.random(in: 5_000_000...90_000_000, using: &random))
    episode.episode = Double(number)
    return episode
  }

  /// The first word of the list is in almost every text, the last in hardly any.
  private mutating func word() -> String {
    let share = Double.random(in: 0..<1, using: &random)
    let rank = Int(20_000 * share * share * share * share)
    return Self.words[rank]
  }

  mutating func text(words count: Int) -> String {
    var text = word()
    for _ in 1..<max(2, count) { text += " " + word() }
    return text
  }

  private func capitalised(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

  static let words: [String] = {
    var generator = SeededGenerator(seed: 1)
    let syllables = [
      "ba", "con", "de", "fer", "gi", "ha", "in", "jo", "ka", "lo", "mi", "na", "or", "pe", "qui", "ra", "so", "ta",
      "un",
      "ve", "wi", "xe", "yo", "za", "the", "ing", "ter", "ment", "al", "ness",
    ]
    return (0..<20_000).map { rank in
      let length = rank < 100 ? 1...2 : 2...4
      return (0..<Int.random(in: length, using: &generator))
        .map { _ in syllables[Int.random(in: 0..<syllables.count, using: &generator)] }.joined()
    }
  }()
}

/// `LIBRARY PODCASTS EPISODES [SEED]`; `isIndexed` false leaves it as an import does. The covers of `hasCovers` are nowhere.
func makeLibrary(_ arguments: [String], isIndexed: Bool = true, hasCovers: Bool = true) async throws {
  guard arguments.count >= 3, let podcasts = Int(arguments[1]), let episodes = Int(arguments[2]) else { return }
  var generator = LibraryGenerator(seed: arguments.count > 3 ? UInt64(arguments[3]) ?? 1 : 1)
  let store = try PodcastStore(path: arguments[0])
  let clock = ContinuousClock()
  var merging = Duration.zero
  for number in 1...podcasts {
    var feed = generator.feed(number, episodes: episodes)
    if !hasCovers { feed.image = nil }
    merging += try await clock.measure {
      _ = try await store.subscribe(to: feed, at: "https://podcast\(number).example/feed.xml")
    }
  }
  let indexing = try await clock.measure { if isIndexed { try await store.indexForSearch() } }
  try await listen(store)
  await store.close()
  print("merged in \(merging), indexed in \(indexing)")
}

/// Begins some of the newest episodes, completes others, and makes one the current one.
private func listen(_ store: PodcastStore) async throws {
  for (index, entry) in try await store.playlist(limit: 300).enumerated() {
    let id = entry.episode.id
    if index % 3 == 0 {
      try await store.markCompleted(id)
    } else {
      try await store.savePosition(.seconds(60 + index), of: id, urgency: .tick)
    }
  }
  if let oldest = try await store.resumable().last { try await store.startPlaying(oldest.episode.id) }
}
