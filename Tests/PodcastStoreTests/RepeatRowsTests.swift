import PodcastModel
import Testing

@testable import PodcastStore

@Suite struct RepeatRowsTests {
  private let library = TemporaryLibrary()
  private let stretches = [
    Repeat(.seconds(30)..<(.seconds(65)), .intro, count: 2, of: 2),
    Repeat(.seconds(900)..<(.seconds(930)), .inserted, count: 1, of: 2),
  ]

  private func print(_ id: Int64, file: String = "10-a") -> SoundPrintRecord {
    SoundPrintRecord(episode: EpisodeID(rawValue: id), file: file, data: [1, UInt8(id)])
  }

  private func store() async throws -> PodcastStore {
    let store = try library.open()
    _ = try await store.subscribe(to: .sample(), at: "https://example.org/feed")
    for id in 1...3 as ClosedRange<Int64> { try await store.save(print(id)) }
    return store
  }

  @Test func `what repeats is read as it was saved, and replaces what was found before`() async throws {
    let store = try await store()
    let id = EpisodeID(rawValue: 2)
    #expect(try await store.repeats(of: id) == RepeatRecord(file: "10-a", compared: nil, repeats: []))
    try await store.save(stretches.reversed(), comparedWith: 2, in: print(2))
    #expect(try await store.repeats(of: id) == RepeatRecord(file: "10-a", compared: 2, repeats: stretches))
    try await store.save([], comparedWith: 1, in: print(2))
    #expect(try await store.repeats(of: id) == RepeatRecord(file: "10-a", compared: 1, repeats: []))
    #expect(try await store.repeats(of: EpisodeID(rawValue: 99)) == nil)
  }

  @Test func `it goes with the print: of a file that is replaced, or leaves`() async throws {
    let store = try await store()
    for id in 1...2 as ClosedRange<Int64> { try await store.save(stretches, comparedWith: 2, in: print(id)) }
    try await store.save(print(1, file: "20-b"))
    #expect(
      try await store.repeats(of: EpisodeID(rawValue: 1)) == RepeatRecord(file: "20-b", compared: nil, repeats: []))
    // A search that began with the file from before comes too late.
    try await store.save(stretches, comparedWith: 2, in: print(1))
    #expect(try await store.repeats(of: EpisodeID(rawValue: 1))?.compared == nil)
    try await store.removeMedia(of: EpisodeID(rawValue: 2))
    #expect(try await store.repeats(of: EpisodeID(rawValue: 2)) == nil)
    #expect(try await store.problems(.full) == [])
  }

  @Test func `the prints of the nearest episodes are those to compare with`() async throws {
    let store = try await store()
    let newest = try await store.playlist().map(\.episode.id)
    let podcast = try await store.podcasts()[0].id
    #expect(try await store.measuredEpisodes(of: podcast, limit: 2) == Array(newest.prefix(2)))
    #expect(try await store.soundPrints(near: newest[0], limit: 5).map(\.episode) == Array(newest.dropFirst()))
    #expect(try await store.soundPrints(near: newest[2], limit: 1).map(\.episode) == [newest[1]])
    #expect(try await store.soundPrints(near: EpisodeID(rawValue: 99), limit: 1).isEmpty)
  }
}
