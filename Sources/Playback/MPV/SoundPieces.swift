/// Puts samples and figures, which come through two pipes, together again. Pure.
///
/// A seek begins inside a frame: the figures then count from the frame's beginning, the samples from the position itself.
/// So a piece has the samples of a whole tenth of a second, and the figure that begins closest to it: a pass that goes on
/// puts sound where one over the whole file does.
struct SoundPieces {
  private struct Figure {
    var start: Double
    var momentary: Double?
    var peak: Double?
  }

  private let start: Double
  private let sampleRate: Double
  private var figures: [Figure] = []
  private var text: [UInt8] = []
  private var samples: [Int16] = []
  /// The beginning of a sample of both channels.
  private var rest: [UInt8] = []
  /// The number of the first sample whose difference is heard.
  private var firstDifferent = Int.max
  /// How long before the position the first figure begins.
  private var lead: Double?
  private var taken = 0
  /// Of the samples that are no longer kept.
  private var dropped = 0
  /// Of those that are kept, how many were taken.
  private var used = 0

  init(from start: Double, sampleRate: Int = DecodedSound.sampleRate) {
    self.start = start
    self.sampleRate = Double(sampleRate)
  }

  /// Of two channels: the sound, and the difference of the file's channels.
  mutating func add(samples bytes: ArraySlice<UInt8>) {
    samples.removeSubrange(..<used)
    dropped += used
    used = 0
    let bytes = rest + bytes
    for start in stride(from: 0, to: bytes.count - 3, by: 4) {
      let difference = Self.number(bytes[start + 2], bytes[start + 3])
      if difference.magnitude > Self.rounding { firstDifferent = min(firstDifferent, dropped + samples.count) }
      samples.append(Self.number(bytes[start], bytes[start + 1]))
    }
    rest = Array(bytes.suffix(bytes.count % 4))
  }

  /// A difference that comes of rounding, also in AAC: 70 dB below full scale.
  private static let rounding = 10

  private static func number(_ low: UInt8, _ high: UInt8) -> Int16 {
    Int16(bitPattern: UInt16(high) << 8 | UInt16(low))
  }

  /// Lines such as `frame:12 pts:52920 pts_time:1.2` and `lavfi.r128.M=-23.1`.
  mutating func add(figures bytes: ArraySlice<UInt8>) {
    text += bytes
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for line in lines.dropLast() { read(String(decoding: line, as: UTF8.self)) }
    text = Array(lines.last ?? [])
  }

  private mutating func read(_ line: String) {
    if line.hasPrefix("frame:") {
      let stamp = line.split(separator: " ").first { $0.hasPrefix("pts_time:") }.flatMap { Double($0.dropFirst(9)) }
      guard let stamp, figures.last.map({ $0.start != stamp || $0.peak != nil }) ?? true else { return }
      figures.append(Figure(start: stamp))
      return
    }
    guard let sign = line.firstIndex(of: "="), !figures.isEmpty else { return }
    let value = Double(line[line.index(after: sign)...]).flatMap { $0.isNaN ? nil : $0 }
    if line.hasPrefix("lavfi.r128.M=") {
      figures[figures.count - 1].momentary = value ?? -.infinity
    } else {
      figures[figures.count - 1].peak = value ?? 0
    }
  }

  /// The next piece that has all its figures and samples.
  mutating func next() -> DecodedSound? {
    guard let figure = figures.first, figure.peak != nil, dropped + samples.count >= end(figure) else { return nil }
    return take(figure)
  }

  /// The next piece at the end, where the last samples may be missing.
  mutating func last() -> DecodedSound? {
    guard let figure = figures.first, figure.peak != nil else { return nil }
    return take(figure)
  }

  /// The number of samples up to the end of the next piece.
  private mutating func end(_ figure: Figure) -> Int {
    if lead == nil { lead = max(0, start - figure.start) }
    return max(0, Int((Double(taken + 1 - missing) * sampleRate / 10).rounded()))
  }

  /// The pieces that have no samples.
  private var missing: Int { Int(((lead ?? 0) * 10).rounded()) }

  private mutating func take(_ figure: Figure) -> DecodedSound {
    let upper = min(samples.count, max(used, end(figure) - dropped))
    let piece = DecodedSound(
      start: figure.start + (lead ?? 0) - Double(missing) / 10, momentary: figure.momentary ?? -.infinity,
      peak: figure.peak ?? 0,
      samples: Array(samples[used..<upper]), hasEqualChannels: firstDifferent >= dropped + upper)
    used = upper
    figures.removeFirst()
    taken += 1
    return piece
  }
}
