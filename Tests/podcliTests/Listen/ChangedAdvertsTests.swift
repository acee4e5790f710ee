import Glibc
import PodcastModel
import PodcastStore
import TestSupport
import Testing

/// The publisher lays other adverts into an episode. Real MP3s, the real program.
@Suite struct ChangedAdvertsTests {
  private let stage: Stage
  private let talk: [UInt8]
  private let adverts: [UInt8]
  private let change = Gate()

  init() async throws {
    stage = try Stage(episodes: 1, seconds: 1)
    let feed = SampleFeed(
      episodes: 1, mediaBase: stage.server.url("/media"), mediaEnding: "mp3", mediaType: "audio/mpeg", seconds: 102)
    stage.server.serve("/feed.xml", Response.feed(feed.bytes))
    talk = try await StitchedMP3.noise(seconds: 90, seed: 1)
    adverts = try await StitchedMP3.noise(seconds: 60, seed: 2)
    try await stage.subscribe()
    try #require(try await stage.run("config", "set", "auto-measure=off").status == .exited(0))
  }

  /// The talk, with an advert of so many seconds at its beginning, and one at 48 s.
  private func episode(_ first: Double, _ second: Double) -> [UInt8] {
    let middle = StitchedMP3.size(of: 48)
    var bytes = Array(adverts.prefix(StitchedMP3.size(of: first)))
    bytes += talk.prefix(middle)
    bytes += adverts.suffix(StitchedMP3.size(of: second))
    return bytes + talk.dropFirst(middle)
  }

  private func serve(_ bytes: [UInt8], _ etag: String) {
    let resource = Response.resource(bytes, type: "audio/mpeg", etag: etag)
    stage.server.serve("/media/1.mp3") { resource.answering($0) }
  }

  @Test func `a bookmark, a skip, a tied transcript and the place follow through two changes`() async throws {
    serve(episode(12, 0), "\"a\"")
    #expect(try await stage.run("download", "1").status == .exited(0))
    let id = EpisodeID(rawValue: 1)
    try await stage.seed { store in
      try await store.savePosition(.seconds(72), of: id, urgency: .flush)
      try await store.addBookmark(at: .seconds(30), note: "here", in: id)
      try await store.addSkip(.seconds(80)..<(.seconds(84)), in: id)
      try await store.tieTranscript(of: id, at: TranscriptAnchor(said: .seconds(1), heard: .seconds(13)))
    }
    #expect(try await stage.run("downloads", "--remove", "1").status == .exited(0))
    serve(episode(24, 36), "\"b\"")
    let second = try await stage.run("download", "1")
    #expect(second.error.contains("the adverts changed: 1:12 is 2:00 now, and 3 marks moved with it"), "\(second)")
    #expect(try await stage.run("downloads", "--remove", "1").status == .exited(0))
    serve(episode(0, 12), "\"c\"")
    let third = try await stage.run("download", "1")
    #expect(third.error.contains("the adverts changed: 2:00 is 1:12 now, and 3 marks moved with it"), "\(third)")
    let library = try stage.library()
    #expect(try await stage.position(of: 1) == 72)
    #expect(try await library.bookmarks(of: id).map(\.position) == [.seconds(18)])
    #expect(try await library.skips(of: id) == [.seconds(80)..<(.seconds(84))])
    #expect(try await library.anchors(of: id).map(\.heard) == [.seconds(1)])
    let undone = try await stage.run("undo")
    #expect(undone.output.contains("Undone: moving the place and marks") || undone.error.contains("Undone: moving"))
    #expect(try await stage.position(of: 1) == 120)
  }

  /// `first` up to `end`; from the first request for more, `second`, once the change may come.
  private func serve(_ first: [UInt8], upTo end: Int, then second: [UInt8]) {
    let old = Response.resource(first, type: "audio/mpeg", etag: "\"a\"")
    let new = Response.resource(second, type: "audio/mpeg", etag: "\"b\"")
    let hasChanged = Observed(false)
    stage.server.serve("/media/1.mp3") { request in
      let start = request.header("Range").flatMap { Int($0.dropFirst(6).prefix { $0 != "-" }) } ?? 0
      if start == end { hasChanged.update { $0 = true } }
      if hasChanged.value { return new.answering(request).delayed(until: change) }
      return (start < end ? old.truncated(at: end - start) : old).answering(request)
    }
  }

  /// Where the bytes of the first file end, in seconds.
  private let heldBack = 84.0

  /// From 22 seconds before the end of the first file's bytes until that line is said. The file changes once a position is
  /// kept: an episode of which nothing was heard has no place to be found. A player without bytes keeps no first position.
  private func play(until line: String) async throws -> Outcome {
    let playing = try stage.home.podcli("play", "1", "--start", "1:02").setting("PODCLI_AO", "null").start()
    try await stage.wait(for: "a position") { store in
      try await store.episode(EpisodeID(rawValue: 1))?.status.lastListenTime != nil
    }
    change.open()
    try await playing.wait(forError: line)
    playing.send(SIGTERM)
    return try await playing.end()
  }

  @Test func `a file that changes while it plays goes on at the same moment`() async throws {
    serve(episode(12, 0), upTo: StitchedMP3.size(of: heldBack), then: episode(24, 36))
    let outcome = try await play(until: "The adverts changed: ")
    // It was heard up to where its bytes end, 1:24, or before.
    let line = try #require(outcome.error.split(separator: "\n").first { $0.contains("The adverts changed: ") })
    let times = line.split(separator: " ").compactMap { word -> Int? in
      let parts = word.split(separator: ":").compactMap { Int($0) }
      return parts.count == 2 ? parts[0] * 60 + parts[1] : nil
    }
    try #require(times.count == 2, "\(line)")
    #expect((62...84).contains(times[0]) && (47...49).contains(times[1] - times[0]), "\(line)")
    let position = try #require(try await stage.position(of: 1))
    #expect(position > 109 && position < 150)
  }

  @Test func `where the new file is another one, the old place is a bookmark`() async throws {
    serve(episode(12, 0), upTo: StitchedMP3.size(of: heldBack), then: try await StitchedMP3.noise(seconds: 90, seed: 3))
    _ = try await play(until: "The publisher changed the file")
    let bookmarks = try await stage.library().bookmarks(of: EpisodeID(rawValue: 1))
    #expect(bookmarks.count == 1 && bookmarks[0].note == "before the publisher changed the file", "\(bookmarks)")
    #expect(bookmarks.first.map { (62...85).contains($0.position.inSeconds) } == true, "\(bookmarks)")
  }
}
