import Glibc
import Playback
import PodcastModel
import PodcastStore
import TestSupport
import Testing

@testable import Podcatcher

/// An Opus file of which only the beginning and five seconds around a place are here, and no more is to be had.
/// The feed says nothing of its length.
@Suite struct OggPartTests {
  private static let steady = Task {
    try await RisingSound.encoded(["-c:a", "libopus", "-vbr", "off", "-b:a", "256k"], as: "opus")
  }
  private let show: OneEpisode
  private let speaker: String

  init() async throws {
    show = try await OneEpisode(ending: "opus", type: "audio/ogg")
    speaker = "pcm:ao-pcm-file=\(show.home.path)/heard.wav"
    let bytes = try await Self.steady.value
    show.serve(bytes)
    let medium = try await show.medium()
    _ = try await show.hear(medium, from: .seconds(148))
    await medium.close()
    try await keepOnly(upTo: 200_000, around: Int64(Double(bytes.count) * 150 / RisingSound.seconds))
    try await show.store.savePosition(.seconds(150), of: show.id, byte: nil, urgency: .flush)
  }

  private func keepOnly(upTo head: Int64, around middle: Int64) async throws {
    var row = try #require(try await show.row())
    let stretch = try #require(row.ranges.first { $0.contains(middle) })
    row.ranges = [0..<head, stretch.clamped(to: head + 1..<middle + 100_000)]
    try await show.store.save(row)
    unlink(show.path + ".part.map")
  }

  // MARK: Listening

  private struct Heard {
    /// As they are shown.
    var positions: [Double] = []
    var durations: [Duration] = []
    var wasChanged = false
  }

  /// Resumes, and listens until it ends or `isEnough`.
  private func resume(
    on output: String = "null", isOffline: Bool = false,
    until isEnough: @escaping @Sendable (Heard, MPVPlayer) -> Bool = { _, _ in false }
  ) async throws -> (heard: Heard, ended: Result<EndVerdict, any Error>) {
    let player = MPVPlayer(audioOutput: output)
    let heard = Observed(Heard())
    var settings = Listener.Settings()
    settings.rewinds = false
    let listener = Listener(
      store: show.store, player: player, library: try show.library(isOffline: isOffline),
      settings: { [settings] _ in settings },
      report: { if case .fileChanged = $0 { heard.update { $0.wasChanged = true } } })
    let events = player.events()
    let watching = Task {
      for await _ in events {
        guard let now = listener.nowPlaying, let position = now.snapshot.position else { continue }
        let soFar = heard.update { heard in
          heard.positions.append(position / .seconds(1))
          heard.durations += now.snapshot.duration.map { [$0] } ?? []
          return heard
        }
        if isEnough(soFar, player) { await listener.stop() }
      }
    }
    let entry = try await show.entry()
    let ended: Result<EndVerdict, any Error>
    do { ended = .success(try await listener.listen(to: entry, from: .resume)) } catch { ended = .failure(error) }
    player.close()
    await watching.value
    return (heard.value, ended)
  }

  /// By the library.
  private func place() async throws -> Double {
    let status = try await show.entry().status
    #expect(!status.hasCompleted)
    return try #require(status.lastListenTime) / .seconds(1)
  }

  private func serveAnotherFile() { show.serve([UInt8](repeating: 7, count: 3_000_000), etag: "\"two\"") }

  @Test func `of a file that was changed, what is here plays at its place`() async throws {
    serveAnotherFile()
    _ = try await resume(on: speaker) { heard, _ in heard.positions.count > 2 }
    let sound = try contents(of: show.home.path + "/heard.wav")
    #expect(abs(try RisingSound.moment(sound) - 150) < 0.3)
  }

  @Test func `its clock is that of the whole, and a jump goes as far as there is something`() async throws {
    serveAnotherFile()
    let hasJumped = Observed(false)
    let (heard, ended) = try await resume { heard, player in
      let last = heard.positions.last ?? 0
      if last > 151, !hasJumped.value {
        hasJumped.update { $0 = true }
        player.seek(to: .seconds(60))
      }
      // Until it has landed, what was wished is told.
      return hasJumped.value && (61..<149).contains(last)
    }
    #expect(try ended.get() == .stopped, "\(heard)")
    #expect(heard.positions.allSatisfy { $0 == 60 || (146..<154).contains($0) }, "\(heard)")
    #expect(heard.durations.isEmpty, "\(heard)")
    #expect(abs(try await place() - (heard.positions.last ?? 0)) < 0.5, "\(heard)")
  }

  @Test func `its end is not that of the episode: the place is kept, and the reason told`() async throws {
    let (heard, ended) = try await resume(isOffline: true)
    #expect(throws: ListenError.media(.offline)) { try ended.get() }
    #expect((152..<154).contains(heard.positions.last ?? 0), "\(heard)")
    #expect(abs(try await place() - (heard.positions.last ?? 0)) < 0.5, "\(heard)")
  }

