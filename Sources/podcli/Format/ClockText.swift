import PodcastModel

/// Formats lengths and positions.
enum ClockText {
  /// `00:41:07`, always eight characters wide below 100 hours.
  static func full(_ duration: Duration) -> String {
    let seconds = max(0, duration.components.seconds)
    return "\(twoDigits(seconds / 3600)):\(twoDigits(seconds / 60 % 60)):\(twoDigits(seconds % 60))"
  }

  /// `41:07`, `1:02:03`
  static func short(_ duration: Duration) -> String {
    let seconds = max(0, duration.components.seconds)
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, twoDigits(seconds % 60))
    return hours > 0 ? "\(hours):\(twoDigits(minutes)):\(rest)" : "\(minutes):\(rest)"
  }

  /// Formats the start of a chapter or segment, given in seconds.
  static func position(_ seconds: Double) -> String {
    short(Duration(validSeconds: seconds) ?? .zero)
  }

  /// `3 h 20 min`, `41 min`, `12 s`: for sums.
  static func words(_ duration: Duration) -> String {
    let seconds = max(0, duration.components.seconds)
    if seconds < 60 { return "\(seconds) s" }
    let minutes = seconds / 60
    if minutes < 60 { return "\(minutes) min" }
    return minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes / 60) h \(minutes % 60) min"
  }

  private static func twoDigits(_ number: Int64) -> String {
    number < 10 ? "0\(number)" : String(number)
  }
}

/// Formats dates: relative within a week, plain before that and in the future.
enum DateText {
  static func relative(_ date: Timestamp, now: Timestamp) -> String {
    let age = now.seconds - date.seconds
    switch age {
    case ..<(-3600): return LocalTime.day(date)
    case ..<60: return "just now"
    case ..<3600: return "\(age / 60) min ago"
    case ..<86_400: return "\(age / 3600) h ago"
    case ..<(8 * 86_400):
      let days = LocalTime.days(from: date, to: now)
      // A day may have 25 hours.
      return days <= 1 ? "yesterday" : days < 7 ? "\(days) days ago" : LocalTime.day(date)
    default: return LocalTime.day(date)
    }
  }
}
