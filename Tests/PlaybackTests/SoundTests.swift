import TestSupport
import Testing

@testable import Playback

@Suite struct SoundTests {
  private func sound(_ change: (inout Sound) -> Void) -> Sound {
    var sound = Sound()
    change(&sound)
    return sound
  }

  @Test func `the chain holds what is asked for, and keeps pitch up to eight times the speed`() {
    #expect(Sound().filterChain() == "format=format=float")
    #expect(sound { $0.speed = 1.5 }.filterChain() == "scaletempo2=max-speed=8.0:search-interval=20:window-size=20")
    let all = sound { sound in
      sound.trim = .max
      sound.boost = true
      sound.isMono = true
    }
    let labels = all.filterChain().split(separator: "@").map { $0.prefix { $0 != ":" } }
    #expect(labels == ["silence", "mono", "boost"])
  }

  private func at(_ seconds: Double) -> Duration { .seconds(seconds) }

  @Test func `silence goes by faster, and what that saves is counted by the clock`() {
    var trimmer = SilenceTrimmer(sound { $0.trim = .medium })
    trimmer.played(to: at(9), at: at(100))
    trimmer.played(to: at(10), at: at(101))
    #expect(trimmer.speed == 1)
    trimmer.silence(true)
    #expect(trimmer.speed == 3)
    trimmer.played(to: at(13), at: at(102))
    trimmer.silence(false)
    #expect(trimmer.speed == 1)
    #expect(trimmer.saved == .seconds(2))
  }

  @Test func `no speed goes beyond what can be played`() {
    var trimmer = SilenceTrimmer(
      sound { sound in
        sound.trim = .max
        sound.speed = 4
      })
    trimmer.silence(true)
    #expect(trimmer.speed == 8)
  }

  @Test func `neither a pause nor a jump saves anything`() {
    var trimmer = SilenceTrimmer(sound { $0.trim = .medium })
    trimmer.played(to: at(10), at: at(100))
    trimmer.pause()
    trimmer.played(to: at(10), at: at(200))
    trimmer.silence(true)
    trimmer.jump()
    #expect(trimmer.speed == 1)
    trimmer.played(to: at(60), at: at(201))
    #expect(trimmer.saved == .zero)
  }

  @Test func `switched off, silence is played as it is`() {
    var trimmer = SilenceTrimmer(Sound())
    trimmer.silence(true)
    #expect(trimmer.speed == 1)
  }
}

/// Real libmpv in real time: what is trimmed is heard sooner, and the position stays exact.
@Suite struct TrimmingTests {
  @Test func `each pause goes by faster, not only the first, and the position stays exact`() async throws {
    let home = try TemporaryHome()
    let speech = (0..<3).reduce(Tone(seconds: 1.5, sampleRate: 16_000)) { tone, _ in
      tone.then(seconds: 1.5, frequency: nil).then(seconds: 1, frequency: 440)
    }
    let path = try home.write(speech.wav, to: "speech.wav")
    let player = Player(audioOutput: "null")
    var sound = Sound()
    sound.trim = .max
    player.setSound(sound)
    let events = player.events()
    let id = try player.load(.file(path), LoadOptions())
    var last = Duration.zero
    var saved = Duration.zero
    for await event in events {
      if case .position(id, let position) = event {
        last = position
        saved = player.snapshot.timeSaved
      }
      if case .ended(id, _) = event { break }
    }
    #expect(abs(last.seconds - speech.seconds) < 0.6)
    // The first pause alone would be a third of it. On a busy machine the end of a pause is told late, and more is saved.
    #expect(saved.seconds > 0.6 * 3 * sound.trim.mostSaved(inPause: 1.5))
  }
}

/// Real libmpv in real time.
@Suite struct SpeedTests {
  @Test func `a higher speed does not set the position back`() async throws {
    let home = try TemporaryHome()
    let path = try home.write(Tone(seconds: 20, sampleRate: 16_000).wav, to: "tone.wav")
    let player = Player(audioOutput: "null")
    let events = player.events()
    let id = try player.load(.file(path), LoadOptions())
    var last = Duration.zero
    var speed = 1.0
    for await event in events {
      guard case .position(id, let position) = event else { continue }
      #expect(position > last - .milliseconds(100))
      if position > .seconds(6) { break }
      // Beyond each second the other speed.
      let next = Int(position.seconds).isMultiple(of: 2) ? 0.5 : 2
      if next != speed { player.changeSound { $0.speed = next } }
      (last, speed) = (position, next)
    }
    player.close()
  }
}

extension Duration {
  fileprivate var seconds: Double { self / .seconds(1) }
}
