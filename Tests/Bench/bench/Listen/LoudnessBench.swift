import Glibc
import PodcastModel
import TestSupport
import Text

/// How loud generated shows come out of `podcli play`, by FFmpeg's meter and by pyloudnorm: an episode that is not measured, by
/// five others of its podcast, and the same once it is measured; and how alike the sentences of several voices are with
/// `level=on`.
enum LoudnessBench {
  static func run() async throws {
    try await shows()
    try await levelling()
  }

  // MARK: Before and after measuring

  private static func shows() async throws {
    let shows = Effort.size(20, brief: 1)
    Report.title("\(shows) shows from -12 to -28 LUFS, each by the five episodes before")
    var (whole, gain, minute): ([Double], [Double], [Double]) = ([], [], [])
    var (exact, other, peaks): ([Double], [Double], [Double]) = ([], [], [])
    if try await !TemporaryHome().hasPyloudnorm { print("pyloudnorm is not installed: FFmpeg's meter alone") }
    for number in 0..<shows {
      let level = -12 - 16 * Double(number) / Double(max(1, shows - 1))
      let show = try await LoudShow(number, level)
      let forecast = try await show.play()
      try await show.measure(0)
      let measured = try await show.play()
      whole.append(abs(forecast.whole + 16))
      gain.append(abs(forecast.firstMinute - measured.firstMinute))
      minute.append(forecast.firstMinute - forecast.whole)
      exact.append(abs(measured.whole + 16))
      if let loudness = measured.byPyloudnorm { other.append(abs(loudness + 16)) }
      peaks.append(measured.truePeak)
    }
    let goal = "1.5 LU, 1.5 dB"
    Report.tell(
      Figure("the worst", [.loudnessOff: whole.max() ?? 0, .gainOff: gain.max() ?? 0], runs: shows, goal: goal))
    Report.tell(
      Figure("the median", [.loudnessOff: Amount.median(whole), .gainOff: Amount.median(gain)], runs: shows))
    Report.tell(Figure("the first minute over the whole, at most", [.louder: minute.max() ?? 0], runs: shows))
    Report.title("the same shows once they are measured")
    Report.tell(
      Figure(
        "the worst by ebur128", [.loudnessOff: exact.max() ?? 0, .truePeak: peaks.max() ?? 0], runs: shows,
        goal: "0.5 LU, -1 dBTP"))
    guard let worst = other.max() else { return }
    Report.tell(Figure("the worst by pyloudnorm", [.loudnessOff: worst], runs: shows, goal: "0.5 LU"))
  }

  // MARK: Voices

  private static func levelling() async throws {
    Report.title("voices made alike: the standard deviation of the sentences")
    for seed in 1...Effort.size(4, brief: 1) {
      let talk = Talk(seconds: Effort.size(480, brief: 12), seed: UInt64(seed))
      let home = try TemporaryHome()
      try await home.follow([try await Talk.encoded(talk.samples, as: "mp3", ["-b:a", "96k"])])
      try await home.run("measure", "1")
      try await home.run("config", "set", "loudness=off")
      let plain = try await home.heard()
      try await home.run("config", "set", "level=on")
      let (before, after) = (spread(talk, plain), spread(talk, try await home.heard()))
      Report.tell(Figure("show \(seed)", [.spread: after, .spreadBefore: before], goal: "1.2 dB from 3"))
    }
  }

  private static func spread(_ talk: Talk, _ samples: [Float]) -> Double {
    let levels = talk.sentences.filter { $0.upperBound <= samples.count }.map { range in
      10 * log10(samples[range].reduce(1e-12) { $0 + Double($1) * Double($1) } / Double(range.count))
    }
    let mean = levels.reduce(0, +) / Double(levels.count)
    return (levels.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(levels.count)).squareRoot()
  }
}

/// Six episodes that were mastered to one loudness, more or less, with music at the beginning. The newest is not measured.
private struct LoudShow {
  struct Heard {
    var whole: Double
    var firstMinute: Double
    var truePeak: Double
    var byPyloudnorm: Double?
  }

  private let home: TemporaryHome

  init(_ number: Int, _ level: Double) async throws {
    home = try TemporaryHome()
    var random = SeededGenerator(seed: UInt64(number))
    let music = Double.random(in: 0.15...0.4, using: &random)
    var episodes: [[UInt8]] = []
    for episode in 0..<6 {
      let samples =
        Self.music(music) + Talk(seconds: Effort.size(170, brief: 70), seed: UInt64(number * 6 + episode)).samples
      let source = try home.write(WAV.file(samples, sampleRate: Talk.sampleRate), to: "raw.wav")
      let change = level + Double.random(in: -0.7...0.7, using: &random) - (try await home.loudness(of: source))
      let filter = "volume=\(change)dB,alimiter=limit=0.95:level=disabled"
      episodes.append(try await Talk.encoded(samples, as: "mp3", ["-af", filter, "-b:a", "96k"]))
    }
    try await home.follow(episodes)
    for episode in 1..<6 { try await measure(episode) }
  }

