import PodcastModel
import Testing

@testable import FeedKit

/// A field that the element table, the composition or the fixtures forget fails here.
@Suite struct FeedCompositionTests {
  private static let feeds = FeedFixtureTests.names.compactMap { name in
    try? FeedParser.feed(from: Fixtures.bytes("Feeds/\(name).xml"), chunk: 4096)
  }
  private static let episodes = feeds.flatMap(\.episodes)

  /// The stored properties that none of the values has set.
  private func unset<Value>(in values: [Value], beside empty: Value) -> Set<String> {
    func fields(_ value: Value) -> [String: String] {
      Dictionary(uniqueKeysWithValues: Mirror(reflecting: value).children.map { ($0.label ?? "", "\($0.value)") })
    }
    var unset = fields(empty)
    for value in values {
      let filled = fields(value)
      unset = unset.filter { filled[$0.key] == $0.value }
    }
    return Set(unset.keys)
  }

  @Test func `every field of a feed is filled by a fixture`() {
    #expect(unset(in: Self.feeds, beside: Feed()).isEmpty)
  }

  @Test func `every field of an episode is filled by a fixture`() {
    #expect(unset(in: Self.episodes, beside: FeedEpisode()).isEmpty)
    #expect(unset(in: Self.episodes.map(\.rareFields), beside: FeedEpisode.RareFields()).isEmpty)
    for name in EpisodeTexts.Name.allCases {
      #expect(Self.episodes.contains { $0.texts.has(name) }, "\(name)")
    }
  }

  /// The feed and the episode that are composed of these texts.
  private func composed(_ texts: [Slot: String]) -> (Feed, FeedEpisode) {
    let draft = Draft()
    for (slot, text) in texts { draft.slots.put(text, in: slot) }
    var feed = Feed()
    feed.fill(from: draft)
    var rareFields = FeedEpisode.RareFields()
    rareFields.fill(from: draft)
    var episode = FeedEpisode()
    episode.fill(from: draft.slots, textsIn: TextArena())
    episode.take(&rareFields)
    return (feed, episode)
  }

  @Test(arguments: Slot.allCases)
  func `every slot fills a field`(slot: Slot) {
    // An update frequency needs a period.
    let others: [Slot: String] = slot == .updateFrequency ? [.updatePeriod: "daily"] : [:]
    let before = composed(others)
    let isRead = ["https://example.org/", "yes", "12", "daily", "Mon, 01 Jan 2024 10:00:00 +0000"].contains { text in
      composed(others.merging([slot: text]) { $1 }) != before
    }
    #expect(isRead)
  }
}
