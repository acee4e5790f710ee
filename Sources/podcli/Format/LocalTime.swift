import Glibc
import PodcastModel

/// Moments as the clock on the wall shows them.
enum LocalTime {
  static func day(_ moment: Timestamp) -> String { shifted(moment).dateText }

  /// `18:02`
  static func clock(_ moment: Timestamp) -> String {
    let civil = shifted(moment).civil
    return [civil.hour, civil.minute].map { $0 < 10 ? "0\($0)" : String($0) }.joined(separator: ":")
  }

  /// `Wednesday, 2026-08-19`, and `Today` and `Yesterday`.
  static func heading(_ moment: Timestamp, now: Timestamp) -> String {
    let day = day(moment)
    if day == self.day(now) { return "Today" }
    if day == self.day(Timestamp(seconds: now.seconds - 86_400)) { return "Yesterday" }
    return "\(weekday(shifted(moment))), \(day)"
  }

  /// The first of January 1970 was a Thursday.
  static func weekday(_ date: Timestamp) -> String {
    let names = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"]
    let days = (date.seconds - (date.seconds % 86_400 + 86_400) % 86_400) / 86_400
    return names[Int((days % 7 + 7) % 7)]
  }

  /// The moment at which a clock in Greenwich shows what the one on the wall shows now.
  static func shifted(_ moment: Timestamp) -> Timestamp {
    var seconds = time_t(moment.seconds)
    var parts = tm()
    guard localtime_r(&seconds, &parts) != nil else { return moment }
    return Timestamp(seconds: moment.seconds + Int64(parts.tm_gmtoff))
  }
}
