import Glibc
import TestSupport
import Testing

@testable import Playback

@Suite struct SilenceCutsTests {
  private typealias Trim = Sound.Trim

  @Test func `so much stays of a pause as its level says, and its edges stay in any case`() {
    for (trim, left) in [(Trim.mild, 0.675), (.medium, 0.4375), (.max, 0.16)] {
      let cuts = trim.cuts(in: [10..<11])
      #expect(cuts.count == 1 && abs(cuts[0].upperBound - cuts[0].lowerBound - (1 - left)) < 1e-9)
      #expect(cuts[0].lowerBound >= 10.08 && cuts[0].upperBound <= 10.94)
      #expect(abs(trim.saved(in: [10..<11]) - (1 - left)) < 1e-9)
    }
    #expect(Trim.off.cuts(in: [10..<11]) == [])
    #expect(Trim.max.cuts(in: [10..<10.19]) == [] && Trim.mild.cuts(in: [0..<0.4]) == [])
  }

  @Test func `with a map there is neither a detector nor another speed in the chain`() {
    var sound = Sound()
    sound.trim = .max
    var correction = SoundCorrection()
    correction.pauses = [1..<2]
    let chain = sound.filterChain(correction)
    #expect(chain.contains("aselect") && !chain.contains("silencedetect") && !chain.contains("scaletempo2"))
    // In music silence is meant.
    correction.pauses = []
    #expect(sound.filterChain(correction) == "format=format=float")
    sound.trim = .off
    correction.pauses = [1..<2]
    #expect(sound.filterChain(correction) == "format=format=float")
  }

  @Test func `boost takes the place of gain and limiter`() {
    var sound = Sound()
    var correction = SoundCorrection()
    correction.ceiling = 0.5
    #expect(sound.filterChain(correction).contains("alimiter=limit=0.5:"))
    sound.boost = true
    #expect(!sound.filterChain(correction).contains("limit=0.5:"))
  }

  /// Through the real chain, into a file: tones of half a second with pauses between, of which the tones stay whole.
  @Test(arguments: ["wav", "mp3"]) func `what is said stays, and pauses are cut out`(ending: String) async throws {
    let home = try TemporaryHome()
    var tone = Tone(seconds: 0.5, frequency: 500, sampleRate: 22_050)
    for _ in 1...8 { tone = tone.then(seconds: 1, frequency: nil).then(seconds: 0.5, frequency: 500) }
    let bytes = ending == "wav" ? tone.wav : try await tone.encoded(as: ending)
    let path = try home.write(bytes, to: "talk." + ending)
    let heard = home.path + "/heard"
    let player = Player(audioOutput: "pcm:ao-pcm-file=\(heard),ao-pcm-waveheader=no")
    var sound = Sound()
    sound.trim = .max
    player.setSound(sound)
    var options = LoadOptions()
    options.correction.pauses = (0..<8).map { 0.5 + 1.5 * Double($0)..<1.5 + 1.5 * Double($0) }
    options.correction.gain = 6
    let events = player.events()
    let media = try player.load(.file(path), options)
    for await event in events {
      if case .ended(media, let reason) = event {
        #expect(reason == .reachedEnd)
        #expect(player.snapshot.gain == 6)
        player.close()
      }
    }
    let samples = try contents(of: heard)
    // Samples are floats of one channel.
    let floats = samples.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    let seconds = Double(floats.count) / 22_050
    #expect(abs(seconds - (4.5 + 8 * 0.16)) < 0.25, "\(seconds)")
    let loud = floats.filter { abs($0) > 0.05 }.count
    #expect(Double(loud) / 22_050 > 4.5 * 0.9)
    // 6 dB: twice as much.
    #expect(abs((floats.map(abs).max() ?? 0) - 0.73) < 0.03)
  }

