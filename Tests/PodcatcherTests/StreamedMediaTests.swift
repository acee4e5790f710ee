import Glibc
import Playback
import PodcastModel
import PodcastStore
import System
import TestSupport
import Testing
import Transfer

@testable import Podcatcher

/// A stream that is a file: read in any order, kept, gone on with.
@Suite struct StreamedMediaTests {
  private let show: OneEpisode
  private var server: LoopbackServer { show.server }
  private var store: PodcastStore { show.store }
  /// Never repeats, so that bytes at a wrong offset are seen.
  private static let bytes: [UInt8] = .init(unsafeUninitializedCapacity: 30_000_000) { buffer, count in
    arc4random_buf(buffer.baseAddress!, 30_000_000)
    // Behind a random `<`, `{` or `[` it would be taken for a page.
    buffer[0] = 0
    count = 30_000_000
  }
  private var bytes: [UInt8] { Self.bytes }
  private var path: String { show.path }

  init() async throws { show = try await OneEpisode() }

  private func serve(_ bytes: [UInt8] = bytes, etag: String? = "\"one\"", ranges: Response.Ranges = .honoured) {
    show.serve(bytes, etag: etag, ranges: ranges)
  }

  private func open(
    isOffline: Bool = false, say: @escaping @Sendable (MediaNote?) -> Void = { _ in }
  ) async throws -> (OpenedMedia, any ByteStream) {
    let media = try await show.media(isOffline: isOffline, say: say)
    guard case .bytes(let source) = media.source, let stream = source.open() else { throw Unplayable() }
    return (media, stream)
  }

  private struct Unplayable: Error {}

  /// On a thread of its own, as the engine reads.
  private func read(_ stream: any ByteStream, _ count: Int, at offset: Int? = nil) async -> [UInt8]? {
    await offPool {
      if let offset, !stream.seek(to: Int64(offset)) { return nil }
      var result: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while result.count < count {
        let wanted = min(buffer.count, count - result.count)
        guard let got = buffer.withUnsafeMutableBytes({ stream.read(into: .init(rebasing: $0[..<wanted])) }) else {
          return nil
        }
        if got == 0 { break }
        result += buffer[..<got]
      }
      return result
    }
  }

  private func row() async throws -> MediaRecord? { try await show.row() }

  @Test func `what was read to its end is a download, and plays without the network`() async throws {
    serve()
    let (media, stream) = try await open()
    #expect(await offPool { stream.size } == Int64(self.bytes.count))
    #expect(await read(stream, .max) == self.bytes)
    #expect(media.wasReadToItsEnd)
    stream.close()
    await media.close()
    let row = try #require(try await row())
    #expect(row.state == .complete && !row.isKept)
    #expect(try contents(of: path) == self.bytes)
    #expect(access(path + ".part", F_OK) != 0 && access(path + ".part.map", F_OK) != 0)
  }

  @Test func `an automatic download that was removed is a stream like any other when it is played`() async throws {
    serve()
    var removed = MediaRecord(episode: show.id, state: .paused)
    removed.isAutomatic = true
    try await store.save(removed)
    let (media, stream) = try await open()
    #expect(await read(stream, 1000) != nil)
    stream.close()
    await media.close()
    #expect(try await store.spareStreams().map(\.episode) == [show.id])
    #expect(try await store.cacheSize() > 0)
    #expect(try await store.downloads().isEmpty)
    // It does not come back by itself, neither now nor once it is evicted.
    #expect(try await row()?.wasThrownAway == true)
    _ = try await DownloadFiles(store: store, media: show.folder).remove(show.id)
    #expect(try await row()?.wasThrownAway == true)
  }

