import Glibc
import Playback
import PodcastModel
import PodcastStore
import TestSupport
import Testing
import Transfer

@testable import Podcatcher

/// The user's marks, when the publisher's file changes.
@Suite struct FormerRenditionsTests {
  private let show: OneEpisode
  private var store: PodcastStore { show.store }

  init() async throws { show = try await OneEpisode() }

  private static let talk = StitchedMP3.frames(20_000, seed: 1)
  /// Of 12 s and 24 s at the beginning, of 36 s in the middle.
  private static let first = StitchedMP3.frames(500, seed: 2) + talk
  private static let second = StitchedMP3.frames(1000, seed: 3) + talk
  private static let third: [UInt8] = {
    var bytes = Array(talk.prefix(384 * 10_000))
    bytes += StitchedMP3.frames(1500, seed: 4)
    return bytes + talk.dropFirst(384 * 10_000)
  }()

  private func mark() async throws {
    try await store.savePosition(.seconds(300), of: show.id, urgency: .flush)
    try await store.addBookmark(at: .milliseconds(100_250), note: "here", in: show.id)
    try await store.addSkip(.seconds(30)..<(.seconds(40)), in: show.id)
    try await store.tieTranscript(of: show.id, at: TranscriptAnchor(said: .seconds(5), heard: .seconds(17)))
  }

  private struct Marks: Hashable {
    var position: Duration?
    var bookmarks: [Duration]
    var skips: [Range<Duration>]
    var anchors: [Duration]

    init(_ position: Double?, _ bookmarks: [Double], _ skip: Range<Double>?, _ anchor: Double) {
      self.position = position.map(Self.time)
      self.bookmarks = bookmarks.map(Self.time)
      skips = skip.map { [Self.time($0.lowerBound)..<Self.time($0.upperBound)] } ?? []
      anchors = [Self.time(anchor)]
    }

    private static func time(_ seconds: Double) -> Duration { .milliseconds(Int64((seconds * 1000).rounded())) }

    init(_ store: PodcastStore, _ id: EpisodeID) async throws {
      position = try await store.episode(id)?.status.lastListenTime
      bookmarks = try await store.bookmarks(of: id).map(\.position)
      skips = try await store.skips(of: id)
      anchors = try await store.anchors(of: id).map(\.heard)
    }
  }

  private func marks() async throws -> Marks { try await Marks(store, show.id) }

  private static let inFirst = Marks(300, [100.25], 30..<40, 17)
  private static let inSecond = Marks(312, [112.25], 42..<52, 29)

  private func remove() async throws {
    _ = try await DownloadFiles(store: store, media: show.folder).remove(show.id)
  }

  /// Breaks off there, and is refused from then on.
  private func downloadPart(frames: Int) async throws {
    let part = Response.resource(Self.first, etag: "\"one\"").truncated(at: 384 * frames)
    let count = Observed(0)
    show.server.serve("/1.mp3") { request in
      let isFirst = count.update { count in
        count += 1
        return count == 1
      }
      return isFirst ? part.answering(request) : .status(503)
    }
    _ = try await show.download()
  }

  @Test func `marks follow through two changes of the file, and can be put back`() async throws {
    show.serve(Self.first)
    _ = try await show.download()?.get()
    try await mark()
    try await remove()
    show.serve(Self.second, etag: "\"two\"")
    let moved = try #require(try await show.download()?.get().moved)
    #expect(moved.from == .seconds(300) && moved.to == .seconds(312) && moved.others == 3)
    #expect(try await marks() == Self.inSecond)
    try await remove()
    show.serve(Self.third, etag: "\"three\"")
    #expect(try await show.download()?.get().moved?.to == .seconds(324))
    #expect(try await marks() == Marks(324, [88.25], 18..<28, 5))
    #expect(try await store.formerRenditions(of: show.id).isEmpty)
    #expect(try await store.undo()?.action == .movedMarks)
    #expect(try await marks() == Self.inSecond)
    #expect(try await store.undo()?.action == .movedMarks)
    #expect(try await marks() == Self.inFirst)
  }

  @Test func `undo of a move says so where nothing is left of it, as the episode was heard since`() async throws {
    show.serve(Self.first)
    _ = try await show.download()?.get()
    try await store.savePosition(.seconds(300), of: show.id, urgency: .flush)
    try await remove()
    show.serve(Self.second, etag: "\"two\"")
    #expect(try await show.download()?.get().moved?.to == .seconds(312))
    try await store.savePosition(.seconds(320), of: show.id, urgency: .flush)
    let undone = try #require(try await store.undo())
    #expect(undone.action == .movedMarks && undone.isOver)
    #expect(try await store.episode(show.id)?.status.lastListenTime == .seconds(320))
  }

