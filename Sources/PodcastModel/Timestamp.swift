import Glibc

/// A moment in UTC, in seconds since 1970; negative before.
package struct Timestamp: Hashable, Comparable, Sendable {
  package let seconds: Int64

  /// Within 35 million years of 1970: no sum or difference of two overflows, nor one in milliseconds.
  package init(seconds: Int64) { self.seconds = min(max(seconds, -1 << 50), 1 << 50) }

  /// The current time.
  package static var now: Timestamp { Timestamp(seconds: Int64(time(nil))) }

  package static func < (left: Timestamp, right: Timestamp) -> Bool { left.seconds < right.seconds }
}

/// The parts of a moment in the Gregorian calendar and UTC.
package struct CivilTime: Hashable, Sendable {
  package var year: Int
  package var month: Int
  package var day: Int
  package var hour: Int
  package var minute: Int
  package var second: Int

  package init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    (self.year, self.month, self.day) = (year, month, day)
    (self.hour, self.minute, self.second) = (hour, minute, second)
  }
}

extension Timestamp {
  /// Counts days from the civil date, so hours past 24 or seconds past 60 simply carry over.
  package init(_ civil: CivilTime) {
    let days = Self.daysSince1970(year: civil.year, month: civil.month, day: civil.day)
    self.init(seconds: Int64(((days * 24 + civil.hour) * 60 + civil.minute) * 60 + civil.second))
  }

  package var civil: CivilTime {
    let second = Int((seconds % 86_400 + 86_400) % 86_400)
    let (year, month, day) = Self.date(daysSince1970: (Int(seconds) - second) / 86_400)
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
}

extension Timestamp: CustomStringConvertible {
  /// RFC 3339 in UTC: `2024-01-01T10:00:00Z`.
  package var description: String {
    let civil = civil
    return Digits.text { digits in
      digits.write(civil)
      for (separator, number) in [("T", civil.hour), (":", civil.minute), (":", civil.second)]
        as [(Unicode.Scalar, Int)]
      {
        digits.write(separator)
        digits.write(number, width: 2)
      }
      digits.write("Z")
    }
  }

  /// `2024-01-01`
  package var dateText: String {
    let civil = civil
    return Digits.text { $0.write(civil) }
  }
}

/// Writes numbers digit by digit into one buffer, because lists show thousands of dates.
private struct Digits {
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  private var count = 0

  /// 48 bytes are enough for the last year of a `Timestamp`.
  static func text(_ write: (inout Digits) -> Void) -> String {
    String(unsafeUninitializedCapacity: 48) { bytes in
      var digits = Digits(bytes: bytes)
      write(&digits)
      return digits.count
    }
  }

  private init(bytes: UnsafeMutableBufferPointer<UInt8>) { self.bytes = bytes }

  mutating func write(_ date: CivilTime) {
    write(date.year, width: 4)
    write("-")
    write(date.month, width: 2)
    write("-")
    write(date.day, width: 2)
  }

  mutating func write(_ character: Unicode.Scalar) {
    bytes[count] = UInt8(ascii: character)
    count += 1
  }

  mutating func write(_ number: Int, width: Int) {
    if number < 0 { write("-") }
    var (rest, length) = (number.magnitude, 1)
    while rest >= 10 {
      rest /= 10
      length += 1
    }
    rest = number.magnitude
    for index in (0..<max(length, width)).reversed() {
      bytes[count + index] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    }
    count += max(length, width)
  }
}
