import Glibc

/// A moment, to the second, in UTC. Before 1970 it is negative.
package struct Timestamp: Hashable, Comparable, Sendable {
  package var seconds: Int64

  package init(seconds: Int64) {
    self.seconds = seconds
  }

  package static var now: Timestamp { Timestamp(seconds: Int64(time(nil))) }

  package static func < (left: Timestamp, right: Timestamp) -> Bool { left.seconds < right.seconds }
}

/// A moment taken apart, in the Gregorian calendar and UTC.
package struct CivilTime: Hashable, Sendable {
  package var year: Int
  package var month: Int
  package var day: Int
  package var hour: Int
  package var minute: Int
  package var second: Int

  package init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
  }
}

extension Timestamp {
  /// Counts days from the civil date, so hours past 24 or seconds past 60 simply carry over.
  package init(_ civil: CivilTime) {
    let days = Self.daysSince1970(year: civil.year, month: civil.month, day: civil.day)
    seconds = Int64(((days * 24 + civil.hour) * 60 + civil.minute) * 60 + civil.second)
  }

  package var civil: CivilTime {
    let (days, rest) = Self.split(seconds, by: 86_400)
    let (year, month, day) = Self.date(daysSince1970: Int(days))
    let second = Int(rest)
    return CivilTime(
      year: year, month: month, day: day, hour: second / 3600, minute: second / 60 % 60, second: second % 60)
  }

  /// Eras of 400 years, each starting on the first of March, so that the leap day comes last.
  private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private static func date(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch + (monthFromMarch < 10 ? 3 : -9)
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  private static func split(_ value: Int64, by unit: Int64) -> (quotient: Int64, remainder: Int64) {
    let remainder = (value % unit + unit) % unit
    return ((value - remainder) / unit, remainder)
  }
}

extension Timestamp: CustomStringConvertible {
  /// RFC 3339 in UTC: `2024-01-01T10:00:00Z`.
  package var description: String {
    let civil = civil
    let time = [civil.hour, civil.minute, civil.second].map { Self.padded($0, to: 2) }
    return dateText + "T" + time.joined(separator: ":") + "Z"
  }

  /// `2024-01-01`
  package var dateText: String {
    let civil = civil
    return Self.padded(civil.year, to: 4) + "-" + Self.padded(civil.month, to: 2) + "-"
      + Self.padded(civil.day, to: 2)
  }

  private static func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number.magnitude)
    return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
