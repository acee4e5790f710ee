import Glibc
import PodcastModel

/// Formats moments in local time.
enum LocalTime {
  static func day(_ moment: Timestamp) -> String { shifted(moment).dateText }

  /// Midnights between two moments.
  static func days(from first: Timestamp, to second: Timestamp) -> Int64 {
    number(ofDay: shifted(second)) - number(ofDay: shifted(first))
  }

  /// `18:02`
  static func clock(_ moment: Timestamp) -> String {
    let civil = shifted(moment).civil
    return [civil.hour, civil.minute].map { $0 < 10 ? "0\($0)" : String($0) }.joined(separator: ":")
  }

  /// `Wednesday, 2026-08-19`, `Today` or `Yesterday`.
  static func heading(_ moment: Timestamp, now: Timestamp) -> String {
    switch days(from: moment, to: now) {
    case 0: "Today"
    case 1: "Yesterday"
    default: "\(weekday(shifted(moment))), \(day(moment))"
    }
  }

  /// January 1, 1970 was a Thursday.
  static func weekday(_ date: Timestamp) -> String {
    let names = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"]
    return names[Int((number(ofDay: date) % 7 + 7) % 7)]
  }

  private static func number(ofDay date: Timestamp) -> Int64 {
    (date.seconds - (date.seconds % 86_400 + 86_400) % 86_400) / 86_400
  }

  /// Shifts a moment by the offset from UTC, so that formatting it as UTC gives local time.
  static func shifted(_ moment: Timestamp) -> Timestamp {
    var seconds = time_t(moment.seconds)
    var parts = tm()
    guard localtime_r(&seconds, &parts) != nil else { return moment }
    return Timestamp(seconds: moment.seconds + Int64(parts.tm_gmtoff))
  }
}