  @Test func `the same file again changes nothing`() async throws {
    show.serve(Self.first)
    _ = try await show.download()?.get()
    try await mark()
    try await remove()
    #expect(try await store.formerRenditions(of: show.id).count == 1)
    #expect(try await show.download()?.get().moved == nil)
    #expect(try await marks() == Self.inFirst)
    #expect(try await store.formerRenditions(of: show.id).isEmpty)
    #expect(try await store.undo()?.action == .tiedTranscript)
  }

  @Test func `a download that was begun before the change carries the marks over`() async throws {
    try await downloadPart(frames: 13_000)
    try await mark()
    #expect(try #require(try await show.row()).received > 0)
    show.serve(Self.second, etag: "\"two\"")
    #expect(try await show.download()?.get().moved?.to == .seconds(312))
    #expect(try await marks() == Self.inSecond)
  }

  @Test func `in an unrelated file the marks stay, and the position is a bookmark, too`() async throws {
    show.serve(Self.first)
    _ = try await show.download()?.get()
    try await mark()
    try await remove()
    show.serve(StitchedMP3.frames(3000, seed: 9), etag: "\"two\"")
    let moved = try #require(try await show.download()?.get().moved)
    #expect(moved.from == .seconds(300) && moved.to == nil && moved.others == 0)
    // The skip would leave out something else.
    #expect(try await marks() == Marks(300, [100.25, 300], nil, 17))
    #expect(try await store.formerRenditions(of: show.id).map(\.marks.count) == [3])
    try await remove()
    show.serve(Self.second, etag: "\"three\"")
    _ = try await show.download()?.get()
    #expect(try await store.skips(of: show.id) == [.seconds(42)..<(.seconds(52))])
  }

  @Test func `a skip over an advert that is gone goes, and comes back with undo`() async throws {
    show.serve(Self.second)
    _ = try await show.download()?.get()
    try await store.addSkip(.zero..<(.seconds(24)), in: show.id)
    try await remove()
    show.serve(Self.third, etag: "\"two\"")
    _ = try await show.download()?.get()
    #expect(try await store.skips(of: show.id) == [])
    _ = try await store.undo()
    #expect(try await store.skips(of: show.id) == [.zero..<(.seconds(24))])
  }

  @Test func `an episode without marks costs nothing`() async throws {
    show.serve(Self.first)
    _ = try await show.download()?.get()
    try await remove()
    #expect(try await store.formerRenditions(of: show.id).isEmpty)
  }

