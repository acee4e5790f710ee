import Testing

@testable import Playback
@testable import Podcatcher

/// The sound of the next episode, after keys and control words changed this one's.
@Suite struct SoundChangeTests {
  private func sound(speed: Double = 1, volume: Double = 100, trim: Sound.Trim = .off) -> Sound {
    var sound = Sound()
    (sound.speed, sound.volume, sound.trim) = (speed, volume, trim)
    return sound
  }

  @Test func `a change stays for an episode that is set alike`() {
    let heard = sound(speed: 1.5, volume: 60, trim: .max)
    #expect(sound().keepingChanges(from: sound(), to: heard) == heard)
  }

  @Test func `an episode with a setting of its own keeps that one`() {
    let next = sound(speed: 1.2).keepingChanges(from: sound(), to: sound(speed: 1.5, volume: 60))
    #expect(next == sound(speed: 1.2, volume: 60))
  }

  @Test func `the first episode is played as it is set`() {
    #expect(sound(speed: 2).keepingChanges(from: nil, to: sound()) == sound(speed: 2))
  }
}
