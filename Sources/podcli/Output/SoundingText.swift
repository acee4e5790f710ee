import PodcastModel
import Podcatcher
import Text

/// The measurement of an episode, as text and as JSON.
enum SoundingText {
  /// `-18.3 LUFS, 312 pauses; 54:10 with trim mild, 51:20 with medium, 49:00 with max`
  static func line(_ sounding: Sounding) -> String {
    let pauses = counted(sounding.pauses.count, "pause")
    let trimmed = sounding.trimmed.map { "\(ClockText.short($0.length)) with trim \($0.level)" }
    return "\(loudness(sounding)), \(pauses); " + trimmed.joined(separator: ", ")
  }

  /// `-18.3 LUFS`
  static func loudness(_ sounding: Sounding) -> String {
    sounding.loudness.map { decimal($0) + " LUFS" } ?? "silence"
  }

  /// `-18.3 LUFS, played at +2.3 dB`
  static func words(_ sound: EpisodeSound) -> String {
    loudness(sound.sounding) + (sound.gain.map { ", played at \(decibels($0))" } ?? "")
      + (sound.isLevelled ? ", voices levelled" : "") + (sound.isBoosted ? ", boosted" : "")
  }

  /// `+2.3 dB`
  static func decibels(_ gain: Double) -> String { (gain > 0 ? "+" : "") + decimal(gain) + " dB" }

  static func json(_ sound: EpisodeSound) -> JSON {
    let played: JSON = [
      "gain": JSON(sound.gain.map(tenths)), "level": JSON(sound.isLevelled),
      "trimmedDuration": sound.trimmed.map(EpisodeJSON.seconds),
    ]
    return json(sound.sounding).adding(played)
  }

  /// With one digit after the point.
  static func decimal(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    let (whole, rest) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
    return (tenths < 0 ? "-" : "") + "\(whole).\(rest)"
  }

  static func json(_ sounding: Sounding) -> JSON {
    [
      "loudness": JSON(sounding.loudness.map(tenths)), "peak": JSON(sounding.peak.map(tenths)),
      "duration": JSON(tenths(sounding.duration)), "pauses": JSON(sounding.pauses.count),
      "trimmed": JSON(members: sounding.trimmed.map { ($0.level, EpisodeJSON.seconds($0.length)) }),
    ]
  }

  private static func tenths(_ number: Double) -> Double { (number * 10).rounded() / 10 }
}