  @Test func `after a kill between the file's end and the move, the marks follow at the next opening`() async throws {
    show.serve(Self.first)
    _ = try await show.download()?.get()
    try await mark()
    let former = try #require(
      FramePrint(size: Int64(Self.first.count), [0..<Int64(Self.first.count)]) { offset, count in
        Array(Self.first.dropFirst(Int(offset)).prefix(count))
      })
    // As a download of the second file leaves it when it is killed right after the rename.
    try await store.keep(FormerRendition(episode: show.id, frames: former.data))
    let file = try #require(fopen(show.path, "w"))
    Self.second.withUnsafeBytes { _ = fwrite($0.baseAddress, 1, $0.count, file) }
    fclose(file)
    var row = try #require(try await show.row())
    (row.received, row.total) = (Int64(Self.second.count), Int64(Self.second.count))
    try await store.save(row)
    let media = try await show.media(isOffline: true)
    #expect(media.position == .seconds(312) && media.moved?.from == .seconds(300))
    #expect(try await marks() == Self.inSecond)
    #expect(try await show.media(isOffline: true).moved == nil)
  }

  // MARK: Streams

  @Test func `a stream whose bytes were evicted goes on at the same moment of the new file`() async throws {
    show.serve(Self.first)
    _ = try await show.download()?.get()
    try await mark()
    try await remove()
    show.serve(Self.third, etag: "\"two\"")
    let media = try await show.media()
    #expect(media.position == .seconds(324) && media.moved?.to == .seconds(324))
    #expect(try await marks().position == .seconds(324))
    // The rest follows once the file is here whole.
    await media.close()
    _ = try await show.download()?.get()
    #expect(try await marks() == Marks(324, [88.25], 18..<28, 5))
  }

  @Test func `in a stream that comes back unchanged a skip counts again, also without a kept position`() async throws {
    show.serve(Self.first)
    _ = try await show.download()?.get()
    try await store.addSkip(.seconds(30)..<(.seconds(40)), in: show.id)
    try await remove()
    #expect(try await store.skips(of: show.id) == [])
    let media = try await show.media()
    await media.close()
    #expect(try await store.skips(of: show.id) == [.seconds(30)..<(.seconds(40))])
  }

  @Test func `a stream that comes back unchanged keeps its marks`() async throws {
    show.serve(Self.first)
    _ = try await show.download()?.get()
    try await mark()
    try await remove()
    let media = try await show.media()
    #expect(media.moved == nil && media.position == nil)
    await media.close()
    #expect(try await store.formerRenditions(of: show.id).isEmpty)
    #expect(try await marks() == Self.inFirst)
  }

  @Test func `the bytes of a stream from a former address lead to the position in the new file`() async throws {
    let part = Response.resource(Self.first, type: "audio/mpeg", etag: "\"one\"").truncated(at: 2_000_000)
    show.server.serve("/1.mp3") { request in
      let first = request.header("Range").flatMap { Int($0.dropFirst("bytes=".count).prefix { $0 != "-" }) } ?? 0
      return first < 1_000_000 ? part.answering(request) : .status(404)
    }
    let former = try await show.media()
    guard case .bytes(let source) = former.source, let stream = source.open() else { throw Unplayable() }
    await offPool { [stream] in
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while buffer.withUnsafeMutableBytes({ stream.read(into: $0) }) ?? 0 > 0 {}
    }
    stream.close()
    await former.close()
    #expect(try await show.row()?.state == .paused)
    try await store.savePosition(.seconds(40), of: show.id, urgency: .flush)
    try await store.addBookmark(at: .seconds(200), in: show.id)
    let third = Response.resource(Self.third, type: "audio/mpeg", etag: "\"two\"")
    show.server.serve("/other.mp3") { third.answering($0) }
    var (feed, episode) = (Feed(), FeedEpisode())
    (feed.title, episode.guid, episode.title) = ("Show", "1", "One")
    episode.enclosure = Enclosure(url: show.server.url("/other.mp3"), type: "audio/mpeg")
    feed.episodes = [episode]
    _ = try await store.subscribe(to: feed, at: show.server.url("/feed.xml"))
    let media = try await show.media()
    #expect(media.position == .seconds(28) && media.moved?.to == .seconds(28))
    await media.close()
    // Of the bytes around it nothing was here.
    _ = try await show.download()?.get()
    #expect(try await store.bookmarks(of: show.id).map(\.position) == [.seconds(200)])
  }

  @Test func `a download that was begun at a former address carries the marks over`() async throws {
    try await downloadPart(frames: 13_000)
    try await mark()
    let second = Response.resource(Self.second, type: "audio/mpeg", etag: "\"two\"")
    show.server.serve("/other.mp3") { second.answering($0) }
    var (feed, episode) = (Feed(), FeedEpisode())
    (feed.title, episode.guid, episode.title) = ("Show", "1", "One")
    episode.enclosure = Enclosure(url: show.server.url("/other.mp3"), type: "audio/mpeg")
    feed.episodes = [episode]
    _ = try await store.subscribe(to: feed, at: show.server.url("/feed.xml"))
    #expect(try await show.download()?.get().moved?.to == .seconds(312))
    #expect(try await marks() == Self.inSecond)
  }

  @Test func `a position that has moved with the whole file, while it was looked for, is told as moved`() async throws {
    show.serve(Self.first)
    _ = try await show.download()?.get()
    try await mark()
    try await remove()
    let former = FormerRenditions(store: store)
    let kept = try #require(await former.keptPosition(of: show.id))
    show.serve(Self.second, etag: "\"two\"")
    #expect(try await show.download()?.get().moved?.to == .seconds(312))
    #expect(await former.keptPosition(of: show.id) == nil)
    let request = HTTPRequest(url: show.server.url("/1.mp3"))
    let client = try HTTPClient()
    let media = StreamedMedia(
      MediaFill(inMemory: request, .stream(patience: .seconds(60))) { () throws(TransferError) in client })
    #expect(await former.find(kept, in: media) == nil)
    let moved = try #require(await former.movedMeanwhile(kept))
    #expect(moved.from == .seconds(300) && moved.to == .seconds(312))
    await media.close()
    #expect(try await marks() == Self.inSecond)
  }

  @Test func `a position that was set elsewhere while it was looked for has not moved with the file`() async throws {
    show.serve(Self.first)
    _ = try await show.download()?.get()
    try await mark()
    try await remove()
    let former = FormerRenditions(store: store)
    let kept = try #require(await former.keptPosition(of: show.id))
    try await store.savePosition(.seconds(40), of: show.id, urgency: .flush)
    #expect(await former.movedMeanwhile(kept) == nil)
  }

  private struct Unplayable: Error {}

  @Test func `of a file that is here in part, the present bytes lead to the place in the new one`() async throws {
    try await downloadPart(frames: 12_600)
    try await mark()
    show.serve(Self.third, etag: "\"two\"")
    let media = try await show.library().open(try await show.entry(), anew: true)
    #expect(media.position == .seconds(324))
    await media.close()
    // A position that was reached since is one of the new file.
    try await store.savePosition(.seconds(330), of: show.id, urgency: .flush)
    _ = try await show.download()?.get()
    #expect(try await marks() == Marks(330, [88.25], 18..<28, 5))
  }
}
