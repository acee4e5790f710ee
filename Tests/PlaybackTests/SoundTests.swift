import Glibc
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

  @Test func `of two equal channels one is sped up, and the device gets both`() {
    var correction = SoundCorrection()
    correction.hasEqualChannels = true
    #expect(Sound().filterChain(correction) == "format=format=float")
    let filters = sound { $0.speed = 2 }.filterChain(correction).split(separator: "@").map { $0.prefix { $0 != ":" } }
    #expect(filters == ["one", "both"])
    let mono = sound { sound in
      sound.speed = 2
      sound.isMono = true
    }
    #expect(!mono.filterChain(correction).contains("@one"))
  }

  @Test func `where pauses are known they are cut, and behind that they are found`() {
    let trimmed = sound { $0.trim = .max }
    var correction = SoundCorrection()
    correction.pauses = [1..<3]
    #expect(trimmed.filterChain(correction).hasPrefix("@cuts:"))
    #expect(!trimmed.filterChain(correction).contains("silencedetect"))
    correction.pausesEnd = 10
    let chain = trimmed.filterChain(correction)
    #expect(
      chain.hasPrefix("@cuts:") && chain.contains(",@silence:lavfi=[silencedetect") && chain.contains("scaletempo2"))
    var trimmer = SilenceTrimmer(trimmed, mapped: correction.mapped)
    trimmer.silence(true, at: 9.9)
    #expect(trimmer.speed == 1)
    trimmer.silence(true, at: 10)
    #expect(trimmer.speed == 3.5)
    trimmer = trimmer.fitted(mapped: .infinity)
    trimmer.silence(true, at: 99)
    #expect(trimmer.speed == 1)
  }

  private func at(_ seconds: Double) -> Duration { .seconds(seconds) }

  @Test func `silence goes by faster, and what that saves is counted by the clock`() {
    var trimmer = SilenceTrimmer(sound { $0.trim = .medium })
    trimmer.played(to: at(9), at: at(100))
    trimmer.played(to: at(10), at: at(101))
    #expect(trimmer.speed == 1)
    trimmer.silence(true, at: 0)
    #expect(trimmer.speed == 3)
    trimmer.played(to: at(13), at: at(102))
    trimmer.silence(false, at: 0)
    #expect(trimmer.speed == 1)
    #expect(trimmer.saved == .seconds(2))
  }

  @Test func `no speed goes beyond what can be played`() {
    var trimmer = SilenceTrimmer(
      sound { sound in
        sound.trim = .max
        sound.speed = 4
      })
    trimmer.silence(true, at: 0)
    #expect(trimmer.speed == 8)
  }

  @Test func `neither a pause nor a jump saves anything`() {
    var trimmer = SilenceTrimmer(sound { $0.trim = .medium })
    trimmer.played(to: at(10), at: at(100))
    trimmer.pause()
    trimmer.played(to: at(10), at: at(200))
    trimmer.silence(true, at: 0)
    trimmer.jump()
    #expect(trimmer.speed == 1)
    trimmer.played(to: at(60), at: at(201))
    #expect(trimmer.saved == .zero)
  }

  @Test func `switched off, silence is played as it is`() {
    var trimmer = SilenceTrimmer(Sound())
    trimmer.silence(true, at: 0)
    #expect(trimmer.speed == 1)
  }
}

/// Real libmpv, and what comes out of it.
@Suite struct TagGainTests {
  @Test func `a file tells its own gain, and one that is found replaces it`() async throws {
    let home = try TemporaryHome()
    let tone = Tone(seconds: 60, sampleRate: 16_000)
    // libmpv wants both.
    let tag = ["-metadata", "REPLAYGAIN_TRACK_GAIN=-6.00 dB", "-metadata", "REPLAYGAIN_TRACK_PEAK=0.37"]
    let path = try home.write(try await tone.encoded(as: "flac", options: tag), to: "tone.flac")
    func heard(_ found: SoundCorrection?) async throws -> Double {
      let output = home.path + "/heard"
      let player = Player(audioOutput: "pcm:ao-pcm-file=\(output),ao-pcm-waveheader=no")
      let events = player.events()
      var options = LoadOptions(isPaused: true)
      options.correction.gainOverTags = 2
      let media = try player.load(.file(path), options)
      for await event in events {
        if event == .ready(media) {
          #expect(player.snapshot.tagGain.map { $0.gain == -6 && abs($0.peak - 0.37) < 0.001 } == true)
          if let found { player.correct(media, found) }
          player.setPaused(false)
        }
        if case .ended(media, _) = event { player.close() }
      }
      let bytes = try contents(of: output)
      let samples = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }.suffix(16_000)
      let power = samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count)
      return 10 * log10(power) - 20 * log10(12_000 / 32_768) + 10 * log10(2)
    }
    let tagged = try await heard(nil)
    #expect(abs(tagged + 4) < 0.1, "\(tagged)")
    var found = SoundCorrection()
    found.gain = -1
    let corrected = try await heard(found)
    #expect(abs(corrected + 1) < 0.1, "\(corrected)")
  }
}

/// Real libmpv, and what comes out of it.
@Suite struct ChannelTests {
  /// The samples of the device, and how many channels they have.
  private func heard(
    _ path: String, _ correction: SoundCorrection = SoundCorrection(),
    _ change: @Sendable @escaping (inout Sound) -> Void
  ) async throws -> (samples: [Float], channels: Int) {
    let home = try TemporaryHome()
    let output = home.path + "/heard.wav"
    let player = Player(audioOutput: "pcm:ao-pcm-file=\(output)")
    player.changeSound(change)
    let events = player.events()
    var options = LoadOptions()
    options.correction = correction
    let media = try player.load(.file(path), options)
    for await event in events {
      if case .ended(media, let reason) = event {
        #expect(reason == .reachedEnd)
        player.close()
      }
    }
    let bytes = try contents(of: output)
    let samples = bytes.dropFirst(68).withUnsafeBytes { raw in
      (0..<raw.count / 4).map { raw.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
    }
    return (samples, Int(bytes[22]))
  }

  private func peak(_ samples: [Float]) -> Float { samples.reduce(0) { max($0, abs($1)) } }

  @Test func `in mono two equal channels are no louder than before, nor is one`() async throws {
    let home = try TemporaryHome()
    for channels in ["1", "2"] {
      let path = try home.write(
        try await Tone(seconds: 5, sampleRate: 44_100).encoded(as: "mp3", options: ["-ac", channels]), to: "tone.mp3")
      let (plain, _) = try await heard(path) { _ in }
      let (mono, one) = try await heard(path) { $0.isMono = true }
      #expect(one == 1)
      #expect(abs(peak(mono) / peak(plain) - 1) < 0.01, "\(peak(mono)), \(peak(plain))")
    }
  }

  @Test func `equal channels of which one is sped up are as loud and as long as both`() async throws {
    let home = try TemporaryHome()
    let tone = try await Tone(seconds: 6, sampleRate: 44_100).encoded(as: "mp3", options: ["-ac", "2"])
    let path = try home.write(tone, to: "tone.mp3")
    let (both, _) = try await heard(path) { $0.speed = 2 }
    var correction = SoundCorrection()
    correction.hasEqualChannels = true
    let (one, channels) = try await heard(path, correction) { $0.speed = 2 }
    #expect(channels == 2)
    #expect(abs(peak(one) / peak(both) - 1) < 0.01, "\(peak(one)), \(peak(both))")
    #expect(abs(one.count - both.count) < 8_820)
    #expect(stride(from: 0, to: one.count - 1, by: 2).allSatisfy { one[$0] == one[$0 + 1] })
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
