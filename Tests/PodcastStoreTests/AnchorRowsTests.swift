import PodcastModel
import Testing

@testable import PodcastStore

struct AnchorRowsTests {
  private let library = TemporaryLibrary()

  private func stored() async throws -> (store: PodcastStore, id: EpisodeID) {
    let store = try library.open()
    let id = try #require(try await store.subscribe(to: .sample(), at: "https://example.org/feed").added.first)
    let segments = (0..<100).map { TranscriptSegment(start: Double($0) * 10, text: "line number\($0)") }
    try await store.setTranscript(segments, of: id)
    return (store, id)
  }

  private func anchor(_ said: Int64, _ heard: Int64) -> TranscriptAnchor {
    TranscriptAnchor(said: .seconds(said), heard: .seconds(heard))
  }

  @Test func `what was said before an anchor is heard when it was said, and what follows is shifted`() {
    let anchors = [anchor(100, 130), anchor(500, 590)]
    for (said, heard) in [(0, 0), (99, 99), (100, 130), (499, 529), (500, 590), (900, 990)] as [(Int64, Int64)] {
      #expect(TranscriptAnchor.heard(.seconds(said), anchors) == .seconds(heard))
    }
    #expect(TranscriptAnchor.heard(.seconds(20), [anchor(10, 0), anchor(15, 0)]) == .seconds(5))
    // An anchor that lies ahead of the voice: the times do not run back at it.
    for (said, heard) in [(40, 40), (45, 41), (50, 41), (55, 46)] as [(Int64, Int64)] {
      #expect(TranscriptAnchor.heard(.seconds(said), [anchor(50, 41)]) == .seconds(heard))
    }
  }

  @Test func `two anchors put every line of a shifted transcript in its place, across a restart`() async throws {
    let (store, id) = try await stored()
    try await store.tieTranscript(of: id, at: anchor(0, 30))
    try await store.tieTranscript(of: id, at: anchor(500, 530))
    await store.close()
    let again = try library.open()
    let anchors = try await again.anchors(of: id)
    #expect(anchors.count == 2)
    for segment in try await again.transcript(of: id) {
      let said = try #require(segment.start.flatMap { Duration(validSeconds: $0) })
      #expect(TranscriptAnchor.heard(said, anchors) == said + .seconds(30))
    }
    #expect(try await again.search("number70").first?.time == .seconds(730))
    #expect(try await again.problems(.full) == [])
  }

  @Test func `the times of words are read as they were stored`() async throws {
    let (store, id) = try await stored()
    var segment = TranscriptSegment(start: 61.25, end: 64, text: "one two three")
    segment.wordStarts = [61.25, 61.5, 63.07]
    try await store.setTranscript([segment, TranscriptSegment(start: 70, text: "four")], of: id)
    let read = try await store.transcript(of: id)
    #expect(
      zip(read[0].wordStarts, segment.wordStarts).allSatisfy { abs($0 - $1) < 0.006 } && read[0].wordStarts.count == 3)
    #expect(read[1].wordStarts == [])
  }

  @Test func `a deleted podcast takes the undoing of its anchors along, and what was done before can be undone`()
    async throws
  {
    let (store, id) = try await stored()
    let other = try await store.subscribe(to: .sample(), at: "https://example.org/other").added[0]
    try await store.mark(.played, [other])
    try await store.tieTranscript(of: id, at: anchor(100, 130))
    try await store.tieTranscript(of: id, at: anchor(100, 140))
    let podcast = try #require(try await store.podcast(at: "https://example.org/feed")?.id)
    _ = try await store.unsubscribe(podcast, deleting: true)
    #expect(try await store.undo()?.action == .deleted)
    #expect(try await store.undo()?.action == .markedPlayed)
    #expect(try await store.episode(other)?.status.hasCompleted == false)
  }

  @Test func `an anchor is undone, and one that replaced another brings it back`() async throws {
    let (store, id) = try await stored()
    try await store.tieTranscript(of: id, at: anchor(100, 130))
    try await store.tieTranscript(of: id, at: anchor(100, 140))
    #expect(try await store.undo()?.action == .tiedTranscript)
    #expect(try await store.anchors(of: id) == [anchor(100, 130)])
    #expect(try await store.undo()?.subject == "Episode 2")
    #expect(try await store.anchors(of: id) == [])
    #expect(try await store.search("number70").first?.time == .seconds(700))
  }
}