  @Test func `a file of untold length that is here in part is opened without waiting for its length`() async throws {
    let gate = Gate()
    defer { gate.open() }
    let answer = Response.ok(Array(bytes[..<3_000_000]), type: "audio/mpeg").chunked(65_536).header("ETag", "\"one\"")
    server.serve("/1.mp3", answer.pausing(at: 1_600_000, until: gate))
    let (media, stream) = try await open()
    #expect(await read(stream, 1_500_000) == Array(bytes[..<1_500_000]))
    stream.close()
    await media.close()
    let (again, second) = try await open()
    #expect(await offPool { second.size } == nil)
    second.close()
    await again.close()
  }

  @Test func `what a server sends behind the end of the file is no part of it`() async throws {
    let size = 300_000
    server.serve("/1.mp3") { request in
      let first = request.header("Range").flatMap { Int($0.dropFirst("bytes=".count).prefix { $0 != "-" }) } ?? 0
      return .endless([0xFF, 0xFB, 0x90, 0], type: "audio/mpeg", status: 206)
        .header("Content-Range", "bytes \(first)-\(size - 1)/\(size)").header("ETag", "\"one\"")
    }
    let (media, stream) = try await open()
    #expect(await read(stream, size + 100_000)?.count == size)
    stream.close()
    await media.close()
    let file = access(path, F_OK) == 0 ? path : path + ".part"
    #expect(try contents(of: file).count == size)
  }

  private static func box(_ type: String, _ size: Int) -> [UInt8] {
    (0..<4).reversed().map { UInt8(truncatingIfNeeded: size >> ($0 * 8)) } + Array(type.utf8)
  }

  @Test func `a fault that comes while the reader has bytes still is tried again once it needs others`() async throws {
    let part = Response.resource(bytes, type: "audio/mpeg", etag: "\"one\"").truncated(at: 3_000_000)
    server.serve("/1.mp3") { request in
      let first = request.header("Range").flatMap { Int($0.dropFirst("bytes=".count).prefix { $0 != "-" }) } ?? 0
      return first < 3_000_000 ? part.answering(request) : .status(404)
    }
    let (media, stream) = try await open()
    guard case .bytes(let source) = media.source, let streamed = source as? StreamedMedia else { throw Unplayable() }
    #expect(await read(stream, 2_900_000) == Array(bytes[..<2_900_000]))
    #expect(await offPool { streamed.fill.state.wait { $0.fault } } == .status(404))
    serve()
    #expect(await read(stream, 2_100_000) == Array(bytes[2_900_000..<5_000_000]))
    stream.close()
    await media.close()
  }

  @Test func `of an AAC stream no length is known`() async throws {
    let show = try await OneEpisode(ending: "aac", type: "audio/aac")
    show.serve([0xFF, 0xF1, 0x50, 0x80] + bytes[..<100_000])
    let media = try await show.media()
    #expect(media.isLengthEstimated)
    await media.close()
    _ = try await show.download()?.get()
    #expect(try await show.media().isLengthEstimated)
  }

