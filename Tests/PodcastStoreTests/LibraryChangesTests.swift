import PodcastModel
import PodcastStore
import Synchronization
import Testing

struct LibraryChangesTests {
  private let library = TemporaryLibrary()

  @Test(.timeLimit(.minutes(1))) func `another connection's change is told`() async throws {
    let writer = try library.open()
    let id = try await writer.subscribe(to: .sample(), at: "https://example.org/feed").added[0]
    let reader = try library.open(.readOnly)
    var changes = try reader.changes().makeAsyncIterator()
    try await writer.savePosition(.seconds(5), of: id, urgency: .tick)
    #expect(await changes.next() != nil)
    #expect(try await reader.episode(id)?.status.lastListenTime == .seconds(5))
  }

  @Test(.timeLimit(.minutes(1))) func `a change during a rest is told of, but not before its end`() async throws {
    let writer = try library.open()
    let id = try await writer.subscribe(to: .sample(), at: "https://example.org/feed").added[0]
    let reader = try library.open(.readOnly)
    let rest = Duration.milliseconds(700)
    let begin = Mutex(ContinuousClock.Instant?.none)
    var changes = try reader.changes(rest: {
      begin.withLock { $0 = $0 ?? .now }
      return rest
    }).makeAsyncIterator()
    try await writer.savePosition(.seconds(5), of: id, urgency: .tick)
    #expect(await changes.next() != nil)
    try await writer.savePosition(.seconds(6), of: id, urgency: .tick)
    #expect(await changes.next() != nil)
    let begun = try #require(begin.withLock { $0 })
    #expect(ContinuousClock.now - begun >= rest)
    #expect(try await reader.episode(id)?.status.lastListenTime == .seconds(6))
  }

  @Test(.timeLimit(.minutes(1))) func `after a restore the library that is there now is read and written`() async throws
  {
    let writer = try library.open()
    let id = try await writer.subscribe(to: .sample(), at: "https://example.org/feed").added[0]
    let copy = library.directory + "/copy.db"
    try await writer.backUp(to: copy)
    try await writer.mark(.favourite, [id])
    await writer.close()
    let reader = try library.open()
    #expect(try await reader.episode(id)?.isFavourite == true)
    var changes = try reader.changes().makeAsyncIterator()
    try PodcastStore.restore(copy, to: library.path)
    // The restore moves two files.
    while try await reader.episode(id)?.isFavourite == true { #expect(await changes.next() != nil) }
    try await reader.mark(.played, [id])
    #expect(try await library.open(.readOnly).episode(id)?.status.hasCompleted == true)
  }

  @Test(.timeLimit(.minutes(1))) func `the first library to appear is a change`() async throws {
    let reader = try library.open(.readOnly)
    var changes = try reader.changes().makeAsyncIterator()
    let writer = try library.open()
    _ = try await writer.subscribe(to: .sample(), at: "https://example.org/feed")
    #expect(await changes.next() != nil)
  }
}
