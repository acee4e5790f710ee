/// Reads durations: `1:02:03`, `3723`, `62:03.5`, `1h 2m 3s`, `PT1H2M3S`.
package enum DurationText {
  /// The duration in seconds. Nil for junk, and for negative or more than a year's durations.
  package static func seconds(_ text: String) -> Double? {
    var text = text
    return text.withUTF8 { bytes in
      let trimmed = Bytes.trimmed(bytes)
      guard !trimmed.isEmpty, trimmed.count <= 64, let seconds = parse(trimmed) else { return nil }
      return seconds <= 366 * 86_400 ? seconds : nil
    }
  }

  private static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    if bytes.contains(where: Bytes.isLetter) { return units(bytes) }
    return clock(bytes)
  }

  /// At most three numbers between colons, the last one possibly with a fraction. An empty part is zero: `:45`.
  private static func clock(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    var total = 0.0
    var colons = 0
    var number = Decimal()
    for byte in bytes {
      if byte == UInt8(ascii: ":") {
        guard number.isWhole, colons < 2 else { return nil }
        total = (total + number.value) * 60
        number = Decimal()
        colons += 1
      } else if !number.take(byte) {
        return nil
      }
    }
    guard number.hasDigits || (colons > 0 && total > 0), colons > 0 || !isGrouped(bytes) else { return nil }
    return total + number.value
  }

  /// `1,234` may be a fraction or a thousand.
  private static func isGrouped(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.count > 4 && bytes[bytes.count - 4] == UInt8(ascii: ",")
  }

  /// Numbers with units behind them, ISO 8601 among them.
  private static func units(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    var total = 0.0
    var number = Decimal()
    var index = 0
    var hasUnit = false
    var isTime = false
    while index < bytes.count {
      let byte = bytes[index]
      if Bytes.isLetter(byte) {
        let start = index
        while index < bytes.count, Bytes.isLetter(bytes[index]) { index += 1 }
        if !number.hasDigits, isMarker(bytes[start..<index], &isTime) { continue }
        // `PT1H2M`: no blank between a unit and the T of the time.
        guard number.hasDigits, let factor = factor(bytes[start..<index], isTime: &isTime) else { return nil }
        total += number.value * factor
        number = Decimal()
        hasUnit = true
        continue
      }
      let isSeparator = Bytes.isBlank(byte) || (byte == UInt8(ascii: ",") && !number.hasDigits)
      if !isSeparator, !(byte == UInt8(ascii: ".") && !number.hasDigits), !number.take(byte) { return nil }
      index += 1
    }
    // `1h 20`: the unit of the second number would be a guess.
    return hasUnit && !number.hasDigits ? total : nil
  }

  private static func isMarker(_ word: Slice<UnsafeBufferPointer<UInt8>>, _ isTime: inout Bool) -> Bool {
    let letters = word.map { $0 | 0x20 }
    if letters.last == UInt8(ascii: "t") { isTime = true }
    return letters.elementsEqual("p".utf8) || letters.elementsEqual("pt".utf8) || letters.elementsEqual("t".utf8)
      || letters.elementsEqual("and".utf8)
  }

  private static func factor(_ word: Slice<UnsafeBufferPointer<UInt8>>, isTime: inout Bool) -> Double? {
    let letters = String(decoding: word.map { $0 | 0x20 }, as: UTF8.self)
    if letters == "dt" { isTime = true }
    return switch letters {
    case "s", "sec", "secs", "second", "seconds", "sek", "sekunden", "segundos", "secondes": 1
    case "m", "min", "mins", "minute", "minutes", "minuten", "minutos", "mn": 60
    case "h", "hr", "hrs", "hour", "hours", "std", "stunde", "stunden", "hora", "horas", "heure", "heures": 3600
    case "d", "day", "days", "dt": 86_400
    case "w", "week", "weeks": 604_800
    case "ms": 0.001
    default: nil
    }
  }

  /// Digits with at most one decimal point or comma.
  private struct Decimal {
    private(set) var value = 0.0
    private(set) var hasDigits = false
    private(set) var isWhole = true
    private var unit = 1.0

    mutating func take(_ byte: UInt8) -> Bool {
      if Bytes.isDigit(byte) {
        hasDigits = true
        if isWhole {
          value = value * 10 + Double(byte - 0x30)
        } else {
          unit *= 10
          value = ((value * unit).rounded() + Double(byte - 0x30)) / unit
        }
        return true
      }
      guard isWhole, byte == UInt8(ascii: ".") || byte == UInt8(ascii: ",") else { return false }
      isWhole = false
      return true
    }
  }
}
