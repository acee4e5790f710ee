internal import Playback
internal import PodcastModel
package import PodcastStore

/// Loudness and pauses of one rendition of a media file: measured once, good as long as its bytes are the same.
///
/// - `Sounding`: the result, and its form in the library
/// - `SoundingDraft`: the part that a pass has heard; it survives a kill
/// - `GatedLoudness`, `SilenceMap`: from figures to one loudness, and to pauses
/// - `Measurer`: the pass over files that are here whole, and over the beginning of one that is being filled
/// - `FirstPart`, `FirstPartSounding`: that beginning, and what is known by it
/// - `FileFingerprint`: tells whether the bytes are still those that were measured
package struct Sounding: Hashable, Sendable {
  /// Integrated loudness (ITU-R BS.1770) in LUFS; nil for silence.
  package var loudness: Double?
  /// The highest sample in dBFS; nil for silence.
  package var peak: Double?
  /// The momentary loudness of each tenth of a second.
  var levels: [Level]
  /// In seconds, ascending: where nothing is said for 150 ms or more.
  package var pauses: [Range<Double>]
  /// The file has two channels, which are the same.
  var hasEqualChannels = false

  /// In seconds.
  package var duration: Double { Double(levels.count) / 10 }

  /// The length with each level of trimming.
  package var trimmed: [(level: String, length: Duration)] {
    Sound.Trim.allCases.filter { $0 != .off }.map { trim in
      (trim.rawValue, .milliseconds(Int64((duration - trim.saved(in: pauses)) * 1000)))
    }
  }

  static let format = 1

  /// Whether nothing is said there.
  func isPause(at seconds: Double) -> Bool {
    var (lower, upper) = (0, pauses.count)
    while lower < upper {
      let middle = (lower + upper) / 2
      if pauses[middle].upperBound <= seconds { lower = middle + 1 } else { upper = middle }
    }
    return lower < pauses.count && pauses[lower].lowerBound <= seconds
  }
}

/// A loudness or a level in half decibels above -100; 0 is silence.
typealias Level = UInt8

extension Level {
  init(decibels: Double) {
    self = decibels > -100 ? Level(Swift.min(254, (decibels + 100) * 2).rounded()) : 0
  }

  var decibels: Double { Double(self) / 2 - 100 }
}

// MARK: - In the library

extension Sounding {
  /// Nil for a draft, for one of another format, and where only the loudness is left.
  package init?(_ record: SoundingRecord) {
    guard record.isComplete, record.format == Self.format, let data = record.data else { return nil }
    var reader = NumberReader(data)
    guard let count = reader.number(), count <= reader.left else { return nil }
    levels = reader.bytes(count)
    pauses = []
    var end = 0
    while let gap = reader.number() {
      guard let length = reader.number(), gap < 1 << 32, length < 1 << 32 else { return nil }
      pauses.append(Double(end + gap) / 100..<Double(end + gap + length) / 100)
      end += gap + length
    }
    loudness = record.loudness
    peak = record.peak
    hasEqualChannels = record.hasEqualChannels ?? false
  }

  func record(of episode: EpisodeID, file: String) -> SoundingRecord {
    var data = NumberReader.bytes(of: levels.count) + levels
    var end = 0
    for pause in pauses {
      let (start, upper) = (Int((pause.lowerBound * 100).rounded()), Int((pause.upperBound * 100).rounded()))
      data += NumberReader.bytes(of: start - end) + NumberReader.bytes(of: upper - start)
      end = upper
    }
    return SoundingRecord(
      episode: episode, file: file, format: Self.format, isComplete: true, loudness: loudness, peak: peak,
      hasEqualChannels: hasEqualChannels, data: data)
  }
}

/// Reads numbers of seven bits a byte, the lowest first.
struct NumberReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var left: Int { rest.count }

  /// Nil at the end, and for a number that is cut off or too large.
  mutating func number() -> Int? {
    var value = 0
    for shift in stride(from: 0, to: 63, by: 7) {
      guard let byte = rest.popFirst() else { return nil }
      value |= Int(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    return nil
  }

  mutating func bytes(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  static func bytes(of number: Int) -> [UInt8] {
    var (number, bytes) = (max(0, number), [UInt8]())
    while number >= 0x80 {
      bytes.append(UInt8(number & 0x7F) | 0x80)
      number >>= 7
    }
    return bytes + [UInt8(number)]
  }
}
