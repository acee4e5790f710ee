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
  private let show: OneEpisode

  init() async throws { show = try await OneEpisode() }

  private func medium() async throws -> Podcatcher.Medium { try await show.medium() }

  private func serve(_ options: [String]) async throws -> [UInt8] {
    let bytes = try await RisingSound.encoded(options)
    show.serve(bytes)
    return bytes
  }

  /// Heard from an unknown place on, and kept.
  private func guess(at position: Duration) async throws -> Double {
    let medium = try await medium()
    let heard = try await show.hear(medium, from: position)
    let byte = try #require(await medium.approximateByte(at: position))
    await medium.close()
    try await show.store.savePosition(position, of: show.id, byte: byte, urgency: .flush)
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
    #expect(abs(try await show.hear(medium, from: .seconds(180)) - heard) < 0.3)
    // A step back is one from there.
    #expect(abs(try await show.hear(medium, from: .seconds(182)) - heard - 2) < 0.3)
    await medium.close()
  }

  @Test(arguments: kinds) func `once all of it is here, a guess that was kept is put right`(options: [String])
    async throws
  {
    _ = try await serve(options)
    let heard = try await guess(at: .seconds(180))
    try await show.download()
    let medium = try await medium()
    let place = try #require(medium.place)
    #expect(abs(place / .seconds(1) - heard) < 0.3)
    #expect(abs(try await show.hear(medium, from: place) - heard) < 0.3)
  }

  @Test(arguments: kinds) func `what was read in line is found exactly, and without the network`(
    options: [String]
  ) async throws {
    let bytes = try await serve(options)
    let first = try await medium()
    _ = try await show.hear(first, from: .zero)
    guard case .bytes(let source) = first.source, let stream = source.open() else { return }
    await offPool {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      for _ in 0..<bytes.count / buffer.count { _ = buffer.withUnsafeMutableBytes { stream.read(into: $0) } }
    }
    stream.close()
    for wanted in [31.0, 77.7, 120] {
      #expect(abs(try await show.hear(first, from: .milliseconds(Int64(wanted * 1000))) - wanted) < 0.15)
      #expect(await first.approximateByte(at: .milliseconds(Int64(wanted * 1000))) == nil)
    }
    await first.close()
  }

  @Test func `where everything comes in order, nothing is guessed`() async throws {
    let bytes = try await RisingSound.encoded(["-q:a", "5"])
    show.serve(bytes, ranges: .ignored)
    let medium = try await medium()
    #expect(abs(try await show.hear(medium, from: .seconds(150)) - 150) < 0.15)
    #expect(await medium.approximateByte(at: .seconds(150)) == nil)
    await medium.close()
  }
}
