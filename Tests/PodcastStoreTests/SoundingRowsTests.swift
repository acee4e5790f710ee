import PodcastModel
import Testing

@testable import PodcastStore

@Suite struct SoundingRowsTests {
  private let library = TemporaryLibrary()

  private func record(_ id: Int64, _ loudness: Double?, isComplete: Bool = true) -> SoundingRecord {
    SoundingRecord(
      episode: EpisodeID(rawValue: id), file: "10-a", format: 1, isComplete: isComplete,
      measuredAt: Timestamp(seconds: 100), loudness: loudness, peak: -1.5, hasEqualChannels: isComplete ? true : nil,
      data: [0, 255, 7])
  }

  private func store() async throws -> PodcastStore {
    let store = try library.open()
    _ = try await store.subscribe(to: .sample(), at: "https://example.org/feed")
    return store
  }

  @Test func `a measurement is read as it was saved, and replaces the one before`() async throws {
    let store = try await store()
    #expect(try await store.sounding(of: EpisodeID(rawValue: 1)) == nil)
    try await store.save(record(1, nil, isComplete: false))
    try await store.save(record(1, -18.25))
    #expect(try await store.sounding(of: EpisodeID(rawValue: 1)) == record(1, -18.25))
  }

  @Test func `a media file takes its map with it, and a draft; the loudness stays for the podcast`() async throws {
    let store = try await store()
    try await store.save(record(1, -18.25))
    try await store.save(record(2, nil, isComplete: false))
    try await store.removeMedia(of: EpisodeID(rawValue: 1))
    try await store.removeMedia(of: EpisodeID(rawValue: 2))
    let left = try #require(try await store.sounding(of: EpisodeID(rawValue: 1)))
    #expect(left.data == nil && left.loudness == -18.25)
    #expect(try await store.sounding(of: EpisodeID(rawValue: 2)) == nil)
  }

  @Test func `the loudness of a podcast is that of its newest measured episodes`() async throws {
    let store = try await store()
    let newest = try await store.playlist()
    for (index, entry) in newest.enumerated() {
      try await store.save(record(entry.episode.id.rawValue, index == 1 ? nil : -16 - Double(index)))
    }
    let podcast = newest[0].podcast.id
    #expect(try await store.loudness(of: podcast) == [-16, -18])
    #expect(try await store.loudness(of: podcast, limit: 1) == [-16])
    #expect(try await store.loudness(of: PodcastID(rawValue: 99)) == [])
  }
}
