import Glibc
import Playback
import PodcastModel
import Synchronization
import TestSupport

/// Trimmed silence at each level: the largest difference between the reported and the audible position, and the difference
/// between the reported time saved and the clock.
enum TrimBench {
  static func run() async throws {
    let workspace = try Workspace()
    defer { workspace.remove() }
    let speech = Speech(parts: Effort.size(28, brief: 2), seed: 7)
    let file = try workspace.write(speech.wav, to: "speech.wav")
    let speaker = try Speaker(workspace.folder + "/speaker")
    Report.title("silence trimmed: the told position beside what is heard, the time told as saved beside the clock")
    for level in Sound.Trim.allCases where level != .off {
      Report.tell(try await TrimRun(speech, file, speaker.pipe).play(level))
    }
    try await TrimModels.run(workspace)
    speaker.listen()
    try await HeardBench.run(workspace, speaker)
  }
}

/// Bursts of sound with pauses between them, like speech, at known times.
struct Speech {
  struct Part {
    var start: Double
    var end: Double
  }

  static let sampleRate = 16_000
  /// The times of the bursts.
  private(set) var parts: [Part] = []
  private(set) var wav: [UInt8] = []

  /// Between the bursts.
  var pauses: [Range<Double>] { zip(parts, parts.dropFirst()).map { $0.end..<$1.start } }

  init(parts count: Int, seed: UInt64, leastPause: Double = 0.15) {
    var random = SeededGenerator(seed: seed)
    var samples: [Int16] = []
    func now() -> Double { Double(samples.count) / Double(Self.sampleRate) }
    for _ in 0..<count {
      let start = now()
      let length = Int(Double.random(in: 0.4...2.5, using: &random) * Double(Self.sampleRate))
      let pitch = Double.random(in: 120...300, using: &random)
      for index in 0..<length {
        let phase = Double(index) * 2 * .pi / Double(Self.sampleRate)
        samples.append(Int16(6_000 * sin(phase * pitch) + 4_000 * sin(phase * pitch * 2.3)))
      }
      parts.append(Part(start: start, end: now()))
      // Background noise.
      let pause = Int(Double.random(in: leastPause...1.8, using: &random) * Double(Self.sampleRate))
      for _ in 0..<pause { samples.append(Int16.random(in: -12...12, using: &random)) }
    }
    wav = WAV.file(samples, sampleRate: Self.sampleRate)
  }
}

/// One playback of the speech.
private final class TrimRun: Sendable {
  /// A hundredth of a second of audio, and the position reported at that moment.
  private struct Moment {
    var clock: Double
    var isLoud: Bool
    var told: Double?
  }

  private let speech: Speech
  private let file: String
  private let pipe: Int32
  private let moments = Observed<[Moment]>([])

  init(_ speech: Speech, _ file: String, _ pipe: Int32) {
    self.speech = speech
    self.file = file
    self.pipe = pipe
  }

  func play(_ level: Sound.Trim) async throws -> Figure {
    let player = Player(audioOutput: "sdl:sdl-buflen=0.01")
    defer { player.close() }
    var sound = Sound()
    sound.trim = level
    player.setSound(sound)
    let events = player.events()
    let media = try player.load(.file(file), LoadOptions())
    let listening = Task.detached { [self] in listen(to: player) }
    var saved = 0.0
    for await event in events {
      if case .position(media, _) = event { saved = player.snapshot.timeSaved.inSeconds }
      if case .ended(media, _) = event { break }
    }
    listening.cancel()
    await listening.value
    return describe(level, moments.value, saved)
  }

  private func listen(to player: Player) {
    var block = [Float](repeating: 0, count: Speech.sampleRate / 100)
    while true {
      var readable = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
      // Playback may have ended while the pipe still holds audio.
      guard poll(&readable, 1, 200) > 0 else {
        if Task.isCancelled { return }
        continue
      }
      let count = read(pipe, &block, block.count * MemoryLayout<Float>.size) / MemoryLayout<Float>.size
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      let energy = block[..<max(0, count)].reduce(0) { $0 + $1 * $1 } / Float(max(1, count))
      let moment = Moment(
        clock: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9, isLoud: energy > 1e-4,
        told: player.snapshot.position.map { $0.inSeconds })
      moments.update { $0.append(moment) }
    }
  }

  /// The clock at each change between loud and quiet. A change of the speed leaves gaps of some hundredths of a second in
  /// the sound: a change counts once it has lasted for six.
  private static func edges(of moments: [Moment]) -> [Double] {
    var edges: [Double] = []
    var isLoud = false
    var lasted = 0
    for (index, moment) in moments.enumerated() {
      lasted = moment.isLoud == isLoud ? 0 : lasted + 1
      guard lasted == 6 else { continue }
      isLoud = moment.isLoud
      lasted = 0
      edges.append(moments[index - 5].clock)
    }
    return edges
  }

  /// Matches the audible bursts to those of the speech in order; between two edges, position and clock advance evenly.
  private func describe(_ level: Sound.Trim, _ moments: [Moment], _ saved: Double) -> Figure {
    let clocks = Self.edges(of: moments)
    let positions = speech.parts.flatMap { [$0.start, $0.end] }
    let edges = zip(clocks, positions).map { (clock: $0, position: $1) }
    guard clocks.count == positions.count, let first = edges.first, let last = edges.last else {
      return .missing("\(level.rawValue): \(clocks.count) edges heard of \(positions.count)")
    }
    var worst = 0.0
    for (edge, next) in zip(edges, edges.dropFirst()) {
      for moment in moments where moment.clock >= edge.clock && moment.clock < next.clock {
        guard let told = moment.told else { continue }
        let share = (moment.clock - edge.clock) / max(1e-9, next.clock - edge.clock)
        worst = max(worst, abs(told - (edge.position + share * (next.position - edge.position))))
      }
    }
    let wall = last.clock - first.clock
    let savedByClock = last.position - first.position - wall
    let pauses = zip(speech.parts, speech.parts.dropFirst()).map { $1.start - $0.end }
    let possible = pauses.reduce(0) { $0 + level.mostSaved(inPause: $1) }
    return Figure(
      level.rawValue,
      [
        .secondsOff: worst, .percentOff: abs(saved - savedByClock) / wall * 100,
        .percentSaved: savedByClock / possible * 100,
      ], goal: "0.6 s, 3 %, at least 60 %")
  }
}
