import PodcastModel
import Testing

@testable import PodcastStore

struct SearchTests {
  private let library = TemporaryLibrary()

  private func filled() async throws -> (store: PodcastStore, ids: [EpisodeID]) {
    let store = try library.open()
    var feed = Feed.sample(episodes: 4)
    feed.episodes[0].title = "Über Bienen"
    feed.episodes[1].content = "<p>Ein Gespräch &uuml;ber <b>Honig</b> und Bienen</p>"
    feed.episodes[2].inlineChapters = [Chapter(start: 0, title: "Anfang"), Chapter(start: 62.5, title: "Der Imker")]
    let ids = try await store.subscribe(to: feed, at: "https://example.org/feed").added
    try await store.setTranscript(
      [
        TranscriptSegment(start: 1, text: "Guten Tag"), TranscriptSegment(start: 9.5, text: "wir reden über Wachs"),
      ], of: ids[3])
    return (store, ids)
  }

  @Test func `the index is kept in few parts, though no single write joins many of them`() async throws {
    let store = try library.open()
    let podcast = try await store.subscribe(to: .sample(episodes: 600), at: "https://example.org/long").podcast
    try await store.indexForSearch()
    let connection = try Connection(path: library.path, mode: .readWrite)
    #expect(try connection.integer("SELECT v FROM search_config WHERE k = 'automerge'") == 0)
    #expect(try #require(try connection.integer("SELECT count(DISTINCT segid) FROM search_idx")) < 32)
    #expect(try await store.search("topic599").count == 1)
    try await store.unsubscribe(podcast, deleting: true)
    #expect(try #require(try connection.integer("SELECT count(DISTINCT segid) FROM search_idx")) < 32)
    #expect(try await store.problems(.full) == [])
  }

  @Test func `a title comes before notes`() async throws {
    let (store, ids) = try await filled()
    let hits = try await store.search("bienen")
    #expect(hits.map(\.entry.episode.id) == [ids[0], ids[1]])
    #expect(hits.map(\.field) == [.title, .notes])
  }

  @Test func `marks and case make no difference, markup is not found`() async throws {
    let (store, ids) = try await filled()
    #expect(try await store.search("UBER honig").map(\.entry.episode.id) == [ids[1]])
    #expect(try await store.search("uuml").isEmpty)
  }

  @Test func `a hit says where it is and when it is said`() async throws {
    let (store, ids) = try await filled()
    let chapter = try #require(try await store.search("imker").first)
    #expect(chapter.entry.episode.id == ids[2] && chapter.field == .chapters && chapter.time == .milliseconds(62_500))
    let said = try #require(try await store.search("wachs").first)
    #expect(said.field == .transcript && said.time == .milliseconds(9500))
    let bytes = Array(said.snippet.utf8)
    #expect(said.matches.map { String(decoding: bytes[$0], as: UTF8.self) } == ["Wachs"])
  }

  @Test func `a beginning finds when nothing else does, or when asked for`() async throws {
    let (store, ids) = try await filled()
    #expect(try await store.search("imk").map(\.entry.episode.id) == [ids[2]])
    #expect(try await store.search("im*").map(\.entry.episode.id) == [ids[2]])
  }

  @Test func `fields and podcasts narrow it`() async throws {
    let (store, ids) = try await filled()
    let other = try await store.subscribe(to: .sample(episodes: 2), at: "https://example.org/other")
    #expect(try await store.search("bienen", in: [.notes]).map(\.entry.episode.id) == [ids[1]])
    #expect(try await store.search("bienen", of: other.podcast).isEmpty)
    #expect(try await store.search("episode", of: other.podcast).count == 2)
  }

  @Test(arguments: ["", "\"", "*", "-", "a OR", "NEAR(", "{title}:", "\u{0}", "col:x"])
  func `no words are too strange`(words: String) async throws {
    let (store, _) = try await filled()
    _ = try await store.search(words)
  }

  @Test func `a broken index is made anew`() async throws {
    let (store, ids) = try await filled()
    try await store.indexForSearch()
    try await store.breakIndex()
    #expect(try await store.search("honig").map(\.entry.episode.id) == [ids[1]])
    #expect(try await store.problems(.full) == [])
  }

  @Test func `what changed is found anew, what was forgotten no more`() async throws {
    let (store, _) = try await filled()
    #expect(try await store.search("topic0").isEmpty == false)
    var feed = Feed.sample(episodes: 4)
    feed.episodes[3].description = "Something else"
    let result = try await store.subscribe(to: feed, at: "https://example.org/feed")
    #expect(try await store.search("topic0").isEmpty)
    #expect(try await store.search("something").count == 1)
    try await store.unsubscribe(result.podcast, deleting: true)
    #expect(try await store.search("something").isEmpty)
  }
}

extension PodcastStore {
  fileprivate func breakIndex() throws(StoreError) {
    try connection.executeScript("UPDATE search_data SET block = x'ff00ff00ff00' WHERE id > 100")
  }
}
