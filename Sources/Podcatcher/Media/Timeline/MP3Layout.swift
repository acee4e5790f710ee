/// The layout of an MP3, by its first bytes. Pure.
///
/// MP3 has no index. Where every frame is as long as the others a time is an offset in the file, and a jump lands
/// exactly, whatever lies between. Where they differ, only counting all frames tells: see `MP3Timeline`.
struct MP3Layout: Hashable, Sendable {
  /// Of the first frame.
  var start: Int64
  var isConstant: Bool
  /// In bits a second, of the first frame that is sound.
  var bitrate: Int
  /// Of the first frame that is sound.
  var sound: Int64 = 0
  /// The first frame, with or without sound; a tag may be in it.
  var first: [UInt8] = []
  /// Nil where it does not fit the file.
  var tag: MP3Tag?

  /// libmpv estimates the length from the first frames, which are not like the others.
  var isLengthEstimated: Bool { tag == nil && !isConstant }

  enum Answer: Hashable, Sendable {
    case layout(MP3Layout)
    /// Not before so many bytes are here.
    case needs(Int64)
    case notMP3
  }

  /// Some two and a half seconds: longer than the silence that many episodes begin with.
  private static let frames = 100
  private static let counted = 64 << 10

  /// `bytes`: the file's beginning. `size`: of the file. `isAll`: there is no more of it.
  static func read(_ bytes: [UInt8], size: Int64?, isAll: Bool) -> Answer {
    let start = ID3.size(bytes)
    guard start + 4 <= bytes.count else { return isAll ? .notMP3 : .needs(Int64(start) + 4096) }
    guard let first = MP3Frame(bytes, at: start) else { return .notMP3 }
    let second = Int64(start + first.length + 4)
    guard bytes.count >= second || isAll else { return .needs(second) }
    if let tag = MP3Tag(bytes, first, at: start) {
      guard let second = MP3Frame(bytes, at: start + first.length) else { return .notMP3 }
      let fits = tag.fits(size.map { $0 - Int64(start) })
      return .layout(
        MP3Layout(
          start: Int64(start), isConstant: tag.isConstant && fits, bitrate: second.bitrate,
          sound: Int64(start + first.length), first: Array(bytes[start..<start + first.length]), tag: fits ? tag : nil))
    }
    let rest = Int64(start + first.length * (frames + 1))
    guard bytes.count >= rest || isAll else { return .needs(rest) }
    guard let isConstant = areAlike(bytes, first, from: start) else { return .notMP3 }
    // Where frames differ, more of them are counted for its length.
    if !isConstant, bytes.count < counted, !isAll { return .needs(Int64(counted)) }
    return .layout(
      MP3Layout(
        start: Int64(start), isConstant: isConstant, bitrate: first.bitrate, sound: Int64(start),
        first: Array(bytes[start..<min(bytes.count, start + first.length)])))
  }

  /// Nil when these are no frames.
  private static func areAlike(_ bytes: [UInt8], _ first: MP3Frame, from start: Int) -> Bool? {
    var offset = start
    for number in 0..<frames {
      guard let frame = MP3Frame(bytes, at: offset) else { return number > 10 && offset + 4 > bytes.count ? true : nil }
      if frame.bitrate != first.bitrate || frame.sampleRate != first.sampleRate { return false }
      offset += frame.length
    }
    return true
  }

  /// The frame that an engine is shown instead of the first one, if that is no sound, or before it: all it says is how long
  /// the file is.
  func head(announcing frames: Int64) -> MP3Head? {
    var header = Array(first.prefix(4))
    guard header.count == 4 else { return nil }
    // A first frame without sound is long enough for the tag; one with sound may be too short.
    if sound == start { header[2] = 0x90 | header[2] & 0x0C }
    guard let frame = MP3Frame(header, at: 0) else { return nil }
    let flags: [UInt8] = [0, 0, 0, 1]
    let count = (0..<4).reversed().map { UInt8(truncatingIfNeeded: frames >> ($0 * 8)) }
    let sides = [UInt8](repeating: 0, count: frame.sideLength)
    let text = header + sides + Array("Info".utf8) + flags + count + (tag?.encoder ?? [])
    guard text.count <= frame.length else { return nil }
    return MP3Head(
      start: start, frame: text + [UInt8](repeating: 0, count: frame.length - text.count), sound: sound,
      lead: lead)
  }