  /// `episode`: how many are newer.
  func measure(_ episode: Int) async throws { try await home.run("measure", String(6 - episode)) }

  func play() async throws -> Heard {
    let samples = try await home.heard("6")
    let minute = try home.write(Self.wav(samples.prefix(60 * Talk.sampleRate)), to: "minute.wav")
    let whole = try home.write(Self.wav(samples[...]), to: "whole.wav")
    return Heard(
      whole: try await home.loudness(of: whole), firstMinute: try await home.loudness(of: minute),
      truePeak: try await home.truePeak(of: whole), byPyloudnorm: try await home.loudnessByPyloudnorm(of: whole))
  }

  private static func wav(_ samples: ArraySlice<Float>) -> [UInt8] {
    WAV.file(samples.map { Int16(max(-1, min(1, $0)) * 32_767) }, sampleRate: Talk.sampleRate)
  }

  /// Chords that swell.
  private static func music(_ level: Double) -> [Int16] {
    (0..<12 * Talk.sampleRate).map { index in
      let time = Double(index) / Double(Talk.sampleRate)
      let chord = [220.0, 277, 330, 440].reduce(0) { $0 + sin(2 * .pi * $1 * time) }
      return Int16(32_000 * level * chord / 4 * (1.2 + 0.6 * sin(2 * time)) * min(1, time, 12 - time))
    }
  }
}

extension TemporaryHome {
  fileprivate func run(_ words: String...) async throws {
    let ended = try await podcli(words).run(by: Deadline(after: .seconds(120)))
    guard ended.status == .exited(0) else { throw Overdue("podcli \(words)", seen: ended.description) }
  }

  /// The first is the oldest, and has the lowest number.
  fileprivate func follow(_ episodes: [[UInt8]]) async throws {
    var items = ""
    for (number, bytes) in episodes.enumerated() {
      let file = try write(bytes, to: "\(number).mp3")
      items += "<item><title>\(number)</title><pubDate>Mon, 0\(number + 1) Jan 2024 10:00:00 GMT</pubDate>"
      items += "<enclosure url=\"file://\(file)\" type=\"audio/mpeg\"/></item>"
    }
    let feed = try write(Array("<rss><channel><title>x</title>\(items)</channel></rss>".utf8), to: "feed.xml")
    try await run("subscribe", feed)
    for setting in ["autoplay=off", "auto-measure=off"] { try await run("config", "set", setting) }
  }

  /// The samples that `podcli play` gives to the loudspeaker.
  fileprivate func heard(_ episode: String = "1") async throws -> [Float] {
    let output = path + "/heard"
    let play = podcli("play", episode, "--restart")
      .setting("PODCLI_AO", "pcm:ao-pcm-file=\(output),ao-pcm-waveheader=no")
    _ = try await play.run(by: Deadline(after: .seconds(120)))
    return try contents(of: output).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  /// In LUFS, by FFmpeg's meter; mono is heard on two loudspeakers.
  fileprivate func loudness(of file: String) async throws -> Double { try await meter(file, "I:", "LUFS") }

  /// In dBTP.
  fileprivate func truePeak(of file: String) async throws -> Double { try await meter(file, "Peak:", "dBFS") }

  /// The last value of `name` that FFmpeg's meter prints.
  private func meter(_ file: String, _ name: String, _ unit: String) async throws -> Double {
    let filter = ["-af", "ebur128=dualmono=1:peak=true", "-f", "null", "-"]
    let ended = try await program("ffmpeg", ["-nostdin", "-hide_banner", "-nostats", "-i", file] + filter).run()
    let line = ended.error.split(separator: "\n").last { $0.contains(name) && $0.contains(unit) } ?? ""
    guard let value = line.split(separator: " ").compactMap({ Double($0) }).first else {
      throw Overdue("ffmpeg to measure", seen: ended.description)
    }
    return value
  }

  fileprivate var hasPyloudnorm: Bool {
    get async throws { try await program("python3", "-c", "import pyloudnorm, soundfile").run().status == .exited(0) }
  }

  /// In LUFS, by a second meter. Nil where it is not installed.
  fileprivate func loudnessByPyloudnorm(of file: String) async throws -> Double? {
    guard try await hasPyloudnorm else { return nil }
    let measure = """
      import sys, numpy, pyloudnorm, soundfile
      samples, rate = soundfile.read(sys.argv[1])
      both = numpy.column_stack([samples, samples])
      print(pyloudnorm.Meter(rate).integrated_loudness(both))
      """
    let ended = try await program("python3", "-c", measure, file).run(by: Deadline(after: .seconds(120)))
    guard let value = Double(ended.output.filter { !$0.isWhitespace }) else {
      throw Overdue("pyloudnorm to measure", seen: ended.description)
    }
    return value
  }
}
