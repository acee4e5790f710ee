import Glibc
import Playback
import PodcastModel
import PodcastStore
import TestSupport
import Testing
import Transfer

@testable import Podcatcher

/// Real libmpv on MP3s whose frames differ. What is heard says itself when it is: its pitch rises all the time.
@Suite struct TimedMediaTests {
  private let show: OneEpisode

  init() async throws { show = try await OneEpisode() }

  private func media() async throws -> OpenedMedia { try await show.media() }

  private func serve(_ options: [String]) async throws -> [UInt8] {
    let bytes = try await RisingSound.encoded(options)
    show.serve(bytes)
    return bytes
  }

  /// Heard from an unknown position on, and kept.
  private func approximate(at position: Duration) async throws -> Double {
    let media = try await media()
    let heard = try await show.hear(media, from: position)
    let byte = try #require(await media.heardByte(at: position))
    #expect(!byte.isExact)
    await media.close()
    try await show.store.savePosition(position, of: show.id, byte: byte, urgency: .flush)
    return heard
  }

  private static let kinds: [[String]] = [["-q:a", "5"], ["-q:a", "5", "-write_xing", "0"]]

  @Test(arguments: zip(kinds, [6.0, 60]))
  func `an approximate position is near, costs little, and stays: the next session hears the same`(
    options: [String], error: Double
  ) async throws {
    _ = try await serve(options)
    let heard = try await approximate(at: .seconds(180))
    #expect(abs(heard - 180) < error)
    let media = try await media()
    #expect(media.position == nil)
    #expect(abs(try await show.hear(media, from: .seconds(180)) - heard) < 0.3)
    // A step back is one from there.
    #expect(abs(try await show.hear(media, from: .seconds(182)) - heard - 2) < 0.3)
    await media.close()
  }

  @Test(arguments: kinds) func `once all of it is here, a kept approximate position becomes exact`(options: [String])
    async throws
  {
    _ = try await serve(options)
    let heard = try await approximate(at: .seconds(180))
    try await show.download()
    let media = try await media()
    let position = try #require(media.position)
    #expect(abs(position / .seconds(1) - heard) < 0.3)
    #expect(abs(try await show.hear(media, from: position) - heard) < 0.3)
  }

  @Test(arguments: kinds) func `what was read in line is found exactly, and without the network`(
    options: [String]
  ) async throws {
    let bytes = try await serve(options)
    let first = try await media()
    _ = try await show.hear(first, from: .zero)
    guard case .bytes(let source) = first.source, let stream = source.open() else { return }
    await offPool {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      for _ in 0..<bytes.count / buffer.count { _ = buffer.withUnsafeMutableBytes { stream.read(into: $0) } }
    }
    stream.close()
    for wanted in [31.0, 77.7, 120] {
      #expect(abs(try await show.hear(first, from: .milliseconds(Int64(wanted * 1000))) - wanted) < 0.15)
      #expect(await first.heardByte(at: .milliseconds(Int64(wanted * 1000)))?.isExact == true)
    }
    await first.close()
  }

  @Test(arguments: kinds, [0, 3, 14.0])
  func `an exact position whose bytes are gone is found again, and what lies a little before it`(
    options: [String], back: Double
  ) async throws {
    let bytes = try await serve(options)
    try await show.download()
    let whole = try await media()
    let byte = try #require(await whole.heardByte(at: .seconds(180)))
    #expect(byte.isExact && byte.fileSize == bytes.count)
    await whole.close()
    try await show.store.savePosition(.seconds(180), of: show.id, byte: byte, urgency: .flush)
    #expect(unlink(show.path) == 0)
    try await show.store.removeMedia(of: show.id)
    let media = try await media()
    #expect(media.position == nil)
    #expect(abs(try await show.hear(media, from: .seconds(180 - back)) - 180 + back) < 0.3)
    #expect(await media.heardByte(at: .seconds(180 - back))?.isExact == true)
    await media.close()
  }

  @Test func `of a file of another size the kept byte is passed over`() async throws {
    _ = try await serve(Self.kinds[1])
    let stale = HeardByte(offset: 20_000, fileSize: 1, isExact: true)
    try await show.store.savePosition(.seconds(180), of: show.id, byte: stale, urgency: .flush)
    let media = try await media()
    #expect(try await show.hear(media, from: .seconds(180)) > 60)
    #expect(await media.heardByte(at: .seconds(180))?.isExact == false)
    await media.close()
  }

  @Test func `where everything comes in order, every position is exact`() async throws {
    let bytes = try await RisingSound.encoded(["-q:a", "5"])
    show.serve(bytes, ranges: .ignored)
    let media = try await media()
    #expect(abs(try await show.hear(media, from: .seconds(150)) - 150) < 0.15)
    #expect(await media.heardByte(at: .seconds(150))?.isExact == true)
    await media.close()
  }
}