  /// The encoder's delay in ticks: an engine counts positions from behind it.
  var lead: Int64 { ticks(of: tag?.lead) }

  /// The encoder's padding behind the last sound, in ticks.
  var padding: Int64 { ticks(of: tag?.rest) }

  private func ticks(of samples: Int?) -> Int64 {
    guard let frame = MP3Frame(first, at: 0) else { return 0 }
    return Int64(samples ?? 0) * frame.ticks / Int64(frame.samples)
  }

  /// The length that the tag tells, which knows more than the feed: it belongs to these bytes.
  var toldSeconds: Double? {
    guard let frames = tag?.frames, frames > 0, let frame = MP3Frame(first, at: 0) else { return nil }
    return Double(frames) * Double(frame.samples) / Double(frame.sampleRate)
  }

  /// Whether a length contradicts that all frames are alike.
  func contradicts(seconds: Double?, size: Int64?) -> Bool {
    guard let seconds, let size, seconds > 60 else { return false }
    let told = Double(size - start) * 8 / Double(bitrate)
    return abs(told - seconds) > seconds * 0.05
  }
}

/// The tag with titles and pictures before the sound.
enum ID3 {
  /// 0 where there is none.
  static func size(_ bytes: [UInt8]) -> Int {
    guard bytes.count >= 10, bytes.starts(with: "ID3".utf8), bytes[6...9].allSatisfy({ $0 < 0x80 }) else { return 0 }
    let size = bytes[6...9].reduce(0) { $0 << 7 | Int($1) }
    let footer = bytes[5] & 0x10 == 0 ? 0 : 10
    return 10 + size + footer
  }
}

/// The four bytes that every frame begins with.
struct MP3Frame: Hashable, Sendable {
  var bitrate: Int
  var sampleRate: Int
  var samples: Int
  var length: Int
  /// Of the parameters between the four bytes and the sound, where a tag may hide.
  var sideLength: Int

  private static let rates1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
  private static let rates2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
  private static let sampleRates = [44100, 48000, 32000]

  /// Nil where no frame of layer 3 begins.
  init?(_ bytes: [UInt8], at offset: Int) {
    guard offset >= 0, offset + 4 <= bytes.count, bytes[offset] == 0xFF, bytes[offset + 1] & 0xE6 == 0xE2 else {
      return nil
    }
    let version = bytes[offset + 1] >> 3 & 3
    let (rate, sample) = (Int(bytes[offset + 2] >> 4), Int(bytes[offset + 2] >> 2 & 3))
    guard version != 1, (1...14).contains(rate), sample < 3 else { return nil }
    let isFirst = version == 3
    bitrate = (isFirst ? Self.rates1 : Self.rates2)[rate] * 1000
    sampleRate = Self.sampleRates[sample] >> (version == 3 ? 0 : version == 2 ? 1 : 2)
    samples = isFirst ? 1152 : 576
    length = samples / 8 * bitrate / sampleRate + Int(bytes[offset + 2] >> 1 & 1)
    let isMono = bytes[offset + 3] >> 6 == 3
    sideLength = isFirst ? (isMono ? 17 : 32) : (isMono ? 9 : 17)
  }
}

/// The tag that encoders write into a first frame without sound.
struct MP3Tag: Hashable, Sendable {
  /// The encoder says that all frames are alike.
  var isConstant = false
  /// Of all frames together, at the time of encoding.
  var size: Int64?
  /// How many follow.
  var frames: Int64?
  /// Roughly where the sound of some moments begins, counted in frames and in bytes from the first frame on.
  var contents: [Entry] = []
  /// The encoder's name and version, and how much of the first and the last frame is no sound.
  var encoder: [UInt8] = []

