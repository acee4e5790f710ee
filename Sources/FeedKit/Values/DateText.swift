package import PodcastModel

/// Reads dates in every format that feeds use.
package enum DateText {
  /// The moment; nil for text that is no date.
  package static func timestamp(_ text: String) -> Timestamp? {
    var text = text
    return text.withUTF8 { timestamp($0) }
  }

  static func timestamp(_ text: UnsafeBufferPointer<UInt8>) -> Timestamp? {
    let trimmed = Bytes.trimmed(text)
    guard !trimmed.isEmpty, trimmed.count <= 128 else { return nil }
    if let moment = MailDate.timestamp(trimmed) ?? epoch(trimmed) { return moment }
    var reader = DateReader(trimmed)
    return reader.read()
  }

  /// Seconds since 1970 (nine to eleven digits) or milliseconds (thirteen).
  private static func epoch(_ bytes: UnsafeBufferPointer<UInt8>) -> Timestamp? {
    guard bytes.count == 13 || 9...11 ~= bytes.count, bytes.allSatisfy(Bytes.isDigit) else { return nil }
    let number = bytes.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
    return Timestamp(seconds: bytes.count == 13 ? number / 1000 : number)
  }
}

/// Reads a date as a sequence of words and numbers, and interprets each by its shape and its neighbours.
private struct DateReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var index = 0

  private var year: Int?
  private var month: Int?
  /// True where a time follows the day and the month: a later word is none.
  private var hasTimeBehindMonth = false
  private var day: Int?
  private var dayOfYear: Int?
  private var hour = 0
  private var minute = 0
  private var second = 0
  private var hasTime = false
  private var isAfternoon: Bool?
  /// Minutes east of Greenwich.
  private var zone: Int?
  /// The name of a zone, whose offset depends on the whole date.
  private var zoneName: Range<Int>?
  /// The offset of the first of two names: `PST/PDT`.
  private var firstZone: Int?
  /// Numbers whose meaning depends on the others.
  private var loose: [(value: Int, digits: Int)] = []

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  mutating func read() -> Timestamp? {
    while index < bytes.count {
      let byte = bytes[index]
      if Bytes.isDigit(byte) {
        guard readNumber() else { return nil }
      } else if Bytes.isLetter(byte) || byte >= 0x80 {
        readWord()
      } else if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-"), hasTime, isDigit(at: index + 1) {
        readOffset()
      } else {
        index += 1
      }
    }
    return timestamp()
  }

  private func isDigit(at index: Int) -> Bool { index < bytes.count && Bytes.isDigit(bytes[index]) }

  private func byte(at index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }

  private mutating func digits(atMost limit: Int = 18) -> (value: Int, digits: Int) {
    let start = index
    var value = 0
    while isDigit(at: index), index - start < limit {
      value = value * 10 + Int(bytes[index] - 0x30)
      index += 1
    }
    return (value, index - start)
  }

  // MARK: - Numbers

  private mutating func readNumber() -> Bool {
    let isBehindHyphen = index > 0 && bytes[index - 1] == UInt8(ascii: "-")
    let number = digits()
    let separator = byte(at: index)
    if separator == UInt8(ascii: ":"), !hasTime, number.digits <= 2 { return readTime(hour: number.value) }
    if loose.isEmpty, month == nil, year == nil, readISODate(number, separator) { return true }
    // Only a time can follow an ISO date: `T1430`.
    if year != nil, !hasTime { return !isBehindHyphen && readClock(number.value, digits: number.digits) }
    loose.append(number)
    return true
  }

  /// `2024-01-31`, `2024-01`, `2024-031`, `20240131`, with `-`, `/`, `.` or a CJK sign between the parts.
  private mutating func readISODate(_ number: (value: Int, digits: Int), _ separator: UInt8) -> Bool {
    switch number.digits {
    case 4 where isDateSeparator(separator) && isDigit(at: index + 1):
      year = number.value
      index += 1
      readMonthAndDay(after: separator)
      return true
    case 4 where number.value >= 1000 && (separator == 0 || separator == UInt8(ascii: "T")): year = number.value
    case 8: (year, month, day) = (number.value / 10_000, number.value / 100 % 100, number.value % 100)
    case 14:
      (year, month, day) = (
        number.value / 10_000_000_000, number.value / 100_000_000 % 100, number.value / 1_000_000 % 100
      )
      return readClock(number.value % 1_000_000, digits: 6)
    case 7: (year, dayOfYear) = (number.value / 1000, number.value % 1000)
    case 6 where separator == 0: readSixDigits(number.value)
    default: return false
    }
    skipTimeDesignator()
    return true
  }

  /// `202401` where that is a month from 1970 to 2099, else `240131`.
  private mutating func readSixDigits(_ value: Int) {
    if 1970...2099 ~= value / 100, 1...12 ~= value % 100 { return (year, month) = (value / 100, value % 100) }
    (year, month, day) = (value / 10_000, value / 100 % 100, value % 100)
    isShortYear = true
  }

  private func isDateSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "-") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ".")
  }

  private mutating func readMonthAndDay(after separator: UInt8) {
    let first = digits(atMost: 4)
    let hasDay = byte(at: index) == separator && isDigit(at: index + 1)
    if first.digits == 3, !hasDay {
      dayOfYear = first.value
    } else if first.digits == 4 {
      (month, day) = (first.value / 100, first.value % 100)
    } else {
      month = first.value
      if hasDay {
        index += 1
        day = digits(atMost: 2).value
      }
    }
    skipTimeDesignator()
  }

  /// Skips the time designator `T` of ISO 8601, which is neither a zone nor a word.
  private mutating func skipTimeDesignator() {
    if byte(at: index) | 0x20 == UInt8(ascii: "t"), isDigit(at: index + 1) { index += 1 }
  }

  private mutating func readClock(_ value: Int, digits: Int) -> Bool {
    switch digits {
    case 2: hour = value
    case 4: (hour, minute) = (value / 100, value % 100)
    case 6: (hour, minute, second) = (value / 10_000, value / 100 % 100, value % 100)
    default: return false
    }
    noteTime()
    skipFraction()
    return true
  }

  private mutating func noteTime() {
    hasTime = true
    hasTimeBehindMonth = month != nil && !loose.isEmpty
  }

  // MARK: - Time

  private mutating func readTime(hour: Int) -> Bool {
    self.hour = hour
    noteTime()
    index += 1
    guard isDigit(at: index) else { return false }
    minute = digits(atMost: 2).value
    if byte(at: index) == UInt8(ascii: ":"), isDigit(at: index + 1) {
      index += 1
      second = digits(atMost: 2).value
    }
    skipFraction()
    return true
  }

  private mutating func skipFraction() {
    let point = byte(at: index)
    guard point == UInt8(ascii: ".") || point == UInt8(ascii: ",") || point == UInt8(ascii: ":"), isDigit(at: index + 1)
    else { return }
    index += 1
    while isDigit(at: index) { index += 1 }
  }

  /// `+0100`, `-05:30`, `+1`; it counts more than the name of a zone before it: `GMT+0100`, `EST-0500`.
  private mutating func readOffset() {
    let isWest = bytes[index] == UInt8(ascii: "-")
    index += 1
    let number = digits(atMost: 4)
    var minutes = number.digits <= 2 ? number.value * 60 : number.value / 100 * 60 + number.value % 100
    if number.digits <= 2, byte(at: index) == UInt8(ascii: ":"), isDigit(at: index + 1) {
      index += 1
      minutes += digits(atMost: 2).value
    }
    guard minutes <= 18 * 60 else { return }
    zone = isWest ? -minutes : minutes
  }

  // MARK: - Words

  private mutating func readWord() {
    let start = index
    while index < bytes.count, Bytes.isLetter(bytes[index]) || bytes[index] >= 0x80 { index += 1 }
    if hasTime, let end = ZoneName.end(in: bytes, from: start, slash: index) {
      firstZone = DateWords.zone(DateWords.folded(bytes[start..<index]))
      index = end
      return zoneName = start..<end
    }
    var word = DateWords.folded(bytes[start..<index])
    // `p.m.`
    if word.count == 1, byte(at: index) == UInt8(ascii: "."), byte(at: index + 1) | 0x20 == UInt8(ascii: "m"),
      !Bytes.isLetter(byte(at: index + 2))
    {
      word.append(UInt8(ascii: "m"))
      index += 2
    }
    if let isAfternoon = DateWords.dayHalf(word), hasTime || isAfternoonFirst(word) {
      self.isAfternoon = isAfternoon
    } else if let month = DateWords.month(word), !hasNumberedMonth, !isMonthCertain {
      self.month = month
    } else if let offset = DateWords.zone(word), hasTime {
      zone = zone ?? offset
    }
  }

  /// East Asian dates have the half of the day before the hour.
  private func isAfternoonFirst(_ word: [UInt8]) -> Bool { (word.first ?? 0) >= 0x80 }

  /// `2014-08-05 mar.`: with a numbered month, no word is one. In `mar. 5 août` the weekday looks like a month, which
  /// the real one, which comes later, replaces.
  private var hasNumberedMonth: Bool { year != nil && month != nil }

  /// `5 Mayıs 2024 Pazar`, `Jan 01 2024 10:00 GMT+0400 (Arabian Standard Time)`: behind the day and the year, and behind
  /// the time, no word is the month.
  private var isMonthCertain: Bool {
    let hasDayAndYear = loose.count >= 2 && loose[0].digits < 4
    return month != nil && (hasDayAndYear || hasTimeBehindMonth)
  }

  // MARK: - The whole

  private mutating func timestamp() -> Timestamp? {
    placeLooseNumbers()
    guard let year = year.map(fullYear), 1...9999 ~= year else { return nil }
    // A time needs a day that it belongs to.
    guard day != nil || dayOfYear != nil || !hasTime else { return nil }
    guard let (month, day) = monthAndDay(in: year) else { return nil }
    applyDayHalf()
    guard hour <= 24, minute < 60, second <= 61 else { return nil }
    let civil = CivilTime(year: year, month: month, day: day, hour: hour, minute: minute, second: min(second, 59))
    let local = Timestamp(civil).seconds
    if let zone { return Timestamp(seconds: local - Int64(zone * 60)) }
    let offset = zoneName.flatMap { ZoneFiles.system.offset(of: bytes[$0], local: local) } ?? firstZone.map { $0 * 60 }
    return Timestamp(seconds: local - Int64(offset ?? 0))
  }

  private mutating func placeLooseNumbers() {
    guard year == nil else { return }
    if month != nil {
      placeAroundMonthName()
    } else if loose.count >= 3 {
      placeWithoutMonthName()
    }
  }

  /// `5 Aug 2014`, `Aug 5, 2014`, `2014 Aug 5`; a year has four digits or comes last.
  private mutating func placeAroundMonthName() {
    guard loose.count >= 2 else {
      if let only = loose.first, only.digits == 4 { year = only.value }
      return
    }
    let yearIndex = loose.prefix(2).firstIndex { $0.digits >= 3 } ?? 1
    year = loose[yearIndex].value
    isShortYear = loose[yearIndex].digits <= 2
    day = loose[1 - yearIndex].value
  }

  /// `31/12/2014`, `12/31/2014`, `31.12.14`: the month comes first unless it cannot be one.
  /// `2014 12 31` and `14-12-31`: a year comes first where the last number can hardly be one.
  private mutating func placeWithoutMonthName() {
    if loose[0].digits == 4 || (loose[2].digits <= 2 && 30...31 ~= loose[2].value) {
      (year, month, day) = (loose[0].value, loose[1].value, loose[2].value)
      return isShortYear = loose[0].digits <= 2
    }
    year = loose[2].value
    isShortYear = loose[2].digits <= 2
    let isDayFirst = loose[0].value > 12 || bytes.contains(UInt8(ascii: ".")) && !bytes.contains(UInt8(ascii: "/"))
    month = isDayFirst ? loose[1].value : loose[0].value
    day = isDayFirst ? loose[0].value : loose[1].value
  }

  private var isShortYear = false

  private func fullYear(_ year: Int) -> Int {
    guard isShortYear else { return year }
    return year < 50 ? 2000 + year : 1900 + year
  }

  private func monthAndDay(in year: Int) -> (Int, Int)? {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    if var rest = dayOfYear {
      guard rest >= 1 else { return nil }
      for (index, length) in lengths.enumerated() {
        if rest <= length { return (index + 1, rest) }
        rest -= length
      }
      return nil
    }
    let month = month ?? 1
    let day = day ?? 1
    guard 1...12 ~= month, 1...lengths[month - 1] ~= day else { return nil }
    return (month, day)
  }

  private mutating func applyDayHalf() {
    // 24:00 is the end of the day; 24:30 is written where hours run from 1 to 24.
    if hour == 24, minute > 0 || second > 0 { hour = 0 }
    guard let isAfternoon, 1...12 ~= hour else { return }
    hour = hour % 12 + (isAfternoon ? 12 : 0)
  }
}
