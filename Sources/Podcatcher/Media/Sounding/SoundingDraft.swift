private import Glibc
internal import Playback
internal import PodcastModel
internal import PodcastStore

/// The part of a media file that a pass has heard. Its form in the library lets the next pass go on there.
struct SoundingDraft: Hashable, Sendable {
  /// The momentary loudness of each tenth of a second.
  private(set) var loudness: [Level] = []
  /// The power of each 10 ms.
  private(set) var levels: [Level] = []
  /// Without the last second, whose samples may come from bytes that were cut off.
  private var peak = 0.0
  private var lastPeaks: [Double] = []
  /// So far; nil where a former pass did not look.
  private(set) var hasEqualChannels: Bool? = true

  init() {}

  private var wholePeak: Double { max(peak, lastPeaks.max() ?? 0) }

  /// Up to where it was heard, in seconds.
  var heard: Double { Double(loudness.count) / 10 }

  /// Where the next pass begins: a whole second, whose samples are those of a pass over the whole file. The loudness of a
  /// piece depends on the 400 ms before, so a second is heard twice.
  var start: Duration { .seconds(max(0, loudness.count / 10 - 1)) }

  /// Pieces that were heard before are left out, but for their channels. Where sound is missing in a damaged file, time goes on.
  mutating func add(_ piece: DecodedSound) {
    hasEqualChannels = hasEqualChannels.map { $0 && piece.hasEqualChannels }
    let index = Int((piece.start * 10).rounded())
    guard index >= loudness.count, index < Self.longest else { return }
    lastPeaks.append(piece.peak)
    if lastPeaks.count > 10 { peak = max(peak, lastPeaks.removeFirst()) }
    let missing = index - loudness.count
    loudness += [Level](repeating: 0, count: missing) + [Level(decibels: piece.momentary)]
    levels += [Level](repeating: SilenceMap.unknown, count: missing * 10) + Self.levels(of: piece.samples)
  }

  /// Less the last second: the bytes that it was decoded from may have been cut off.
  var withoutEnd: SoundingDraft {
    var draft = self
    draft.loudness.removeLast(min(10, loudness.count))
    draft.levels.removeLast(min(100, levels.count))
    draft.lastPeaks = []
    return draft
  }

  /// Of three days, in tenths of a second: a time stamp beyond is a wrong one.
  private static let longest = 2_592_000

  /// Ten of them, whatever is missing of the samples.
  private static func levels(of samples: [Int16]) -> [Level] {
    (0..<10).map { part in
      let range = (part * samples.count / 10)..<((part + 1) * samples.count / 10)
      guard !range.isEmpty else { return SilenceMap.unknown }
      let power = samples[range].reduce(0.0) { $0 + Double($1) * Double($1) } / Double(range.count)
      return Level(decibels: power > 0 ? 10 * log10(power / 1_073_741_824) : -.infinity)
    }
  }

  /// `channels`: of the media file.
  func sounding(channels: Int? = nil) -> Sounding {
    Sounding(
      loudness: GatedLoudness.of(loudness), peak: wholePeak > 0 ? 20 * log10(wholePeak) : nil, levels: loudness,
      pauses: SilenceMap.pauses(in: levels), hasEqualChannels: hasEqualChannels == true && channels == 2)
  }

  // MARK: In the library

  /// Nil where the record is no draft of this file.
  init?(_ record: SoundingRecord?, of file: String) {
    guard let record, !record.isComplete, record.file == file, record.format == Sounding.format,
      let data = record.data, data.count % 11 == 0, let peak = record.peak
    else { return nil }
    loudness = Array(data[..<(data.count / 11)])
    levels = Array(data[(data.count / 11)...])
    self.peak = peak
    hasEqualChannels = record.hasEqualChannels
  }

  func record(of episode: EpisodeID, file: String) -> SoundingRecord {
    SoundingRecord(
      episode: episode, file: file, format: Sounding.format, isComplete: false, peak: wholePeak,
      hasEqualChannels: hasEqualChannels, data: loudness + levels)
  }
}
