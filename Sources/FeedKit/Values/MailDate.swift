import PodcastModel

/// Reads and writes the date format of nearly every feed, RFC 822: `Mon, 01 Jan 2024 10:00:00 +0000`.
enum MailDate {
  static func timestamp(_ bytes: UnsafeBufferPointer<UInt8>) -> Timestamp? {
    guard bytes.count == 29 || bytes.count == 31, bytes[3] == UInt8(ascii: ","), bytes[19] == UInt8(ascii: ":"),
      bytes[22] == UInt8(ascii: ":"), bytes[4] == 0x20, bytes[7] == 0x20, bytes[11] == 0x20, bytes[16] == 0x20,
      bytes[25] == 0x20
    else { return nil }
    guard let day = number(bytes, 5, 2), let month = month(bytes), let year = number(bytes, 12, 4),
      let hour = number(bytes, 17, 2), let minute = number(bytes, 20, 2), let second = number(bytes, 23, 2),
      let zone = zone(bytes), 1...28 ~= day, hour < 24, minute < 60, second < 60
    else { return nil }
    let civil = CivilTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    return Timestamp(seconds: Timestamp(civil).seconds - Int64(zone * 60))
  }

  private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ length: Int) -> Int? {
    var value = 0
    for byte in bytes[start..<start + length] {
      guard Bytes.isDigit(byte) else { return nil }
      value = value * 10 + Int(byte - 0x30)
    }
    return value
  }

  private static let months = Array("JanFebMarAprMayJunJulAugSepOctNovDec".utf8)

  private static func month(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    for month in 0..<12
    where months[month * 3] == bytes[8] && months[month * 3 + 1] == bytes[9] && months[month * 3 + 2] == bytes[10] {
      return month + 1
    }
    return nil
  }

  private static func zone(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    if bytes.count == 29 { return Bytes.hasPrefix(bytes, at: 26, "GMT") ? 0 : nil }
    guard let hours = number(bytes, 27, 2), let minutes = number(bytes, 29, 2), hours <= 14, minutes < 60 else {
      return nil
    }
    return (bytes[26] == UInt8(ascii: "-") ? -1 : 1) * (hours * 60 + minutes)
  }

  // MARK: - Writing

  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

  /// RFC 822 with `GMT`, the date format of OPML.
  static func text(of moment: Timestamp) -> String {
    let civil = moment.civil
    let day = Int((moment.seconds / 86_400 % 7 + 7) % 7)
    return "\(days[day]), \(civil.day) \(name(ofMonth: civil.month)) \(civil.year) "
      + [civil.hour, civil.minute, civil.second].map { ($0 < 10 ? "0" : "") + String($0) }.joined(separator: ":")
      + " GMT"
  }

  private static func name(ofMonth month: Int) -> String {
    String(decoding: months[(month - 1) * 3..<month * 3], as: UTF8.self)
  }
}
