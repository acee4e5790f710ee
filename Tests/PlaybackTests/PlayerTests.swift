import Glibc
import Playback
import Synchronization
import TestSupport
import Testing

/// Real libmpv, real decoding; only the output is the null one, and it does not wait for the clock.
@Suite struct PlayerTests {
  private let player: Player
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
    player = Player(audioOutput: "null:ao-null-untimed=yes")
  }

  private func file(_ bytes: [UInt8], _ name: String = "tone.wav") throws -> String {
    let path = home.path + "/" + name
    let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    try #require(write(descriptor, bytes, bytes.count) == bytes.count)
    return path
  }

  private func play(_ media: MediaSource, _ options: LoadOptions = LoadOptions()) async throws -> [PlaybackEvent] {
    let events = player.events()
    let id = try player.load(media, options)
    var heard: [PlaybackEvent] = []
    for await event in events {
      heard.append(event)
      if case .ended(id, _) = event { break }
    }
    return heard
  }

  @Test func `a file plays to its end`() async throws {
    let heard = try await play(.file(try file(Tone(seconds: 2).wav)))
    guard case .ended(_, let reason)? = heard.last else { throw ExpectedEnd() }
    #expect(reason == .reachedEnd)
    #expect(heard.contains { if case .ready = $0 { true } else { false } })
    #expect(heard.contains { if case .duration(_, .seconds(2)) = $0 { true } else { false } })
  }

  @Test func `starts where it is told`() async throws {
    let events = player.events()
    let path = try file(Tone(seconds: 20).wav)
    let id = try player.load(.file(path), LoadOptions(start: .seconds(12), isPaused: true))
    for await event in events {
      guard case .position(id, let position) = event else { continue }
      #expect(position >= .milliseconds(11_900) && position < .milliseconds(12_200))
      break
    }
  }

  @Test func `bytes from our own source play and can be sought`() async throws {
    let source = ArraySource(Tone(seconds: 20).wav)
    let heard = try await play(.bytes(source), LoadOptions(start: .seconds(15)))
    guard case .ended(_, let reason)? = heard.last else { throw ExpectedEnd() }
    #expect(reason == .reachedEnd)
    #expect(source.openCount == source.closeCount)
  }

  @Test func `a source that cannot be opened fails`() async throws {
    let heard = try await play(.bytes(NoSource()))
    guard case .ended(_, .failed(let error))? = heard.last else { throw ExpectedEnd() }
    #expect(error.code == .cannotOpen)
  }

  @Test func `a file that is no media file fails as such`() async throws {
    let heard = try await play(.file(try file(Array("<html>no</html>".utf8), "page.html")))
    guard case .ended(_, .failed(let error))? = heard.last else { throw ExpectedEnd() }
    #expect(error.code == .cannotDecode)
  }

  @Test func `no audio output fails as such`() async throws {
    let player = Player(audioOutput: "no-such-output")
    let events = player.events()
    let id = try player.load(.file(try file(Tone().wav)), LoadOptions())
    for await event in events {
      guard case .ended(id, let reason) = event else { continue }
      guard case .failed(let error) = reason else { throw ExpectedEnd() }
      #expect(error.code == .noAudioOutput)
      break
    }
  }

  @Test func `a playlist in disguise opens nothing`() async throws {
    let canary = try file(Tone().wav, "canary.wav")
    let path = try file(Array("#EXTM3U\n\(canary)\n".utf8), "episode.mp3")
    let heard = try await play(.file(path))
    guard case .ended(_, let reason)? = heard.last else { throw ExpectedEnd() }
    #expect(reason != .reachedEnd)
    #expect(!heard.contains { if case .ready = $0 { true } else { false } })
  }

  @Test func `a paused load is ready and silent until it goes on`() async throws {
    let events = player.events()
    let id = try player.load(.file(try file(Tone(seconds: 2).wav)), LoadOptions(isPaused: true))
    for await event in events {
      if event == .ready(id) {
        #expect(player.snapshot.isPaused)
        player.setPaused(false)
      }
      if case .ended(id, let reason) = event {
        #expect(reason == .reachedEnd)
        break
      }
    }
  }

  @Test func `a seek is reported with the position it landed on`() async throws {
    let events = player.events()
    let id = try player.load(.file(try file(Tone(seconds: 60).wav)), LoadOptions(isPaused: true))
    for await event in events {
      if event == .ready(id) { player.seek(to: .seconds(40)) }
      if case .seeked(id, let position) = event {
        #expect(position >= .milliseconds(39_900) && position <= .milliseconds(40_200))
        break
      }
    }
  }

  @Test func `loading another media file replaces the first`() async throws {
    let events = player.events()
    let path = try file(Tone(seconds: 60).wav)
    let first = try player.load(.file(path), LoadOptions(isPaused: true))
    var second: MediaID?
    var ends: [MediaID: EndReason] = [:]
    for await event in events {
      if event == .ready(first) { second = try player.load(.file(path), LoadOptions()) }
      if case .ended(let media, let reason) = event { ends[media] = reason }
      if let second, ends[second] != nil { break }
    }
    #expect(ends[first] == .replaced)
    #expect(second.map { ends[$0] } == .reachedEnd)
  }

  @Test func `a released observer gets nothing more`() async throws {
    let count = Mutex(0)
    var observation: Observation? = player.observe(Ends()) { _ in count.withLock { $0 += 1 } }
    let path = try file(Tone(seconds: 1).wav)
    _ = try await play(.file(path))
    #expect(count.withLock { $0 } == 1)
    withExtendedLifetime(observation) {}
    observation = nil
    _ = try await play(.file(path))
    #expect(count.withLock { $0 } == 1)
  }

  @Test func `calls after close are refused, and closing twice is nothing`() async throws {
    let events = player.events()
    player.close()
    player.close()
    player.setPaused(true)
    player.seek(to: .seconds(3))
    #expect(throws: PlaybackError.self) { try player.load(.file("/nowhere"), LoadOptions()) }
    for await event in events where event == .closed { break }
  }

  @Test func `closing during a load that hangs ends it`() async throws {
    let source = SilentSource()
    let events = player.events()
    _ = try player.load(.bytes(source), LoadOptions())
    try await source.wasRead()
    player.close()
    for await event in events where event == .closed { break }
    #expect(source.isCancelled)
  }

  private struct ExpectedEnd: Error {}
}
