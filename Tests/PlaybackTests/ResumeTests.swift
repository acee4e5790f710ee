import Playback
import TestSupport
import Testing

/// Real media files of every kind in feeds: starting at any tenth lands there.
@Suite struct ResumeTests {
  private static let seconds = 30.0

  @Test(
    arguments: [
      ("mp3", ["-b:a", "64k"]), ("mp3", ["-q:a", "5"]), ("mp3", ["-q:a", "5", "-write_xing", "0"]), ("m4a", []),
      ("opus", []), ("ogg", []), ("flac", []), ("wav", []), ("mkv", []),
    ] as [(String, [String])])
  func `starts within a fifth of a second of where it should`(ending: String, options: [String]) async throws {
    let home = try TemporaryHome()
    let tone = Tone(seconds: Self.seconds, sampleRate: 44_100)
    let bytes = try await ending == "wav" ? tone.wav : tone.encoded(as: ending, options: options)
    let path = try home.write(bytes, to: "medium." + ending)
    let player = Player(audioOutput: "null:ao-null-untimed=yes")
    let events = player.events()
    for tenth in 1...9 {
      let wanted = Self.seconds / 10 * Double(tenth)
      let position = try await position(after: .seconds(wanted), path, player, events)
      #expect(abs(position / .seconds(1) - wanted) < 0.2, "\(ending) \(options) at \(wanted) s")
    }
  }

  private func position(
    after start: Duration, _ path: String, _ player: Player, _ events: PlaybackEvents
  ) async throws -> Duration {
    let id = try player.load(.file(path), LoadOptions(start: start, isPaused: true))
    for await event in events {
      if case .position(id, let position) = event { return position }
      if case .ended(id, let reason) = event { throw Ended(reason: reason) }
    }
    throw Ended(reason: .stopped)
  }

  private struct Ended: Error { var reason: EndReason }
}