  @Test func `behind its end it goes on with the rest, once that is to be had again`() async throws {
    let bytes = try await Self.steady.value
    show.server.serve("/1.opus", .status(503))
    let (heard, ended) = try await resume { [show] heard, _ in
      if heard.positions.last ?? 0 > 151 { show.serve(bytes) }
      return heard.positions.last ?? 0 > 156
    }
    #expect(try ended.get() == .stopped, "\(heard)")
    #expect(!heard.wasChanged)
    #expect(try await place() > 155)
  }

  @Test func `behind its end it goes on in the new file`() async throws {
    show.serve(try await RisingSound.encoded(["-c:a", "libopus", "-b:a", "64k"], as: "opus"), etag: "\"two\"")
    let (heard, ended) = try await resume { heard, _ in heard.positions.last ?? 0 > 155 }
    #expect(try ended.get() == .stopped)
    #expect(heard.wasChanged)
    #expect(zip(heard.positions, heard.positions.dropFirst()).allSatisfy { abs($1 - $0) < 0.5 }, "\(heard)")
    #expect(try await place() > 155)
  }
}

@Suite struct OggPagesTests {
  @Test(arguments: [["-c:a", "libopus", "-b:a", "96k"], ["-c:a", "libvorbis", "-q:a", "4"]])
  func `what is here of a file is known by its pages`(options: [String]) async throws {
    let bytes = try await RisingSound.encoded(options, as: "ogg")
    let read = { (place: Int64, count: Int) in Array(bytes.dropFirst(Int(place)).prefix(count)) }
    let layout = try #require(OggLayout(read))
    let middle = Int64(bytes.count / 2)
    let map = RangeMap([0..<200_000, middle..<middle + 400_000])
    let here = { (place: Int64, count: Int) in read(place, min(count, Int(map.end(from: place) - place))) }
    let stretch = try #require(layout.stretch(around: .seconds(130), in: map, here))
    #expect(stretch.bytes.lowerBound >= middle && stretch.bytes.upperBound <= middle + 400_000)
    #expect(OggPage(read(stretch.bytes.lowerBound, OggPage.longestHead))?.isContinued == false)
    #expect(stretch.moments.lowerBound > .seconds(100) && stretch.moments.upperBound < .seconds(180))
    #expect(layout.stretch(around: .seconds(200), in: map, here) == nil)
  }

  @Test func `a page with a hole in it is not here`() async throws {
    let bytes = try await RisingSound.encoded(["-c:a", "libvorbis", "-q:a", "0"], as: "ogg")
    let read = { (place: Int64, count: Int) in Array(bytes.dropFirst(Int(place)).prefix(count)) }
    let pages = Array(OggPages(from: 0, read))
    let broken = pages[pages.count / 2].bytes
    let map = RangeMap([0..<broken.lowerBound + 100, broken.lowerBound + 200..<Int64(bytes.count)])
    let stretch = try #require(OggLayout(read)?.stretch(around: .seconds(30), in: map, read))
    #expect(stretch.bytes.upperBound == broken.lowerBound)
  }

  @Test func `a file that begins late is not of its own clock`() async throws {
    let bytes = try await RisingSound.encoded(["-c:a", "libopus", "-b:a", "32k"], as: "opus")
    let read = { (place: Int64, count: Int) in Array(bytes.dropFirst(Int(place)).prefix(count)) }
    #expect(OggLayout(read) != nil)
    var late = bytes
    for page in OggPages(from: 0, read) where page.page.samples ?? 0 > 0 {
      // Some minutes of Opus: in the count of samples, the fourth byte.
      late[Int(page.bytes.lowerBound) + 6 + 3] += 16
    }
    let readLate = { [late] (place: Int64, count: Int) in Array(late.dropFirst(Int(place)).prefix(count)) }
    #expect(OggLayout(readLate) == nil)
  }

  @Test func `a file that was joined to it is not of its clock`() async throws {
    let bytes = try await RisingSound.encoded(["-c:a", "libvorbis", "-q:a", "0"], as: "ogg")
    var other = bytes
    for page in OggPages(from: 0, { Array(bytes.dropFirst(Int($0)).prefix($1)) }) {
      other[Int(page.bytes.lowerBound) + 14] ^= 1
    }
    let joined = bytes + other
    let read = { (place: Int64, count: Int) in Array(joined.dropFirst(Int(place)).prefix(count)) }
    let all = RangeMap([0..<Int64(joined.count)])
    let stretch = try #require(OggLayout(read)?.stretch(around: .seconds(100), in: all, read))
    #expect(stretch.bytes.upperBound == Int64(bytes.count))
    let second = RangeMap([Int64(bytes.count)..<Int64(joined.count)])
    #expect(OggLayout(read)?.stretch(around: .seconds(100), in: second, read) == nil)
  }

  @Test func `what is no Ogg, or cut off, is none`() {
    let page = Array("OggS".utf8) + [UInt8](repeating: 0, count: 22)
    for bytes in [[], Array("RIFF".utf8), page, page + [1], page + [255] + [UInt8](repeating: 255, count: 255)] {
      #expect(OggLayout { place, count in Array(bytes.dropFirst(Int(place)).prefix(count)) } == nil)
    }
  }
}
