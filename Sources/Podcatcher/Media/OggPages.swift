/// A page of an Ogg file: so many bytes of one stream, and the moment at which they end. Pure.
struct OggPage: Hashable, Sendable {
  /// Up to the end of the last sound that ends in it; nil where none does.
  let samples: Int64?
  let stream: UInt64
  let headLength: Int
  let length: Int
  /// It begins within something that the page before began.
  let isContinued: Bool

  private static let mark = Array("OggS\0".utf8)
  static let longestHead = 27 + 255
  static let longest = longestHead + 255 * 255

  /// Nil where no page begins.
  init?(_ bytes: [UInt8], at place: Int = 0) {
    guard place + 27 <= bytes.count, bytes[place...].starts(with: Self.mark) else { return nil }
    headLength = 27 + Int(bytes[place + 26])
    guard place + headLength <= bytes.count else { return nil }
    isContinued = bytes[place + 5] & 1 != 0
    let ending = Int64(bitPattern: bytes[place + 6..<place + 14].littleEndian)
    samples = ending >= 0 ? ending : nil
    stream = bytes[place + 14..<place + 18].littleEndian
    length = bytes[place + 27..<place + headLength].reduce(headLength) { $0 + Int($1) }
  }
}

/// One page after the other, for as long as they are here whole.
struct OggPages: Sequence, IteratorProtocol {
  private var place: Int64
  private let read: BytesHere

  init(from place: Int64, _ read: @escaping BytesHere) {
    self.place = place
    self.read = read
  }

  /// From the first page on that begins in these bytes. A page is believed in when another one follows it.
  init?(firstFrom start: Int64, _ read: @escaping BytesHere) {
    let bytes = read(start, 3 * OggPage.longest)
    let first = bytes.indices.first { index in
      OggPage(bytes, at: index).map { OggPage(bytes, at: index + $0.length) != nil } ?? false
    }
    guard let first else { return nil }
    self.init(from: start + Int64(first), read)
  }

  mutating func next() -> (bytes: Range<Int64>, page: OggPage)? {
    guard let page = OggPage(read(place, OggPage.longestHead)) else { return nil }
    let end = place + Int64(page.length)
    guard !read(end - 1, 1).isEmpty else { return nil }
    defer { place = end }
    return (place..<end, page)
  }
}

/// What an Ogg file says of itself where it begins.
struct OggLayout: Hashable, Sendable {
  /// Where the first page begins that sounds.
  let sound: Int64
  private let stream: UInt64
  private let samplesPerSecond: Int64

  /// In seconds; about.
  private static let longestPage: Int64 = 6

  /// Nil for what is no Opus or Vorbis in Ogg, or where the beginning is not here.
  init?(_ read: @escaping BytesHere) {
    var pages = OggPages(from: 0, read)
    guard let first = pages.next()?.page,
      let rate = Self.rate(Array(read(0, first.length).dropFirst(first.headLength))),
      let sound = pages.first(where: { $0.page.samples ?? 0 > 0 }),
      // Cut out of something longer: where it begins, the engine's clock says nought all the same.
      sound.page.samples ?? 0 <= Self.longestPage * rate
    else { return nil }
    self.sound = sound.bytes.lowerBound
    stream = first.stream
    samplesPerSecond = rate
  }

  private static func rate(_ start: [UInt8]) -> Int64? {
    // Whatever it was made from, Opus counts like this.
    if start.starts(with: "OpusHead".utf8) { return 48_000 }
    guard start.starts(with: "\u{1}vorbis".utf8), start.count >= 16 else { return nil }
    let rate = Int64(start[12..<16].littleEndian)
    return rate > 0 ? rate : nil
  }

  /// The pages that are here in one piece and have `position` in them.
  func stretch(around position: Duration, in map: RangeMap, _ read: @escaping BytesHere) -> OggStretch? {
    map.ranges.lazy.compactMap { stretch(in: $0, read) }.first { $0.moments.contains(position) }
  }

  private func stretch(in range: Range<Int64>, _ read: @escaping BytesHere) -> OggStretch? {
    let start = range.lowerBound
    let pages = start > sound ? OggPages(firstFrom: start, read) : OggPages(from: sound, read)
    guard let pages else { return nil }
    var stretch: OggStretch?
    // Files that were joined begin to count anew, in another stream.
    for (bytes, page) in pages.prefix(while: { $0.page.stream == stream && $0.bytes.upperBound <= range.upperBound }) {
      guard let samples = page.samples else { continue }
      let moment = moment(samples)
      if stretch == nil, page.isContinued { continue }
      // What is heard of the first page may begin late in it.
      let first = stretch ?? OggStretch(bytes: bytes, moments: moment..<moment)
      guard moment >= first.moments.upperBound else { break }
      stretch = OggStretch(
        bytes: first.bytes.lowerBound..<bytes.upperBound, moments: first.moments.lowerBound..<moment)
    }
    return stretch
  }

  private func moment(_ samples: Int64) -> Duration {
    .milliseconds(min(samples, .max / 1000) * 1000 / samplesPerSecond)
  }
}

/// Pages in one piece, and what sounds in them.
struct OggStretch: Hashable, Sendable {
  let bytes: Range<Int64>
  let moments: Range<Duration>
}

extension ArraySlice<UInt8> {
  fileprivate var littleEndian: UInt64 { reversed().reduce(0) { $0 << 8 | UInt64($1) } }
}
