import Glibc
import Playback
import PodcastModel
import PodcastStore
import TestSupport
import Testing
import Transfer

@testable import Podcatcher

/// Real libmpv on MP3s whose frames differ. What is heard says itself when it is: its pitch rises all the time.
@Suite struct TimedMediumTests {
  private let home: TemporaryHome
  private let server: LoopbackServer
  private let store: PodcastStore
  private let id = EpisodeID(rawValue: 1)
  private static let seconds = 240.0
  private var path: String { home.path + "/media/1-Show/1-One.mp3" }

  init() async throws {
    home = try TemporaryHome()
    server = try LoopbackServer()
    store = try PodcastStore(path: home.path + "/library.db")
    var feed = Feed()
    feed.title = "Show"
    var episode = FeedEpisode()
    episode.guid = "1"
    episode.title = "One"
    episode.enclosure = Enclosure(url: server.url("/1.mp3"), type: "audio/mpeg", length: nil)
    feed.episodes = [episode]
    _ = try await store.subscribe(to: feed, at: server.url("/feed.xml"))
  }

  // MARK: A sound that says when it is

  /// On the left a pitch that rises by 20 Hz a second; on the right now noise, now nothing, so that the frames differ.
  private static func sound(_ options: [String]) async throws -> [UInt8] {
    let home = try TemporaryHome()
    let left = "0.5*sin(2*PI*(300*t+10*t*t))"
    let right = "0.3*(random(0)-0.5)*lt(mod(t\\,70)\\,40)"
    let source = "aevalsrc=\(left)|\(right):s=32000:d=\(seconds)"
    let target = home.path + "/sound.mp3"
    let arguments = ["-nostdin", "-v", "error", "-f", "lavfi", "-i", source] + options + ["-bitexact", target]
    let ended = try await Program("ffmpeg", arguments, environment: home.environment).run()
    guard ended.status == .exited(0) else { throw Overdue("ffmpeg", seen: ended.description) }
    return try contents(of: target)
  }

  /// By how often the left side of what was heard crosses zero in a fifth of a second.
  private static func moment(_ wave: [UInt8]) throws -> Double {
    let data = try #require(wave.firstIndex(ofWord: "data")) + 8
    let (channels, rate, width) = (Int(wave[22]), Int(wave[24]) | Int(wave[25]) << 8, Int(wave[34]) / 8)
    let (skipped, count) = (rate / 5, rate / 5)
    try #require(wave.count >= data + (skipped + count) * channels * width)
    // The sign is in the last byte of a sample, be it a float or an integer.
    let signs = (0..<count).map { wave[data + ((skipped + $0) * channels + 1) * width - 1] >> 7 }
    let crossings = zip(signs, signs.dropFirst()).count { $0 != $1 }
    let pitch = Double(crossings) / 2 / (Double(count) / Double(rate))
    // In the middle of what was looked at it was this moment.
    return (pitch - 300) / 20 - 0.3
  }

  /// When it really was, in seconds.
  private func hear(_ medium: Podcatcher.Medium, from start: Duration) async throws -> Double {
    let output = home.path + "/heard.wav"
    let player = MPVPlayer(audioOutput: "pcm:ao-pcm-file=" + output)
    let events = player.events()
    player.load(medium, from: start)
    for await event in events {
      if case .position(_, let position) = event, position - start > .seconds(1) { player.stop() }
      if case .ended = event { break }
    }
    player.close()
    for await event in events { if case .closed = event { break } }
    return try Self.moment(try contents(of: output))
  }

  private func medium() async throws -> Podcatcher.Medium {
    let client = try HTTPClient()
    let library = MediaLibrary(store: store, media: home.path + "/media", secrets: Secrets(folder: home.path)) {
      () throws(TransferError) in client
    }
    return try await library.medium(of: try #require(try await store.playlist().first))
  }

  private func serve(_ options: [String]) async throws -> [UInt8] {
    let bytes = try await Self.sound(options)
    let resource = Response.resource(bytes, type: "audio/mpeg", etag: "\"one\"")
    server.serve("/1.mp3") { resource.answering($0) }
    return bytes
  }

  private func download() async throws {
    let client = try HTTPClient()
    let downloader = Downloader(
      store: store, media: home.path + "/media", secrets: Secrets(folder: home.path), client: { client },
      report: { _ in })
    await downloader.download(try await store.playlist())
  }

  /// Heard from an unknown place on, and kept.
  private func guess(at position: Duration) async throws -> Double {
    let medium = try await medium()
    let heard = try await hear(medium, from: position)
    let byte = try #require(await medium.guessedByte(at: position))
    await medium.close()
    try await store.savePosition(position, of: id, byte: byte, urgency: .flush)
    return heard
  }

  private static let kinds: [[String]] = [["-q:a", "5"], ["-q:a", "5", "-write_xing", "0"]]

  @Test(arguments: zip(kinds, [6.0, 60]))
  func `a guess is near, costs little, and stays: who comes back hears the same`(
    options: [String], error: Double
  ) async throws {
    _ = try await serve(options)
    let heard = try await guess(at: .seconds(180))
    #expect(abs(heard - 180) < error)
    let medium = try await medium()
    #expect(medium.place == nil)
    #expect(abs(try await hear(medium, from: .seconds(180)) - heard) < 0.3)
    // A step back is one from there.
    #expect(abs(try await hear(medium, from: .seconds(182)) - heard - 2) < 0.3)
    await medium.close()
  }

  @Test(arguments: kinds) func `once all of it is here, a guess that was kept is put right`(options: [String])
    async throws
  {
    _ = try await serve(options)
    let heard = try await guess(at: .seconds(180))
    try await download()
    let medium = try await medium()
    let place = try #require(medium.place)
    #expect(abs(place / .seconds(1) - heard) < 0.3)
    #expect(abs(try await hear(medium, from: place) - heard) < 0.3)
  }

  @Test(arguments: kinds) func `what was read in line is found exactly, and without the network`(
    options: [String]
  ) async throws {
    let bytes = try await serve(options)
    let first = try await medium()
    _ = try await hear(first, from: .zero)
    guard case .bytes(let source) = first.source, let stream = source.open() else { return }
    await offPool {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      for _ in 0..<bytes.count / buffer.count { _ = buffer.withUnsafeMutableBytes { stream.read(into: $0) } }
    }
    stream.close()
    for wanted in [31.0, 77.7, 120] {
      #expect(abs(try await hear(first, from: .milliseconds(Int64(wanted * 1000))) - wanted) < 0.15)
      #expect(await first.guessedByte(at: .milliseconds(Int64(wanted * 1000))) == nil)
    }
    await first.close()
  }

  @Test func `where everything comes in order, nothing is guessed`() async throws {
    let bytes = try await Self.sound(["-q:a", "5"])
    let resource = Response.resource(bytes, type: "audio/mpeg", etag: "\"one\"", ranges: .ignored)
    server.serve("/1.mp3") { resource.answering($0) }
    let medium = try await medium()
    #expect(abs(try await hear(medium, from: .seconds(150)) - 150) < 0.15)
    #expect(await medium.guessedByte(at: .seconds(150)) == nil)
    await medium.close()
  }
}

extension MPVPlayer {
  fileprivate func load(_ medium: Podcatcher.Medium, from start: Duration) {
    _ = try? load(medium.source, LoadOptions(start: start, isScalable: medium.isScalable))
  }
}

extension [UInt8] {
  fileprivate func firstIndex(ofWord word: String) -> Int? {
    indices.first { self[$0...].starts(with: word.utf8) }
  }
}
