import PodcastModel
import PodcastStore
import TestSupport
import Testing

/// Any sequence of actions by the user and publishers leaves a library sound, and loses nothing.
struct PropertyTests {
  /// The state that the library should have.
  private struct Belief {
    var played: Set<EpisodeID> = []
    var positions: [EpisodeID: Duration] = [:]
    var current: EpisodeID?
    var everSeen: Set<EpisodeID> = []
    var forgotten: Set<EpisodeID> = []
  }

  private let library = TemporaryLibrary()
  private let urls = (0..<4).map { "https://example.org/feed\($0)" }

  @Test(arguments: 1...12) func `invariants hold after any sequence of actions`(seed: Int) async throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var store = try library.open()
    var belief = Belief()
    for step in 0..<60 {
      try await act(on: store, &belief, &random)
      if step % 20 == 19 {
        await store.close()
        store = try library.open()
      }
      if step % 7 == 6 { try await store.indexForSearch() }
      try await check(store, belief)
    }
    try await store.indexForSearch()
    #expect(try await store.problems(.full) == [])
  }

  private func act(
    on store: PodcastStore, _ belief: inout Belief, _ random: inout SeededGenerator
  ) async throws {
    let url = try #require(urls.randomElement(using: &random))
    let listed = try await store.playlist()
    let episode = listed.randomElement(using: &random)?.episode.id
    switch Int.random(in: 0..<11, using: &random) {
    case 0, 1, 2:
      let result = try await store.subscribe(to: feed(&random), at: url)
      #expect(belief.everSeen.isDisjoint(with: result.added), "an id was used twice")
      belief.everSeen.formUnion(result.added)
    case 3:
      if let podcast = try await store.podcasts().randomElement(using: &random) {
        try await store.unsubscribe(podcast.id)
      }
    case 4:
      guard Bool.random(using: &random), let podcast = try await store.podcasts().randomElement(using: &random)
      else { return }
      try await forget(podcast.id, store, &belief)
    case 5, 6:
      guard let episode else { return }
      try await store.startPlaying(episode)
      belief.current = episode
      let position = Duration.seconds(Int.random(in: 1...5000, using: &random))
      try await store.savePosition(position, of: episode, urgency: .tick)
      belief.positions[episode] = position
    case 7:
      guard let episode else { return }
      try await store.markCompleted(episode)
      belief.played.insert(episode)
      belief.positions[episode] = nil
      if belief.current == episode { belief.current = nil }
    case 8:
      guard let episode else { return }
      try await store.mark(.unplayed, [episode])
      belief.played.remove(episode)
      belief.positions[episode] = nil
      if belief.current == episode { belief.current = nil }
    case 9:
      let slots: [QueueSlot] = [.end, .next, .number(2)]
      try await store.enqueue(
        Array(listed.map(\.episode.id).shuffled(using: &random).prefix(3)),
        at: slots.randomElement(using: &random) ?? .end)
    default:
      if let first = try await store.queue().randomElement(using: &random) {
        try await store.removeFromQueue([first.episode.id])
      }
    }
  }

  private func forget(_ podcast: PodcastID, _ store: PodcastStore, _ belief: inout Belief) async throws {
    let ids = try await store.episodes(of: podcast).map(\.episode.id)
    try await store.unsubscribe(podcast, deleting: true)
    belief.forgotten.formUnion(ids)
    belief.played.subtract(ids)
    for id in ids { belief.positions[id] = nil }
    if let current = belief.current, ids.contains(current) { belief.current = nil }
  }

  /// A window of some episodes, some of them edited, in either order.
  private func feed(_ random: inout SeededGenerator) -> Feed {
    var feed = Feed.sample(episodes: Int.random(in: 0...12, using: &random))
    feed.episodes.removeFirst(Int.random(in: 0...feed.episodes.count, using: &random))
    for index in feed.episodes.indices where Int.random(in: 0..<4, using: &random) == 0 {
      feed.episodes[index].title = "Edited \(Int.random(in: 0..<1000, using: &random))"
    }
    if Bool.random(using: &random) { feed.episodes.reverse() }
    return feed
  }

  private func check(_ store: PodcastStore, _ belief: Belief) async throws {
    #expect(try await store.current()?.episode.id == belief.current)
    for id in belief.everSeen.subtracting(belief.forgotten) {
      let entry = try #require(try await store.episode(id))
      #expect(entry.status.hasCompleted == belief.played.contains(id))
      #expect(entry.status.lastListenTime == belief.positions[id])
    }
    for id in belief.forgotten { #expect(try await store.episode(id) == nil) }
  }
}
