import PodcastModel
internal import Text

/// Reads a malformed start tag leniently and writes well-formed attributes.
struct LenientTag {
  /// ` name="value"` for each attribute.
  private(set) var attributes: [UInt8] = []
  private(set) var isEmpty = false
  private(set) var isXHTML = false

  private(set) var entities: DeclaredEntities
  private let isWindows1252: Bool
  private let limits: FeedLimits
  private var names: Set<[UInt8]> = []

  init(entities: DeclaredEntities, isWindows1252: Bool, limits: FeedLimits) {
    self.entities = entities
    self.isWindows1252 = isWindows1252
    self.limits = limits
  }

  /// Returns the index behind the tag; nil while its end is missing.
  mutating func read(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, isLast: Bool) -> Int? {
    var index = start
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: ">"): return index + 1
      // Without a bracket the tag ends where the next one begins.
      case UInt8(ascii: "<"): return index
      case UInt8(ascii: "/"):
        isEmpty = index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: ">")
        index += 1
      case let byte where Bytes.isLetter(byte) || byte == UInt8(ascii: "_"):
        guard let end = readAttribute(bytes, index, isLast) else { return nil }
        index = end
      default: index += 1
      }
    }
    return nil
  }

  private mutating func readAttribute(
    _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ isLast: Bool
  ) -> Int? {
    let nameEnd = TagScan.nameEnd(bytes, from: start)
    var index = nameEnd
    while index < bytes.count, Bytes.isBlank(bytes[index]) { index += 1 }
    guard index < bytes.count else { return nil }
    guard bytes[index] == UInt8(ascii: "=") else { return nameEnd }
    index += 1
    while index < bytes.count, Bytes.isBlank(bytes[index]) { index += 1 }
    guard index < bytes.count else { return nil }
    guard let (value, end) = value(bytes, index, isLast) else { return nil }
    add(bytes, start..<nameEnd, value)
    return end
  }

  private func value(
    _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ isLast: Bool
  ) -> (Range<Int>, end: Int)? {
    let quote = bytes[start]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return bareValue(bytes, start) }
    let horizon = min(bytes.count, start + limits.tagBytes / 2)
    if let close = bytes[(start + 1)..<max(start + 1, horizon)].firstIndex(of: quote) {
      guard close + 1 < bytes.count else { return isLast ? bareValue(bytes, start + 1) : nil }
      return closes(bytes, start, close) ? (start + 1..<close, close + 1) : bareValue(bytes, start + 1)
    }
    // Without a closing quote within reach, the opening one is a mistake.
    return horizon < bytes.count || isLast ? bareValue(bytes, start + 1) : nil
  }

  /// A quote closes a value when a blank or the end of the tag follows, or nothing in the value looks like another tag.
  private func closes(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ close: Int) -> Bool {
    let next = bytes[close + 1]
    if Bytes.isBlank(next) || next == UInt8(ascii: ">") || next == UInt8(ascii: "/") || next == UInt8(ascii: "?") {
      return true
    }
    let value = bytes[start + 1..<close]
    return value.last != UInt8(ascii: "=") && !value.contains(UInt8(ascii: "<")) && !value.contains(UInt8(ascii: ">"))
  }

  private func bareValue(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> (Range<Int>, end: Int)? {
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      if Bytes.isBlank(byte) || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "<") {
        let isClosed = byte == UInt8(ascii: ">") && index > start && bytes[index - 1] == UInt8(ascii: "/")
        let end = isClosed ? index - 1 : index
        return (start..<end, end)
      }
      index += 1
    }
    return nil
  }

  private mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, _ name: Range<Int>, _ value: Range<Int>) {
    guard TagScan.isName(UnsafeBufferPointer(rebasing: bytes[name])), names.count < limits.attributes,
      names.insert(Array(bytes[name])).inserted
    else { return }
    isXHTML = isXHTML || TagScan.saysXHTML(bytes, name, value)
    attributes.append(UInt8(ascii: " "))
    attributes += bytes[name]
    attributes += "=\"".utf8
    appendEscaped(UnsafeBufferPointer(rebasing: bytes[value]))
    attributes.append(UInt8(ascii: "\""))
  }

  private mutating func appendEscaped(_ value: UnsafeBufferPointer<UInt8>) {
    var index = 0
    while index < value.count {
      let byte = value[index]
      switch byte {
      case UInt8(ascii: "<"): attributes += "&lt;".utf8
      case UInt8(ascii: "\""): attributes += "&quot;".utf8
      case UInt8(ascii: "&"):
        index = appendReference(value, index)
        continue
      case 0x80...:
        index = appendCharacter(value, index)
        continue
      case 0..<0x20 where !Bytes.isBlank(byte) || byte == 0x0B || byte == 0x0C: break
      default: attributes.append(byte)
      }
      index += 1
    }
  }

  private mutating func appendReference(_ value: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
    if !entities.isEmpty, case .text(let text, let end) = entities.read(value, at: index, isLast: true) {
      for scalar in text.unicodeScalars { append(scalar) }
      return end
    }
    switch XMLReference.read(value, at: index, isLast: true) {
    case .clean(let end):
      attributes += value[index..<end]
      return end
    case .character(let scalar, let end, _):
      append(scalar)
      return end
    case .nothing(let end): return end
    case .bare, .incomplete:
      attributes += "&amp;".utf8
      return index + 1
    }
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "<": attributes += "&lt;".utf8
    case "&": attributes += "&amp;".utf8
    case "\"": attributes += "&quot;".utf8
    default: attributes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
    }
  }

  private mutating func appendCharacter(_ value: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
    if !isWindows1252, case .valid(let length) = UTF8Scan.character(value, at: index) {
      attributes += value[index..<index + length]
      return index + length
    }
    append(HTMLEntities.windows1252(value[index]))
    return index + 1
  }
}