  @Test func `the position goes over each cut, and what is saved is known before`() async throws {
    let home = try TemporaryHome()
    let talk = (0..<3).reduce(Tone(seconds: 1, sampleRate: 16_000)) { tone, _ in
      tone.then(seconds: 1.5, frequency: nil).then(seconds: 1, frequency: 440)
    }
    let path = try home.write(talk.wav, to: "talk.wav")
    let player = Player(audioOutput: "null")
    var sound = Sound()
    sound.trim = .max
    player.setSound(sound)
    var options = LoadOptions()
    let pauses: [Range<Double>] = [1..<2.5, 3.5..<5, 6..<7.5]
    options.correction.pauses = pauses
    let events = player.events()
    let media = try player.load(.file(path), options)
    var (last, saved) = (Duration.zero, Duration.zero)
    for await event in events {
      if case .position(media, let position) = event { (last, saved) = (position, player.snapshot.timeSaved) }
      if case .ended(media, _) = event { break }
    }
    #expect(abs(last / .seconds(1) - talk.seconds) < 0.6)
    // The clock has no upper bound: a first report that is read late makes what is saved more by as much. How much is cut
    // is bounded by the samples above, and the time saved below, where the clock is the test's.
    #expect(saved / .seconds(1) > sound.trim.saved(in: pauses) - 0.8, "\(saved)")
  }

  @Test func `each file has its own gain and cuts, also where one follows the other without a gap`() {
    var reducer = EventReducer()
    let (first, second) = (MediaID(number: 1), MediaID(number: 2))
    var sound = Sound()
    (sound.trim, sound.speed) = (.max, 2)
    _ = reducer.change(sound)
    _ = reducer.expect(first, asEntry: 1)
    var correction = SoundCorrection()
    correction.gain = 6
    correction.pauses = [1..<2]
    correction.hasEqualChannels = true
    reducer.correct(first, correction)
    _ = reducer.take(.started(entry: 1))
    // The volume would reach what is still to be heard of the file before.
    #expect(reducer.filterChain.contains("aselect") && reducer.filterChain.contains("volume=6.0dB"))
    #expect(reducer.volume == 100 && reducer.filterChain.contains("@one"))
    reducer.queue(second, asEntry: 2)
    reducer.correct(second, SoundCorrection())
    #expect(reducer.filterChain.contains("aselect"))
    _ = reducer.take(.ended(entry: 1, .reachedEnd))
    _ = reducer.take(.started(entry: 2))
    #expect(!reducer.filterChain.contains("volume=") && reducer.filterChain.contains("silencedetect"))
    reducer.correct(second, correction)
    #expect(reducer.filterChain.contains("aselect") && reducer.snapshot.gain == 6)
    // New filters for that alone would be a gap.
    #expect(!reducer.filterChain.contains("@one"))
    // Samples that are filtered already are heard later, with this volume.
    #expect(!reducer.filterChain.contains("volume=") && abs(reducer.volume - 125.89) < 0.01)
  }

  @Test func `the gain of a file's tags is taken once, when one was found that is heard`() {
    var reducer = EventReducer()
    let media = MediaID(number: 1)
    var boosted = Sound()
    boosted.boost = true
    _ = reducer.change(boosted)
    _ = reducer.expect(media, asEntry: 1)
    _ = reducer.take(.started(entry: 1))
    var correction = SoundCorrection()
    correction.gain = 6
    reducer.correct(media, correction)
    var taken = [reducer.takesTagGain()]
    _ = reducer.change(Sound())
    taken += [reducer.takesTagGain(), reducer.takesTagGain()]
    #expect(taken == [false, true, false])
  }

  @Test func `tags amplify no further than their peak allows`() {
    var tags = TagGain(gain: 4, peak: 1)
    #expect(tags.heard(with: 2) == 0 && tags.heard(with: -6) == -2)
    tags.peak = 0.5
    #expect(abs(tags.heard(with: 4) - 6.02) < 0.01 && tags.heard(with: 1) == 5)
  }

  @Test func `a better gain changes the volume, and the filters stay`() {
    var reducer = EventReducer()
    let media = MediaID(number: 1)
    _ = reducer.expect(media, asEntry: 1)
    var correction = SoundCorrection()
    correction.gain = 6
    reducer.correct(media, correction)
    _ = reducer.take(.started(entry: 1))
    let chain = reducer.filterChain
    correction.gain = 12
    reducer.correct(media, correction)
    #expect(reducer.filterChain == chain && abs(reducer.volume - 125.89) < 0.01 && reducer.snapshot.gain == 12)
    // With other filters, too.
    correction.pauses = [1..<2]
    reducer.correct(media, correction)
    #expect(reducer.filterChain.contains("aselect") == false && reducer.filterChain.contains("volume=6.0dB"))
    #expect(abs(reducer.volume - 125.89) < 0.01)
    var boosted = Sound()
    boosted.boost = true
    _ = reducer.change(boosted)
    #expect(reducer.volume == 100 && reducer.snapshot.gain == nil)
  }
}
