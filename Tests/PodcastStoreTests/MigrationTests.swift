import Glibc
import PodcastModel
import Testing

@testable import PodcastStore

struct MigrationTests {
  private let library = TemporaryLibrary()

  private var twoSteps: [Migration] {
    Migration.all + [
      Migration(name: "a column", script: "ALTER TABLE podcasts ADD COLUMN mood TEXT"),
      Migration(name: "a value", script: "UPDATE podcasts SET mood = 'good'"),
    ]
  }

  private func migrated(with steps: [Migration]) throws(StoreError) -> Connection {
    try LibraryFile(path: library.path, migrations: steps).open(.readWrite)
  }

  @Test func `steps are made in order, once, and recorded; a copy from before is kept`() async throws {
    let store = try library.open()
    _ = try await store.subscribe(to: .sample(), at: "https://example.org/feed")
    await store.close()
    for _ in 1...2 {
      let connection = try migrated(with: twoSteps)
      #expect(try connection.rows("SELECT mood FROM podcasts") { $0.text(0) } == ["good"])
      let names = try connection.rows("SELECT name FROM migrations ORDER BY number") { $0.text(0) }
      #expect(names == twoSteps.map(\.name))
    }
    let version = Migration.currentVersion
    let before = try Connection(path: library.path + ".version-\(version)", mode: .immutable)
    #expect(try before.integer("PRAGMA user_version") == Int64(version))
    #expect(try before.integer("SELECT count(*) FROM episodes") == 3)
  }

  @Test func `a step that empties the index does not write its pages to the WAL`() async throws {
    let store = try library.open()
    _ = try await store.subscribe(to: .sample(episodes: 3000), at: "https://example.org/feed")
    try await store.indexForSearch()
    await store.close()
    let step = Migration(name: "no index", script: "INSERT INTO search (search) VALUES ('delete-all')")
    let connection = try migrated(with: Migration.all + [step])
    #expect(try connection.integer("SELECT count(*) FROM search_docsize") == 0)
    #expect(try #require(try connection.integer("PRAGMA freelist_count")) > 50)
    #expect((1...30).contains(connection.walPages), "\(connection.walPages)")
  }

  @Test func `the drafts that killed migrations have left go with the next one`() async throws {
    await (try library.open()).close()
    let copy = library.path + ".version-\(Migration.currentVersion)"
    let (drafts, others) = ([".12.new", ".12.new-journal", ".345.new"], ["1.12.new", ".mine"])
    for name in drafts + others { try #require(creat(copy + name, 0o600) >= 0) }
    _ = try migrated(with: twoSteps)
    for name in drafts { #expect(access(copy + name, F_OK) != 0, "\(name)") }
    for name in others { #expect(access(copy + name, F_OK) == 0, "\(name)") }
  }

  @Test func `S7: a step that fails leaves the library as it was`() async throws {
    let store = try library.open()
    _ = try await store.subscribe(to: .sample(), at: "https://example.org/feed")
    await store.close()
    let broken = Migration(name: "broken", script: "ALTER TABLE podcasts ADD COLUMN mood TEXT; SELECT nonsense;")
    #expect(throws: StoreError.self) { _ = try migrated(with: Migration.all + [broken]) }
    let reopened = try library.open()
    #expect(try await reopened.playlist().count == 3)
    #expect(try await reopened.problems(.full) == [])
  }

  /// A dump of each schema that was ever released opens, with everything in it.
  @Test(arguments: 1...Migration.currentVersion) func `a library of an older version opens`(version: Int) async throws {
    try restoreDump(of: version)
    let store = try library.open()
    #expect(try await store.problems(.full) == [])
    #expect(try await store.podcasts().map(\.title) == ["Café crème"])
    let playlist = try await store.playlist()
    #expect(playlist.map(\.episode.title) == ["Episode 2", "Episode 1", "Episode 0"])
    #expect(playlist[0].status.lastListenTime == .seconds(61) && playlist[0].status.isCurrentlyPlaying)
    #expect(playlist[1].status.hasCompleted && playlist[2].isFavourite)
    #expect(try await store.queue().map(\.episode.title) == ["Episode 0"])
    #expect(try await store.search("topic1").count == 1)
  }

  @Test func `the copies of texts in an older library go, and the index fits the texts afterwards`() async throws {
    try restoreDump(of: 10)
    do {
      let before = try Connection(path: library.path, mode: .readWrite)
      // One was indexed by other rules, one has changed since, one is as it was.
      try before.executeScript(
        """
        INSERT INTO search (search, rowid, title, notes) SELECT 'delete', id, title, notes FROM search_texts WHERE id = 1;
        UPDATE search_texts SET notes = 'amp topic0' WHERE id = 1;
        INSERT INTO search (rowid, title, notes) SELECT id, title, notes FROM search_texts WHERE id = 1;
        UPDATE episode_details SET notes = 'Nothing of that' WHERE episode_id = 2;
        INSERT INTO search_queue (episode_id) VALUES (2);
        """)
    }
    let store = try library.open()
    #expect(try await store.needsIndexing())
    #expect(try await store.search("topic1").isEmpty)
    #expect(try await store.search("nothing").count == 1)
    try await store.indexForSearch()
    #expect(try await store.search("topic0").count == 1)
    #expect(try await store.search("amp").isEmpty)
    #expect(try await store.problems(.full) == [])
    #expect(try await !store.needsIndexing())
    let connection = try Connection(path: library.path, mode: .readWrite)
    #expect(try connection.integer("SELECT count(*) FROM search_copies") == 0)
  }

  private func restoreDump(of version: Int) throws {
    let connection = try Connection(path: library.path, mode: .create)
    let dump = try #require(Self.text(of: "Fixtures/library-\(version).sql"))
    try connection.executeScript(dump)
  }

  private static func text(of name: String, beside file: String = #filePath) -> String? {
    let path = file.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/" + name
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = getc(file), byte != EOF { bytes.append(UInt8(byte)) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