  /// Samples before the sound, as players that look at this count them.
  var lead: Int {
    isKnown ? Int(encoder[21]) << 4 + Int(encoder[22]) >> 4 + Self.decoderDelay : 0
  }

  /// Samples behind the sound, as the same players count them.
  var rest: Int {
    isKnown ? max(0, Int(encoder[22] & 15) << 8 + Int(encoder[23]) - Self.decoderDelay) : 0
  }

  private var isKnown: Bool {
    encoder.count > 23 && Self.knownEncoders.contains { encoder.starts(with: $0.utf8) }
  }

  static let knownEncoders = ["LAME", "Lavf", "Lavc"]

  private static let decoderDelay = 529

  struct Entry: Hashable, Sendable {
    var frame: Int64
    var offset: Int64
  }

  init?(_ bytes: [UInt8], _ frame: MP3Frame, at offset: Int) {
    let own = bytes[offset..<min(bytes.count, offset + frame.length)]
    if let tag = Self(xing: own.dropFirst(4 + frame.sideLength)) { self = tag; return }
    guard let tag = Self(fraunhofer: own.dropFirst(36), first: Int64(frame.length)) else { return nil }
    self = tag
  }

  /// `Xing`, or `Info` where all frames are alike: a hundred offsets, each to a 256th of the file.
  private init?(xing bytes: ArraySlice<UInt8>) {
    var bytes = bytes
    let name = bytes.popFirst(4)
    guard bytes.count >= 12, name.elementsEqual("Xing".utf8) || name.elementsEqual("Info".utf8) else { return nil }
    isConstant = name.elementsEqual("Info".utf8)
    let flags = bytes.popNumber(4)
    frames = flags & 1 == 0 ? nil : bytes.popNumber(4)
    size = flags & 2 == 0 ? nil : bytes.popNumber(4)
    let offsets = flags & 4 == 0 ? [] : bytes.popFirst(100)
    if let frames, let size, offsets.count == 100 {
      contents = offsets.enumerated().map { number, offset in
        Entry(frame: frames * Int64(number) / 100, offset: Int64(offset) * size / 256)
      }
    }
    if flags & 8 != 0 { _ = bytes.popFirst(4) }
    encoder = Array(bytes.popFirst(36))
  }

  /// `VBRI`: how long each of many stretches is.
  private init?(fraunhofer bytes: ArraySlice<UInt8>, first: Int64) {
    var bytes = bytes
    guard bytes.count >= 26, bytes.popFirst(4).elementsEqual("VBRI".utf8) else { return nil }
    _ = bytes.popFirst(6)
    size = bytes.popNumber(4)
    frames = bytes.popNumber(4)
    let (count, scale) = (bytes.popNumber(2), bytes.popNumber(2))
    let (width, framesEach) = (Int(bytes.popNumber(2)), bytes.popNumber(2))
    guard (1...4).contains(width), bytes.count >= Int(count) * width else { return }
    var entry = Entry(frame: 0, offset: first)
    for _ in 0..<count {
      contents.append(entry)
      entry.frame += framesEach
      entry.offset += bytes.popNumber(width) * scale
    }
  }

  /// Where advertisements were put between the frames, the tag is seldom right.
  func fits(_ actual: Int64?) -> Bool {
    guard let size, let actual else { return size == nil }
    return abs(actual - size) <= 4096
  }
}

extension ArraySlice<UInt8> {
  fileprivate mutating func popFirst(_ count: Int) -> Self {
    defer { removeFirst(Swift.min(count, self.count)) }
    return prefix(count)
  }

  fileprivate mutating func popNumber(_ count: Int) -> Int64 { popFirst(count).reduce(0) { $0 << 8 | Int64($1) } }
}
