import Glibc
import Playback
internal import PodcastModel
import PodcastStore
import Podcatcher
import TestSupport

/// Talk with its truth: where a voice is, to the sample. Voices begin softly and die away, as consonants do.
struct GeneratedTalk {
  static let sampleRate = 16_000
  private(set) var voices: [Range<Double>] = []
  private(set) var samples: [Double] = []

  /// `pauses` of 0.3 to 1.8 s, a little more than a second each on the average.
  init(pauses count: Int, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<count {
      let start = now
      for word in 0..<Int.random(in: 1...4, using: &random) {
        if word > 0 { noise(0.07, &random) }
        say(Double.random(in: 0.25...0.6, using: &random), Double.random(in: 100...250, using: &random))
      }
      voices.append(start..<now)
      noise(Double.random(in: 0.3...1.86, using: &random), &random)
    }
  }

  private var now: Double { Double(samples.count) / Double(Self.sampleRate) }
  var seconds: Double { now }
  var pauseSeconds: Double { seconds - voices.reduce(0) { $0 + $1.upperBound - $1.lowerBound } }

  private mutating func say(_ seconds: Double, _ pitch: Double) {
    let count = Int(seconds * Double(Self.sampleRate))
    for index in 0..<count {
      let (time, left) = (Double(index) / Double(Self.sampleRate), Double(count - index) / Double(Self.sampleRate))
      // Up from -34 dB in 40 ms, down to -34 dB in 150 ms.
      let envelope = 0.25 * min(1, 0.02 + time / 0.04, pow(10, -1.7 * max(0, 1 - left / 0.15)))
      samples.append(envelope * (1...6).reduce(0.0) { $0 + sin(2 * .pi * pitch * Double($1) * time) / Double($1) })
    }
  }

  private mutating func noise(_ seconds: Double, _ random: inout SeededGenerator) {
    for _ in 0..<Int(seconds * Double(Self.sampleRate)) {
      samples.append(Double.random(in: -0.0012...0.0012, using: &random))
    }
  }

  /// A recording that is quieter by so many decibels, with the hiss of its device.
  func wav(quieter decibels: Double) -> [UInt8] {
    var random = SeededGenerator(seed: 3)
    let hiss = decibels > 0 ? pow(10, -58.0 / 20) * 1.7 : 0
    let factor = pow(10, -decibels / 20)
    let values = samples.map { Int16(32_000 * ($0 * factor + Double.random(in: -1...1, using: &random) * hiss)) }
    return WAV.file(values, sampleRate: Self.sampleRate)
  }
}

/// The rules of trimming of several players, on the same talk: what each saves, and what it takes of the voices.
enum TrimModels {
  static func run(_ workspace: Workspace) async throws {
    let talk = GeneratedTalk(pauses: Effort.size(50, brief: 10), seed: 21)
    for decibels in [0.0, 14] {
      let level = decibels > 0 ? "\(Int(decibels)) dB quieter, with hiss" : "at normal level"
      Report.title("rules of trimming on \(Amount.fixed(talk.pauseSeconds, digits: 0)) s of pauses, \(level)")
      let wav = talk.wav(quieter: decibels)
      let pauses = try await measuredPauses(of: wav, in: workspace)
      let samples = wav.dropFirst(44).withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
      for trim in Sound.Trim.allCases where trim != .off {
        let goal = decibels > 0 ? "3 ms" : "0.5 ms" + (trim == .max ? ", 80 %" : "")
        tell("podcli \(trim.rawValue), by the map", trim.cuts(in: pauses), talk, goal: goal)
      }
      for (name, least, padding) in [("mild", 0.416, 0.291), ("medium", 0.3, 0.225), ("max", 0.083, 0)] {
        let silences = silences(samples, below: -42).filter { $0.upperBound - $0.lowerBound >= least }
        let cuts = silences.map { $0.lowerBound + padding..<max($0.lowerBound + padding, $0.upperBound - padding) }
        tell("Pocket Casts \(name), its constants", cuts, talk)
      }
      let silences = silences(samples, below: -30).filter { $0.upperBound - $0.lowerBound >= 0.1 }
      tell(
        "media3, its constants", silences.map { $0.lowerBound + kept(of: $0) / 2..<$0.upperBound - kept(of: $0) / 2 },
        talk)
    }
  }

  /// A fifth, two seconds at most.
  private static func kept(of silence: Range<Double>) -> Double {
    min(2, 0.2 * (silence.upperBound - silence.lowerBound))
  }

  /// Stretches of 10 ms whose highest sample is lower.
  private static func silences(_ samples: [Int16], below decibels: Double) -> [Range<Double>] {
    let limit = Int(32_768 * pow(10, decibels / 20))
    let size = GeneratedTalk.sampleRate / 100
    var (silences, start) = ([Range<Double>](), Int?.none)
    for index in 0...samples.count / size {
      let part = samples[min(samples.count, index * size)..<min(samples.count, (index + 1) * size)]
      let isQuiet = !part.isEmpty && part.allSatisfy { abs(Int($0)) <= limit }
      if isQuiet { start = start ?? index }
      guard !isQuiet, let begin = start else { continue }
      silences.append(Double(begin) / 100..<Double(index) / 100)
      start = nil
    }
    return silences
  }

  /// By `podcli measure`, through its library.
  private static func measuredPauses(of wav: [UInt8], in workspace: Workspace) async throws -> [Range<Double>] {
    try workspace.clearLibrary()
    let file = try workspace.write(wav, to: "talk.wav")
    let feed = try workspace.write(
      "<rss><channel><title>x</title><item><title>y</title><enclosure url=\"file://\(file)\" type=\"audio/wav\"/></item></channel></rss>",
      to: "talk.xml")
    for words in [["subscribe", feed], ["measure", "1"]] {
      _ = try Measured.run(workspace.podcli, words, in: workspace)
    }
    let store = try PodcastStore(path: workspace.library + "/library.db")
    let record = try await store.sounding(of: EpisodeID(rawValue: 1))
    await store.close()
    guard let sounding = record.flatMap({ Sounding($0) }) else { throw Measured.CannotStart(program: "podcli measure") }
    return sounding.pauses
  }

  private static func tell(_ name: String, _ cuts: [Range<Double>], _ talk: GeneratedTalk, goal: String? = nil) {
    func overlap(_ range: Range<Double>) -> Double {
      cuts.reduce(0) { $0 + max(0, min($1.upperBound, range.upperBound) - max($1.lowerBound, range.lowerBound)) }
    }
    let spoken = talk.voices.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
    let touched = talk.voices.reduce(0) { $0 + overlap($1) }
    let onsets = talk.voices.map { overlap($0.lowerBound..<min($0.upperBound, $0.lowerBound + 0.2)) }.sorted()
    let pauses = zip(talk.voices, talk.voices.dropFirst()).map { $0.upperBound..<$1.lowerBound }
    let left = pauses.map { $0.upperBound - $0.lowerBound - overlap($0) }.min() ?? 0
    let saved = pauses.reduce(0) { $0 + overlap($1) }
    Report.tell(
      Figure(
        name,
        [
          .saved: saved, .speechTouched: touched / spoken, .onsetHalf: onsets[onsets.count / 2],
          .onsetMost: onsets[onsets.count * 9 / 10], .shortestPause: left,
        ], goal: goal))
  }
}
