/// How an MP3 is laid out, by its first bytes. Pure.
///
/// MP3 has no index. Where every frame is as long as the others a time is a place in the file, and a jump lands
/// exactly, whatever lies between. Where they differ, only reading all frames tells; a table of contents in the
/// first frame knows a hundred places, each to a 256th of the file.
struct MP3Layout: Hashable, Sendable {
  /// Of the first frame.
  var start: Int64
  var isConstant: Bool
  /// In bits a second, of the first frame that is sound.
  var bitrate: Int

  enum Answer: Hashable, Sendable {
    case layout(MP3Layout)
    /// Not before so many bytes are here.
    case needs(Int64)
    case notMP3
  }

  /// Some two and a half seconds: longer than the silence that many episodes begin with.
  private static let frames = 100

  /// `bytes`: the file's beginning. `size`: of the file. `isAll`: there is no more of it.
  static func read(_ bytes: [UInt8], size: Int64?, isAll: Bool) -> Answer {
    let start = ID3.size(bytes)
    guard start + 4 <= bytes.count else { return isAll ? .notMP3 : .needs(Int64(start) + 4096) }
    guard let first = MP3Frame(bytes, at: start) else { return .notMP3 }
    let rest = Int64(start + first.length * (frames + 1))
    guard bytes.count >= rest || isAll else { return .needs(rest) }
    if let tag = MP3Tag(bytes, first, at: start) {
      guard let second = MP3Frame(bytes, at: start + first.length) else { return .notMP3 }
      let isConstant = tag.isConstant && tag.fits(size.map { $0 - Int64(start) })
      return .layout(MP3Layout(start: Int64(start), isConstant: isConstant, bitrate: second.bitrate))
    }
    guard let isConstant = areAlike(bytes, first, from: start) else { return .notMP3 }
    return .layout(MP3Layout(start: Int64(start), isConstant: isConstant, bitrate: first.bitrate))
  }

  /// Nil when these are no frames.
  private static func areAlike(_ bytes: [UInt8], _ first: MP3Frame, from start: Int) -> Bool? {
    var place = start
    for number in 0..<frames {
      guard let frame = MP3Frame(bytes, at: place) else { return number > 10 && place + 4 > bytes.count ? true : nil }
      if frame.bitrate != first.bitrate || frame.sampleRate != first.sampleRate { return false }
      place += frame.length
    }
    return true
  }

  /// Whether the length that the feed tells speaks against all frames being alike.
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
  init?(_ bytes: [UInt8], at place: Int) {
    guard place >= 0, place + 4 <= bytes.count, bytes[place] == 0xFF, bytes[place + 1] & 0xE6 == 0xE2 else {
      return nil
    }
    let version = bytes[place + 1] >> 3 & 3
    let (rate, sample) = (Int(bytes[place + 2] >> 4), Int(bytes[place + 2] >> 2 & 3))
    guard version != 1, (1...14).contains(rate), sample < 3 else { return nil }
    let isFirst = version == 3
    bitrate = (isFirst ? Self.rates1 : Self.rates2)[rate] * 1000
    sampleRate = Self.sampleRates[sample] >> (version == 3 ? 0 : version == 2 ? 1 : 2)
    samples = isFirst ? 1152 : 576
    length = samples / 8 * bitrate / sampleRate + Int(bytes[place + 2] >> 1 & 1)
    let isMono = bytes[place + 3] >> 6 == 3
    sideLength = isFirst ? (isMono ? 17 : 32) : (isMono ? 9 : 17)
  }
}

/// What encoders write into a first frame without sound.
struct MP3Tag: Hashable, Sendable {
  /// All frames are alike, says the encoder.
  var isConstant: Bool
  /// Of all frames together, as it was when it was written.
  var size: Int64?

  init?(_ bytes: [UInt8], _ frame: MP3Frame, at place: Int) {
    let tag = place + 4 + frame.sideLength
    guard tag + 16 <= bytes.count else { return nil }
    let name = bytes[tag..<tag + 4]
    if name.elementsEqual("Xing".utf8) || name.elementsEqual("Info".utf8) {
      isConstant = name.elementsEqual("Info".utf8)
      let flags = bytes[tag + 7]
      let sizeAt = tag + 8 + (flags & 1 == 0 ? 0 : 4)
      size = flags & 2 == 0 ? nil : bytes[sizeAt..<sizeAt + 4].reduce(0) { $0 << 8 | Int64($1) }
      return
    }
    let other = place + 36
    guard other + 4 <= bytes.count, bytes[other..<other + 4].elementsEqual("VBRI".utf8) else { return nil }
    isConstant = false
  }

  /// Who puts advertisements between the frames seldom thinks of the tag.
  func fits(_ actual: Int64?) -> Bool {
    guard let size, let actual else { return size == nil }
    return abs(actual - size) <= 4096
  }
}
