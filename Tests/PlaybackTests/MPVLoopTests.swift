import Synchronization
import TestSupport
import Testing

@testable import Playback

/// Breakdowns of libmpv, and commands at the wrong moment. Meant for the thread sanitizer, too.
@Suite struct MPVLoopTests {
  private let player = Player(audioOutput: "null:ao-null-untimed=yes")
  private static let tone = Tone(seconds: 20).wav

  private func ends(of media: [MediaID], in events: PlaybackEvents) async -> [MediaID: EndReason] {
    var ends: [MediaID: EndReason] = [:]
    for await event in events {
      if case .ended(let id, let reason) = event, media.contains(id) { ends[id] = reason }
      if ends.count == media.count || event == .closed { break }
    }
    return ends
  }

  @Test func `an engine that breaks down is replaced, and its observers stay`() async throws {
    let heard = Mutex<[EndReason]>([])
    let observation = player.observe(Ends()) { end in heard.withLock { $0.append(end.reason) } }
    let events = player.events()
    let first = try player.load(.bytes(ArraySource(Self.tone)), LoadOptions(isPaused: true))
    for await event in events where event == .ready(first) { break }
    player.command(["quit"])
    let broken = try #require(await ends(of: [first], in: events)[first])
    guard case .failed(let error) = broken else { return #expect(Bool(false), "\(broken)") }
    #expect(error.code == .engineLost)
    let second = try player.load(.bytes(ArraySource(Self.tone)), LoadOptions())
    #expect(await ends(of: [second], in: events)[second] == .reachedEnd)
    #expect(heard.withLock { $0 } == [broken, .reachedEnd])
    withExtendedLifetime(observation) {}
  }

  @Test func `the engine that comes after sounds as the one before`() async throws {
    var sound = Sound()
    sound.speed = 2
    player.setSound(sound)
    player.command(["quit"])
    let events = player.events()
    let media = try player.load(.bytes(ArraySource(Self.tone)), LoadOptions())
    _ = await ends(of: [media], in: events)
    #expect(player.snapshot.sound == sound)
  }

  @Test(arguments: [0.0, 1.0], [false, true])
  func `what is faded out stays so, whatever is changed and whichever engine plays`(
    factor: Double, isReplaced: Bool
  ) async throws {
    let home = try TemporaryHome()
    let player = Player(audioOutput: "pcm:ao-pcm-file=\(home.path)/heard.wav")
    let events = player.events()
    player.fade(to: factor)
    if isReplaced { player.command(["quit"]) } else { player.changeSound { $0.isMono = true } }
    var end: EndReason?
    while end != .reachedEnd {
      let media = try player.load(.bytes(ArraySource(Tone(seconds: 1).wav)), LoadOptions())
      end = await ends(of: [media], in: events)[media]
    }
    player.close()
    for await event in events where event == .closed { break }
    let heard = try contents(of: home.path + "/heard.wav").dropFirst(100)
    #expect(heard.count > 10_000)
    // Zero has a sign, too.
    #expect(heard.contains { $0 & 0x7f != 0 } == (factor > 0))
  }

  @Test func `an engine that breaks down over and over is given up, and every load ends`() async throws {
    let events = player.events()
    for _ in 0..<12 { player.command(["quit"]) }
    var refusal: PlaybackError?
    while refusal == nil {
      do throws(PlaybackError) {
        let media = try player.load(.bytes(SilentSource()), LoadOptions())
        player.command(["quit"])
        _ = await ends(of: [media], in: events)
      } catch {
        refusal = error
      }
    }
    #expect(refusal?.code == .engineLost)
    for await event in events where event == .closed { break }
  }

  @Test func `of loads that come too fast each ends once, and only the last one plays`() async throws {
    let events = player.events()
    var media: [MediaID] = []
    for _ in 0..<40 { media.append(try player.load(.bytes(ArraySource(Self.tone)), LoadOptions())) }
    let ends = await ends(of: media, in: events)
    #expect(ends.count == 40)
    #expect(ends[media[39]] == .reachedEnd)
    #expect(media.dropLast().allSatisfy { ends[$0] == .replaced })
  }

  @Test func `what is queued is opened before the end, and plays behind it`() async throws {
    let player = Player(audioOutput: "null")
    let log = Mutex<[String]>([])
    let events = player.events()
    let first = try player.load(.bytes(ArraySource(Tone(seconds: 1.5).wav)), LoadOptions())
    let next = ArraySource(Tone(seconds: 1).wav) { log.withLock { $0.append("opened") } }
    let second = try player.queue(.bytes(next), LoadOptions())
    for await event in events {
      switch event {
      case .ended(first, let reason): log.withLock { $0.append("first \(reason)") }
      case .ready(second): log.withLock { $0.append("second ready") }
      default: break
      }
      if case .ended(second, _) = event { break }
    }
    #expect(log.withLock { $0 } == ["opened", "first reachedEnd", "second ready"])
  }

  @Test func `what was queued and taken back does not play`() async throws {
    let player = Player(audioOutput: "null")
    let events = player.events()
    let first = try player.load(.bytes(ArraySource(Tone(seconds: 1).wav)), LoadOptions())
    let second = try player.queue(.bytes(ArraySource(Self.tone)), LoadOptions())
    player.unqueue(second)
    let ends = await ends(of: [first, second], in: events)
    #expect(ends == [first: .reachedEnd, second: .replaced])
  }

  @Test func `what was queued and is taken back the moment it begins is stopped`() async throws {
    let next = SilentSource()
    // So it is read when it has begun.
    player.command(["set", "prefetch-playlist", "no"])
    let first = try player.load(.bytes(ArraySource(Tone(seconds: 1).wav)), LoadOptions(isPaused: true))
    let second = try player.queue(.bytes(next), LoadOptions(isPaused: true))
    // On the thread that reads libmpv's events: before it reads of the second's beginning.
    let observation = player.observe(Ends()) { [player] end in
      guard end.media == first else { return }
      next.blockUntilRead()
      player.unqueue(second)
    }
    let events = player.events()
    player.setPaused(false)
    #expect(await ends(of: [first, second], in: events) == [first: .reachedEnd, second: .replaced])
    try await next.wasCancelled()
    let third = try player.load(.bytes(ArraySource(Self.tone)), LoadOptions())
    #expect(await ends(of: [third], in: events)[third] == .reachedEnd)
    withExtendedLifetime(observation) {}
  }

  @Test func `what is queued behind something that has ended plays at once`() async throws {
    let events = player.events()
    let first = try player.load(.bytes(ArraySource(Self.tone)), LoadOptions())
    _ = await ends(of: [first], in: events)
    let second = try player.queue(.bytes(ArraySource(Self.tone)), LoadOptions(start: .seconds(10)))
    #expect(await ends(of: [second], in: events)[second] == .reachedEnd)
  }

  @Test func `a storm of commands from many tasks does no harm, and closing in its middle ends it`() async throws {
    let events = player.events()
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask { [player] in await Self.storm(player, UInt64(task + 1)) }
      }
      // On a slow machine each media file may be gone before it is opened.
      var endings = 0
      for await event in events {
        if case .ended = event { endings += 1 }
        if case .ready = event { break }
        if endings == 100 { break }
      }
      player.close()
      player.close()
    }
    for await event in events where event == .closed { break }
    #expect(throws: PlaybackError.self) { try player.load(.file("/nowhere"), LoadOptions()) }
  }

  private static func storm(_ player: Player, _ seed: UInt64) async {
    var number = seed
    var queued: MediaID?
    for _ in 0..<300 {
      number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      var sound = Sound()
      sound.speed = Double(number >> 60) / 4 + 0.5
      sound.trim = number >> 40 & 1 == 0 ? .off : .max
      switch number >> 33 % 10 {
      case 0: _ = try? player.load(.bytes(ArraySource(tone)), LoadOptions(start: .seconds(Int64(number >> 61))))
      case 1: queued = try? player.queue(.bytes(ArraySource(tone)), LoadOptions())
      case 2: if let queued { player.unqueue(queued) }
      case 3: player.setPaused(number >> 50 & 1 == 0)
      case 4: player.seek(to: .seconds(Int64(number >> 60)))
      case 5: player.setSound(sound)
      case 6: player.fade(to: 0.5)
      case 7: _ = player.observe(Boundaries([.seconds(1)])) { _ in }
      case 8: _ = player.snapshot
      default: if number >> 58 == 0 { player.stop() } else { player.command(["add", "chapter", "1"]) }
      }
      await Task.yield()
    }
  }
}