  /// An MP4 with an index of 3 MB: at its beginning, in its middle, near its end, and to its end.
  @Test(arguments: [(32, 2), (15_000_000, 2), (25_000_000, 1), (27_000_000, 1)])
  func `the index of an MP4 is fetched by one request, after the one that finds it`(
    at start: Int, by requests: Int
  ) async throws {
    var bytes = bytes
    bytes.replaceSubrange(0..<8, with: Self.box("ftyp", 32))
    bytes.replaceSubrange(32..<40, with: Self.box("mdat", start - 32))
    bytes.replaceSubrange(start..<start + 8, with: Self.box("moov", 3_000_000))
    serve(bytes)
    let (media, stream) = try await open()
    #expect(await read(stream, 40) == Array(bytes[..<40]))
    #expect(await read(stream, 3_000_000, at: start) == Array(bytes[start..<start + 3_000_000]))
    stream.close()
    await media.close()
    let ranges = server.requests.compactMap { request in
      request.header("Range").map { $0.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) } }
    }
    let ofIndex = ranges.filter { (start == 32 ? 0 : start) <= $0[0] && $0[0] < start + 3_000_000 }
    #expect(ofIndex.count == requests, "\(ranges)")
    #expect(ranges.allSatisfy { $0.last! < bytes.count })
  }

  @Test func `an MP4 whose index comes last was read to its end where its sound was`() async throws {
    let (size, sound) = (4_000_000, 3_000_000)
    var bytes = Array(bytes[..<size])
    bytes.replaceSubrange(0..<8, with: Self.box("ftyp", 32))
    bytes.replaceSubrange(32..<40, with: Self.box("mdat", sound - 32))
    bytes.replaceSubrange(sound..<sound + 8, with: Self.box("moov", size - sound))
    serve(bytes)
    let (media, stream) = try await open()
    #expect(await read(stream, 40) != nil)
    #expect(await read(stream, size - sound, at: sound) != nil)
    #expect(await read(stream, 2_000_000, at: 40) != nil)
    #expect(!media.wasReadToItsEnd)
    #expect(await read(stream, sound - 2_000_040) != nil)
    #expect(media.wasReadToItsEnd)
    stream.close()
    await media.close()
  }

  @Test func `an MP3 whose length nothing proves is not measured by the bytes that came`() async throws {
    let frames = try await Tone(seconds: 60, sampleRate: 22_050).encoded(as: "mp3", options: [])
    server.serve("/1.mp3", Response.ok(Array(frames[..<100_000]), type: "audio/mpeg").withoutLength())
    let (media, stream) = try await open()
    #expect(await read(stream, .max)?.count == 100_000)
    guard case .bytes(let source) = media.source, let streamed = source as? StreamedMedia else { throw Unplayable() }
    #expect(streamed.unprovenSize == 100_000)
    let access = await streamed.access(try await show.entry().episode, position: .zero)
    guard case .plain = access else {
      Issue.record("\(access)")
      return
    }
    stream.close()
    await media.close()
  }

  @Test func `a jump fetches what is there, and coming back fetches nothing`() async throws {
    serve()
    let (media, stream) = try await open()
    #expect(await read(stream, 1000) == Array(self.bytes[..<1000]))
    #expect(await read(stream, 1000, at: 25_000_000) == Array(self.bytes[25_000_000..<25_001_000]))
    stream.close()
    await media.close()
    let before = server.requests.count
    let (again, second) = try await open(isOffline: true)
    #expect(await read(second, 1000, at: 25_000_000) == Array(self.bytes[25_000_000..<25_001_000]))
    #expect(await read(second, 1000, at: 0) == Array(self.bytes[..<1000]))
    second.close()
    await again.close()
    #expect(server.requests.count == before)
  }

  @Test func `offline the missing is said to be missing`() async throws {
    serve()
    let (media, stream) = try await open()
    #expect(await read(stream, 1000)?.count == 1000)
    stream.close()
    await media.close()
    let (again, second) = try await open(isOffline: true)
    #expect(await read(second, 1000, at: 29_000_000) == nil)
    #expect(again.fault == .offline)
    second.close()
    await again.close()
  }

  @Test func `only as much as will soon be heard is fetched`() async throws {
    serve()
    let (media, stream) = try await open()
    #expect(await read(stream, 3_000_000)?.count == 3_000_000)
    try await server.wait(for: "rest") { exchanges in
      exchanges.reduce(0) { $0 + $1.bytesSent } >= Int(FillPlan.lowWater)
        && exchanges.allSatisfy { $0.end == .complete }
    }
    stream.close()
    await media.close()
    let row = try #require(try await row())
    #expect(row.received > FillPlan.lowWater / 2 && row.received <= 3 * FillPlan.lowWater)
    #expect(row.ranges == [0..<row.received] && row.state == .paused)
  }

  @Test func `no byte is fetched twice, whatever the order`() async throws {
    serve()
    let (media, stream) = try await open()
    for offset in [29_999_000, 0, 15_000_000, 14_000_000, 22_000_000, 3_000_000] {
      let expected = Array(self.bytes[offset..<min(offset + 2_000_000, self.bytes.count)])
      #expect(await read(stream, 2_000_000, at: offset) == expected)
    }
    #expect(await read(stream, .max, at: 0) == self.bytes)
    stream.close()
    await media.close()
    #expect(try contents(of: path) == self.bytes)
  }

  @Test func `on what is here the file that was swapped has no effect, and what is missing is gone`() async throws {
    serve()
    let (media, stream) = try await open()
    #expect(await read(stream, 1000, at: 20_000_000)?.count == 1000)
    stream.close()
    await media.close()
    serve([UInt8](repeating: 7, count: 30_000_000), etag: "\"two\"")
    let (again, second) = try await open()
    #expect(await read(second, 1000, at: 20_000_000) == Array(self.bytes[20_000_000..<20_001_000]))
    #expect(await read(second, 1000, at: 10_000_000) == nil)
    #expect(again.fault == .changed)
    second.close()
    await again.close()
  }

  @Test func `a server without ranges fills in order, and says so`() async throws {
    let gate = Gate()
    let resource = Response.resource(bytes, type: "audio/mpeg", etag: "\"one\"", ranges: .ignored)
    server.serve("/1.mp3") { resource.answering($0).pausing(at: 2_000_000, until: gate) }
    let notes = Observed<[MediaNote?]>([])
    let (media, stream) = try await open { note in notes.update { $0.append(note) } }
    #expect(await read(stream, 1000)?.count == 1000)
    async let later = read(stream, 1000, at: 20_000_000)
    try await notes.wait(for: "a word about the wait") { $0.contains(.waitingInOrder) }
    gate.open()
    #expect(await later == Array(self.bytes[20_000_000..<20_001_000]))
    stream.close()
    await media.close()
    #expect(server.requests.count == 1)
  }

  @Test func `a server that refuses every range is read whole`() async throws {
    serve(ranges: .refused)
    let (media, stream) = try await open()
    #expect(await read(stream, 1000, at: 20_000_000) == Array(self.bytes[20_000_000..<20_001_000]))
    stream.close()
    await media.close()
  }

  @Test(arguments: ["<html>Sorry</html>", "#EXTM3U\n1.ts", "[playlist]"])
  func `a web page or a playlist is said to be no media file`(body: String) async throws {
    server.serve("/1.mp3", .ok(body, type: "audio/mpeg"))
    let (media, stream) = try await open()
    #expect(await read(stream, 1) == nil)
    guard case .notMedia? = media.fault else { throw Unplayable() }
    stream.close()
    await media.close()
  }

  /// Heard in part, and then something happened.
  private func heard(then change: (inout MediaRecord) async throws -> Void) async throws -> RangeMap {
    serve()
    let (media, stream) = try await open()
    #expect(await read(stream, 1000)?.count == 1000)
    stream.close()
    await media.close()
    var row = try #require(try await row())
    try await change(&row)
    try await store.save(row)
    let name = try #require(MediaFilePath(path: path, in: show.folder))
    return try PartialFile(name, in: show.folder).present(of: row, at: server.url("/1.mp3"))
  }

  @Test func `what the library was told, or the note says, is believed`() async throws {
    #expect(try await heard { _ in }.count >= 1000)
    #expect(try await heard { $0.ranges = [] }.count >= 1000)
  }

  @Test func `a note from before the system's last start is not believed`() async throws {
    let map = try await heard { row in
      row.ranges = [0..<500]
      let note = RangeNote(boot: "another", token: try #require(row.rendition), map: RangeMap([0..<1000])).text
      _ = try show.home.write(note, to: "media/1-Show/1-One.mp3.part.map")
    }
    #expect(map.ranges == [0..<500])
  }

  @Test func `a note of another version of the file is not believed`() async throws {
    #expect(
      try await heard { row in
        row.ranges = []
        row.rendition = "another"
      }.isEmpty)
  }

  @Test func `nothing is believed of a file that is shorter than it should be`() async throws {
    #expect(try await heard { _ in _ = truncate(path + ".part", 100) }.isEmpty)
  }

  @Test func `without anything to tell versions by, what is here counts only once it is whole`() async throws {
    #expect(try await heard { ($0.etag, $0.lastModified) = (nil, nil) }.isEmpty)
  }

  @Test func `a file that got its name right before a kill is known to be whole`() async throws {
    serve()
    let (media, stream) = try await open()
    #expect(await read(stream, .max) == self.bytes)
    stream.close()
    await media.close()
    var row = try #require(try await row())
    row.state = .paused
    row.received = 1000
    try await store.save(row)
    server.stop()
    try await show.download()
    #expect(try await self.row()?.state == .complete)
    #expect(try await self.row()?.received == Int64(self.bytes.count))
  }

  @Test func `credentials of a private feed go to its own origin, and to no other`() async throws {
    serve()
    let other = try LoopbackServer(host: "127.0.0.2")
    let resource = Response.resource(bytes, type: "audio/mpeg", etag: "\"one\"")
    other.serve("/2.mp3") { resource.answering($0) }
    let secret = Secret(address: nil, credentials: .init(user: "me", password: "sesame"))
    #expect(Secrets(folder: show.home.path).keep(secret, for: server.url("/feed.xml")))
    let entry = try #require(try await store.playlist().first)
    for address in [server.url("/1.mp3"), other.url("/2.mp3")] {
      let credentials = HTTPRequest(mediaAt: address, of: entry.podcast, secret).credentials
      #expect((credentials != nil) == address.hasPrefix(server.origin))
    }
    let (media, stream) = try await open()
    #expect(await read(stream, 1000)?.count == 1000)
    stream.close()
    await media.close()
    #expect(server.requests(to: "/1.mp3").allSatisfy { $0.header("Authorization")?.hasPrefix("Basic ") == true })
  }

  /// Answers every range, with this text for the length of the file.
  private func serve(lengthToldAs length: String) {
    server.serve("/1.mp3") { [bytes] request in
      let bounds = (request.header("Range") ?? "bytes=0-").dropFirst("bytes=".count).split(separator: "-")
      let first = bounds.first.flatMap { Int($0) } ?? 0
      let last = min(bounds.count > 1 ? Int(bounds[1]) ?? .max : .max, bytes.count - 1)
      guard first < bytes.count else { return .status(416).header("Content-Range", "bytes */\(bytes.count)") }
      var response = Response.ok(Array(bytes[first...last]), type: "audio/mpeg")
      response.status = 206
      return response.header("Content-Range", "bytes \(first)-\(last)/\(length)").header("ETag", "\"one\"")
    }
  }

  @Test(.timeLimit(.minutes(1)), arguments: ["*", "99999999999999999", "9223372036854775807"])
  func `a file whose length is not told, or cannot be, is read to its end`(length: String) async throws {
    serve(lengthToldAs: length)
    let (media, stream) = try await open()
    #expect(await offPool { stream.size } == nil)
    #expect(await read(stream, .max) == self.bytes)
    #expect(await offPool { !stream.seek(to: .max - 1) && stream.seek(to: 1000) })
    stream.close()
    await media.close()
  }

  @Test(arguments: [
    ("<html>Log in</html>", "text/html; charset=utf-8"), ("<html>Gone</html>", "audio/mpeg"), ("", "audio/mpeg"),
  ])
  func `a page or nothing in the file's place is waited out, and what is here stays`(
    page: String, type: String
  ) async throws {
    serve()
    let (media, stream) = try await open()
    #expect(await read(stream, 1000) == Array(self.bytes[..<1000]))
    try await server.wait(for: "the end of the first ranges") { $0.allSatisfy { $0.end != .underway } }
    let before = server.requests.count
    let resource = Response.resource(self.bytes, type: "audio/mpeg", etag: "\"one\"")
    server.serve("/1.mp3") { [server] request in
      server.requests.count <= before + 2
        ? Response.ok(page, type: type) : resource.answering(request)
    }
    #expect(await read(stream, .max, at: 0) == self.bytes)
    #expect(server.requests.dropFirst(before + 2).allSatisfy { $0.header("Range")?.hasPrefix("bytes=0-") != true })
    stream.close()
    await media.close()
  }

  @Test func `where the disk is full, the rest is of the same file or not heard`() async throws {
    serve()
    let (media, stream) = try await open()
    #expect(await read(stream, 1000) == Array(self.bytes[..<1000]))
    guard case .bytes(let source as StreamedMedia) = media.source else { throw Unplayable() }
    serve(self.bytes.reversed(), etag: "\"two\"")
    let rest = try #require(source.inMemory(from: 20_000_000).openReader())
    #expect(await read(rest, 1000, at: 20_000_000) == nil)
    #expect(source.fault == .changed)
    rest.close()
    stream.close()
    await media.close()
  }

  @Test func `a reader that is cancelled where the disk is full ends its transfer`() async throws {
    let resource = Response.resource(bytes, type: "audio/mpeg", etag: "\"one\"")
    server.serve("/1.mp3") { request in
      // The fill of the file asks for a range with an end. It must not have the bytes before the fault is there.
      let isOfFile = request.header("Range")?.hasPrefix("bytes=20000000-2") == true
      return isOfFile ? resource.answering(request).neverAnswering() : resource.answering(request)
    }
    let (media, stream) = try await open()
    guard case .bytes(let source as StreamedMedia) = media.source else { throw Unplayable() }
    #expect(await read(stream, 1000) == Array(self.bytes[..<1000]))
    try await server.wait(for: "the end of the first ranges") { $0.allSatisfy { $0.end != .underway } }
    let reader = MediaReader(source)
    #expect(await offPool { reader.seek(to: 20_000_000) })
    source.fill.state.change { $0.fault = .disk(.tooLarge(limit: 1)) }
    #expect(await read(reader, 1000) == Array(self.bytes[20_000_000..<20_001_000]))
    reader.cancel()
    try await server.wait(for: "the end of the transfer") { exchanges in
      exchanges.contains { $0.request.header("Range") == "bytes=20000000-" && $0.end == .abandoned }
    }
    stream.close()
    await media.close()
  }

  @Test func `a read that waits ends when it is cancelled`() async throws {
    let resource = Response.resource(bytes, type: "audio/mpeg", etag: "\"one\"")
    server.serve("/1.mp3") { resource.answering($0).stalling(at: 1_000_000) }
    let (waits, waiting) = AsyncStream<Void>.makeStream()
    let (media, stream) = try await open { if $0 != nil { waiting.finish() } }
    async let bytes = read(stream, 2_000_000)
    for await _ in waits {}
    stream.cancel()
    #expect(await bytes == nil)
    stream.close()
    await media.close()
  }

  @Test func `a connection that breaks again and again is taken up where it broke`() async throws {
    let resource = Response.resource(bytes, type: "audio/mpeg", etag: "\"one\"")
    server.serve("/1.mp3") { resource.answering($0).truncated(at: 3_000_000) }
    let (media, stream) = try await open()
    #expect(await read(stream, 12_000_000) == Array(self.bytes[..<12_000_000]))
    stream.close()
    await media.close()
  }

  @Test func `a download of what was half heard fetches the rest and no more`() async throws {
    serve()
    let (media, stream) = try await open()
    #expect(await read(stream, 1000)?.count == 1000)
    #expect(await read(stream, 1000, at: 20_000_000)?.count == 1000)
    stream.close()
    await media.close()
    let here = try #require(try await row()).received
    let before = server.exchanges.count
    try await show.download()
    #expect(try contents(of: path) == self.bytes)
    let sent = server.exchanges.dropFirst(before).reduce(0) { $0 + $1.bytesSent }
    #expect(Int64(sent) == Int64(self.bytes.count) - here)
    #expect(try await row()?.isKept == true)
  }
}
