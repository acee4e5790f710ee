import Glibc
import Playback
import PodcastModel
import Synchronization
import TestSupport

/// Trimming as it is heard, by the map and by speeding through silence: the time saved by the clock, and by how much each
/// burst of sound is shorter than it was.
enum HeardBench {
  static func run(_ workspace: Workspace, _ speaker: Speaker) async throws {
    let speech = fiftyPauses()
    let known = Amount.fixed(Sound.Trim.max.saved(in: speech.pauses), digits: 1)
    Report.title(
      "silence trimmed at max, as it is heard: \(known) of \(Amount.fixed(length(speech), digits: 1)) s by the rule")
    // Its frames are as short as those of podcasts; a cut is one of whole frames.
    let (wav, file) = (try workspace.write(speech.wav, to: "bursts.wav"), workspace.folder + "/bursts.mp3")
    _ = try Measured.run("ffmpeg", ["-v", "error", "-y", "-i", wav, "-b:a", "128k", file], in: workspace)
    for pauses in [speech.pauses, nil] {
      let samples = try await play(file, pauses: pauses, speaker)
      Report.tell(shortened(samples, speech, pauses == nil ? "speeding through silence" : "cut by the map"))
    }
  }

  /// Of 0.3 to 1.8 s, 54 s in all.
  private static func fiftyPauses() -> Speech {
    let speeches = (21..<121).lazy.map { Speech(parts: Effort.size(51, brief: 3), seed: $0, leastPause: 0.3) }
    return speeches.first { Effort.isBrief || abs(length($0) - 54) < 0.2 } ?? speeches[21]
  }

  private static func length(_ speech: Speech) -> Double {
    speech.pauses.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
  }

  private static func play(_ file: String, pauses: [Range<Double>]?, _ speaker: Speaker) async throws -> [Float] {
    let player = Player(audioOutput: "sdl:sdl-buflen=0.01")
    defer { player.close() }
    var sound = Sound()
    sound.trim = .max
    player.setSound(sound)
    var options = LoadOptions()
    options.correction.pauses = pauses
    speaker.forget()
    let events = player.events()
    let media = try player.load(.file(file), options)
    for await event in events { if case .ended(media, _) = event { break } }
    usleep(300_000)
    return speaker.samples
  }

  /// Each burst is a tone without a pause, so it is heard between two silences.
  private static func shortened(_ samples: [Float], _ speech: Speech, _ name: String) -> Figure {
    let window = Speech.sampleRate * 6 / 1000
    var (bursts, last) = ([Range<Int>](), -window)
    for (index, sample) in samples.enumerated() where abs(sample) > 0.02 {
      if index - last > window { bursts.append(index..<index) }
      bursts[bursts.count - 1] = bursts[bursts.count - 1].lowerBound..<index + 1
      last = index
    }
    bursts.removeAll { $0.count < Speech.sampleRate / 20 }
    guard bursts.count == speech.parts.count, let first = bursts.first, let end = bursts.last else {
      return .missing("\(name): \(bursts.count) bursts of \(speech.parts.count)")
    }
    let lost = zip(bursts, speech.parts).map { burst, part in
      max(0, part.end - part.start - Double(burst.count) / Double(Speech.sampleRate))
    }.sorted()
    let heard = Double(end.upperBound - first.lowerBound) / Double(Speech.sampleRate)
    let length = speech.parts[speech.parts.count - 1].end - speech.parts[0].start
    let pauses = zip(bursts, bursts.dropFirst()).map { Double($1.lowerBound - $0.upperBound) }.min() ?? 0
    return Figure(
      name,
      [
        .saved: length - heard, .onsetHalf: lost[lost.count / 2], .onsetMost: lost[lost.count * 9 / 10],
        .shortestPause: pauses / Double(Speech.sampleRate),
      ], goal: pauses > 0 && name.hasPrefix("cut") ? "43 s saved, 5 ms, 150 ms" : nil)
  }
}

/// A pipe that SDL writes its samples into, and what came out of it.
final class Speaker: Sendable {
  private let heard = Mutex<[Float]>([])
  let pipe: Int32

  init(_ path: String) throws {
    guard mkfifo(path, 0o600) == 0 else { throw Workspace.CannotWrite(path: path) }
    pipe = open(path, O_RDWR | O_CLOEXEC)
    setenv("SDL_AUDIODRIVER", "disk", 1)
    setenv("SDL_DISKAUDIOFILE", path, 1)
  }

  var samples: [Float] { heard.withLock { $0 } }
  func forget() { heard.withLock { $0 = [] } }

  /// Takes all that comes from now on.
  func listen() {
    startThread { [self] in
      var block = [Float](repeating: 0, count: Speech.sampleRate / 100)
      while true {
        let count = read(pipe, &block, block.count * MemoryLayout<Float>.size) / MemoryLayout<Float>.size
        let part = block.prefix(max(0, count))
        heard.withLock { $0 += part }
      }
    }
  }
}
