internal import PodcastModel

/// A hash of a publisher's texts and numbers, stored to see later whether anything changed. The same on every machine and
/// in every run; it takes sixteen bytes at a time, because the notes of a long feed are many megabytes.
struct ContentHash {
  private var state: UInt64 = 0x9e37_79b9_7f4a_7c15

  var value: Int64 { Int64(bitPattern: Self.mixed(state, 0xd6e8_feb8_6659_fd93)) }

  private static func mixed(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }

  mutating func add(_ number: UInt64) { state = Self.mixed(state ^ number, 0xa076_1d64_78bd_642f) &+ number }

  /// The length is hashed first, so that moving letters between neighbouring texts changes the hash; nil differs from empty.
  mutating func add(_ text: String?) {
    guard var text else { return add(UInt64.max) }
    text.withUTF8 { add($0) }
  }

  mutating func add(_ text: UnsafeBufferPointer<UInt8>?) {
    guard let text else { return add(UInt64.max) }
    add(UInt64(text.count))
    add(UnsafeRawBufferPointer(text))
  }

  private mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var offset = 0
    while offset + 16 <= bytes.count {
      let first = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      let second = bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
      state = Self.mixed(state ^ first.littleEndian, second.littleEndian ^ 0xe703_7ed1_a0b4_28db) &+ first.littleEndian
      offset += 16
    }
    var rest: UInt64 = 0
    while offset < bytes.count {
      rest = rest &* 0x1_0000_01b3 ^ UInt64(bytes[offset])
      offset += 1
    }
    add(rest)
  }

  mutating func add(_ number: Double?) { add(number.map(\.bitPattern) ?? UInt64.max) }
  mutating func add(_ number: Int64?) { add(number.map(UInt64.init(bitPattern:)) ?? UInt64.max) }
  mutating func add(_ time: Timestamp?) { add(time?.seconds) }
  mutating func add(_ flag: Bool?) { add(flag.map { $0 ? 1 : 0 } ?? UInt64.max) }

  static func of(_ text: String) -> Int64 {
    var hash = ContentHash()
    hash.add(text)
    return hash.value
  }
}

extension ContentHash {
  mutating func add(_ chapter: Chapter) {
    add(chapter.start)
    add(chapter.end)
    for text in [chapter.title, chapter.link, chapter.image] { add(text) }
    add(chapter.isListed)
  }
}

extension Feed {
  /// Over all that is stored of the podcast itself.
  var contentHash: Int64 {
    var hash = ContentHash()
    let texts = [
      title, author, link, image, language, type, description, subtitle, copyright, ownerName, ownerEmail, guid, medium,
    ]
    for text in texts { hash.add(text) }
    for category in categories { hash.add(category) }
    for funding in fundings {
      hash.add(funding.url)
      hash.add(funding.text)
    }
    hash.add(isExplicit)
    hash.add(isComplete)
    return hash.value
  }
}
