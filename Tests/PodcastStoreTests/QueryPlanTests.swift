import PodcastModel
import Testing

@testable import PodcastStore

/// No list may slow down as the library grows: none walks over all episodes, none sorts them.
struct QueryPlanTests {
  private let library = TemporaryLibrary()

  private func plans(of store: PodcastStore) async throws -> [(text: String, steps: [String])] {
    try await store.queryPlans()
  }

  @Test func `no question walks over the library`() async throws {
    let store = try library.open()
    let podcast = try await store.subscribe(to: .sample(), at: "https://example.org/1", tags: ["news"]).podcast
    let entry = try #require(try await store.playlist(limit: 1).first)
    let id = entry.episode.id
    let cursor = EpisodeCursor(after: entry)
    _ = try await store.playlist(limit: 50, after: cursor)
    _ = try await store.episodes(of: podcast, limit: 50, after: cursor)
    _ = try await store.episode(1, of: podcast)
    _ = try await store.unplayed(.oldest, of: podcast)
    _ = try await store.unplayed(.newest, of: podcast)
    _ = try await store.next(after: id)
    _ = try await store.episodes(withGUID: "g")
    _ = try await store.episodes(withEnclosure: "https://e")
    _ = try await store.episodes(titled: "word")
    _ = try await store.episodes(titled: "word", of: podcast)
    _ = try await store.current()
    _ = try await store.resumable()
    _ = try await store.lastPlayed()
    _ = try await store.queue()
    _ = try await store.history()
    _ = try await store.statistics()
    _ = try await store.search("episode")
    _ = try await store.search("episode", of: podcast)
    _ = try await store.downloads()
    _ = try await store.mediaRecords(.pending)
    _ = try await store.spareStreams()
    _ = try await store.details(of: id)
    _ = try await store.details(of: podcast)
    _ = try await store.bookmarks()
    for words in Self.filters {
      let filter = try EpisodeFilter(words: words)
      _ = try await store.episodes(matching: filter, limit: 50)
      _ = try await store.episodes(matching: filter, limit: 50, after: cursor)
      _ = try await store.episodes(matching: filter, of: podcast, limit: 50)
    }
    for plan in try await plans(of: store) {
      for step in plan.steps {
        #expect(!step.hasPrefix("SCAN e") || step.contains("USING INDEX playlist"), "\(step) in \(plan.text)")
        #expect(step != "SCAN s" && step != "SCAN m", "\(step) in \(plan.text)")
      }
      if plan.text.contains("INDEXED BY playlist") || plan.text.contains("INDEXED BY episodes_of_podcast") {
        let sorts = plan.steps.contains { $0.contains("TEMP B-TREE") }
        #expect(!sorts || plan.text.contains(" IN ("), "\(plan.steps) in \(plan.text)")
      }
    }
  }

  private static let filters: [[String]] = [
    ["unplayed"], ["played"], ["new"], ["inprogress"], ["downloaded"], ["favourite"], ["has:chapters"],
    ["has:transcript"], ["minutes<20"], ["age<7d"], ["season:2"], ["podcast:late"], ["tag:news"], ["text:word"],
    ["unplayed", "podcast:late"], ["unplayed", "minutes<20"], ["sort:date"],
  ]
}

extension PodcastStore {
  fileprivate func queryPlans() throws(StoreError) -> [(text: String, steps: [String])] {
    try connection.queryPlans()
  }
}
