import PodcastModel
import Testing

@testable import PodcastStore

/// Marks whose rendition is gone.
@Suite struct FormerRowsTests {
  private let library = TemporaryLibrary()
  private let id = EpisodeID(rawValue: 1)

  private func store() async throws -> PodcastStore {
    let store = try library.open()
    _ = try await store.subscribe(to: .sample(), at: "https://example.org/feed")
    try await store.savePosition(.seconds(61), of: id, urgency: .flush)
    try await store.addBookmark(at: .seconds(10), in: id)
    try await store.keep(FormerRendition(episode: id, frames: [1, 2, 3]))
    return store
  }

  private func followed(_ rendition: FormerRendition, by seconds: Int) -> [FollowedMark] {
    rendition.marks.map { FollowedMark($0, position: $0.start + .seconds(seconds)) }
  }

  @Test func `marks move once, whatever process is first`() async throws {
    let store = try await store()
    let other = try library.open()
    let rendition = try #require(try await store.formerRenditions(of: id).first)
    #expect(rendition.marks.map(\.kind) == [.bookmark, .position] && rendition.frames == [1, 2, 3])
    let moved = try await store.move(followed(rendition, by: 30), of: rendition)
    #expect(moved.from == .seconds(61) && moved.to == .seconds(91) && moved.others == 1)
    #expect(try await other.move(followed(rendition, by: 30), of: rendition).isEmpty)
    #expect(try await store.bookmarks(of: id).map(\.position) == [.seconds(40)])
    #expect(try await store.episode(id)?.status.lastListenTime == .seconds(91))
    #expect(try await store.formerRenditions(of: id).isEmpty)
  }

  @Test func `a mark that was changed or removed meanwhile stays as it is, and a new one is of the new file`()
    async throws
  {
    let store = try await store()
    let rendition = try #require(try await store.formerRenditions(of: id).first)
    try await store.savePosition(.seconds(70), of: id, urgency: .flush)
    try await store.removeBookmark(try await store.bookmarks(of: id)[0].id)
    try await store.addBookmark(at: .seconds(10), in: id)
    #expect(try await store.move(followed(rendition, by: 30), of: rendition).isEmpty)
    #expect(try await store.bookmarks(of: id).map(\.position) == [.seconds(10)])
    #expect(try await store.episode(id)?.status.lastListenTime == .seconds(70))
    #expect(try await store.undo() == nil)
  }

  @Test func `marks of a former rendition are not taken for those of the next`() async throws {
    let store = try await store()
    try await store.keep(FormerRendition(episode: id, frames: [4]))
    #expect(try await store.formerRenditions(of: id).map(\.frames) == [[1, 2, 3]])
    try await store.addBookmark(at: .seconds(20), in: id)
    try await store.keep(FormerRendition(episode: id, frames: [5]))
    let both = try await store.formerRenditions(of: id)
    #expect(both.map(\.frames) == [[5], [1, 2, 3]] && both[0].marks.map(\.start) == [.seconds(20)])
    for day in 0..<10 {
      try await store.addBookmark(at: .seconds(30 + day), in: id)
      try await store.keep(FormerRendition(episode: id, frames: [6]))
    }
    #expect(try await store.formerRenditions(of: id).count { $0.frames != nil } == 4)
  }

  @Test func `marks of a rendition whose print is not kept any more are not those of the present one`() async throws {
    let store = try await store()
    try await store.addSkip(.seconds(1)..<(.seconds(2)), in: id)
    try await store.keep(FormerRendition(episode: id, frames: [4]))
    for day in 0..<10 {
      try await store.addBookmark(at: .seconds(30 + day), in: id)
      try await store.keep(FormerRendition(episode: id, frames: [6]))
      #expect(try await store.skips(of: id) == [])
      #expect(try await !store.hasMarks(id))
    }
    let renditions = try await store.formerRenditions(of: id)
    #expect(renditions.flatMap(\.marks).count == 13)
    #expect(renditions.dropFirst(4).allSatisfy { $0.frames == nil && $0.size == nil })
  }

  @Test func `a position that a player has kept as a bookmark becomes no second one`() async throws {
    let store = try await store()
    let rendition = try #require(try await store.formerRenditions(of: id).first)
    try await store.addBookmark(at: .seconds(61), in: rendition)
    try await store.addBookmark(at: .seconds(61), in: rendition)
    let pending = try #require(try await store.formerRenditions(of: id).first)
    _ = try await store.move(pending.marks.map { FollowedMark($0, position: nil) }, of: pending)
    #expect(try await store.bookmarks(of: id).map(\.position) == [.seconds(10), .seconds(61)])
  }

  @Test func `a skip of a former rendition hides nothing in the present one`() async throws {
    let store = try await store()
    try await store.addSkip(.seconds(1)..<(.seconds(2)), in: id)
    #expect(try await store.skips(of: id).count == 1)
    try await store.keep(FormerRendition(episode: id, frames: [4]))
    #expect(try await store.skips(of: id) == [])
    let rendition = try #require(try await store.formerRenditions(of: id).first)
    let (start, end) = (Duration.seconds(31), Duration.seconds(32))
    _ = try await store.move(rendition.marks.map { FollowedMark($0, position: start, end: end) }, of: rendition)
    #expect(try await store.skips(of: id) == [start..<end])
  }

  @Test func `undo puts back what the user has not moved since`() async throws {
    let store = try await store()
    let rendition = try #require(try await store.formerRenditions(of: id).first)
    _ = try await store.move(followed(rendition, by: 30), of: rendition)
    try await store.savePosition(.seconds(95), of: id, urgency: .flush)
    #expect(try await store.undo()?.action == .movedMarks)
    #expect(try await store.episode(id)?.status.lastListenTime == .seconds(95))
    #expect(try await store.bookmarks(of: id).map(\.position) == [.seconds(10)])
  }

  @Test func `a position that is not found is a bookmark, and undo removes it`() async throws {
    let store = try await store()
    let rendition = try #require(try await store.formerRenditions(of: id).first)
    let moved = try await store.move(rendition.marks.map { FollowedMark($0, position: nil) }, of: rendition)
    #expect(moved.from == .seconds(61) && moved.to == nil && moved.others == 0)
    #expect(try await store.bookmarks(of: id).map(\.position) == [.seconds(10), .seconds(61)])
    _ = try await store.undo()
    #expect(try await store.bookmarks(of: id).map(\.position) == [.seconds(10)])
  }
}
