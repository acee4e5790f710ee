/// A stretch of an MP3 as a file of its own, cut between two samples without encoding anything again. Pure.
///
/// - The frames are those of the file. Two more come before them, since a frame sounds as it did only after the ones
///   before it.
/// - A frame may take bytes from earlier ones (the bit reservoir): a silent frame at the front carries those.
/// - The first frame, a tag, says how many samples at both ends are not heard. Players that do not read it play up to
///   0.1 s more.
struct MP3Clip: Sendable {
  /// The tag and the silent frame.
  let head: [UInt8]
  /// Of the frames in the file, in order.
  let ranges: [Range<Int64>]
  /// The stretch that is heard, in ticks.
  let ticks: Range<Int64>

  private static let framesBefore = 2
  /// Samples by which a decoder is late, as the tag counts.
  private static let decoderDelay: Int64 = 529

  /// Nil where nothing of the file is heard in those ticks, which count the decoder's delay.
  init?(_ wanted: Range<Int64>, of stretch: MP3Stretch, _ layout: MP3Layout, in bytes: PresentBytes) {
    let padding = stretch.isAtEnd ? layout.padding : 0
    let heard = wanted.lowerBound..<max(wanted.lowerBound, min(wanted.upperBound, stretch.end - padding))
    guard !heard.isEmpty, let first = stretch.index(at: heard.lowerBound),
      let last = stretch.index(at: heard.upperBound - 1)
    else { return nil }
    let begin = max(0, first - Self.framesBefore)
    let frames = stretch.frames[begin...last]
    let earlier = stretch.frames[..<begin].suffix(MP3Stretch.before)
    guard let start = frames.first, let opening = MP3FrameBytes(bytes(start.byte, start.length)),
      let carrier = opening.silence(carrying: Self.reservoir(of: opening, earlier, bytes)),
      let frame = MP3Frame(carrier, at: 0)
    else { return nil }
    let end = last + 1 < stretch.frames.count ? stretch.frames[last + 1].tick : stretch.end
    let tag = MP3ClipTag(
      lengths: [carrier.count] + frames.map(\.length),
      delay: Int64(frame.samples) + (heard.lowerBound - start.tick) / frame.ticksPerSample - Self.decoderDelay,
      padding: (end - heard.upperBound) / frame.ticksPerSample + Self.decoderDelay, encoder: layout.tag?.encoder ?? [])
    guard let head = tag.frame(like: carrier) else { return nil }
    self.head = head + carrier
    ranges = frames.map(\.bytes).joined
    ticks = heard
  }

  /// The bytes before its own that the frame takes from earlier ones.
  private static func reservoir(
    of frame: MP3FrameBytes, _ earlier: ArraySlice<MP3Stretch.Frame>, _ bytes: PresentBytes
  ) -> [UInt8] {
    var found: [UInt8] = []
    for frame in earlier.reversed() where found.count < MP3FrameBytes.longestReservoir {
      found = (MP3FrameBytes(bytes(frame.byte, frame.length))?.main ?? []) + found
    }
    let missing = [UInt8](repeating: 0, count: max(0, frame.reservoir - found.count))
    return missing + found.suffix(frame.reservoir)
  }
}

/// The parts of one frame: its header, its parameters and its share of the sound.
struct MP3FrameBytes {
  private let header: [UInt8]
  private let sideLength: Int
  /// How many bytes before its own it begins with.
  let reservoir: Int
  /// Its own bytes, some of which may be of later frames.
  let main: [UInt8]

  static let longestReservoir = 511

  init?(_ bytes: [UInt8]) {
    guard let frame = MP3Frame(bytes, at: 0), bytes.count >= frame.length else { return nil }
    let hasChecksum = bytes[1] & 1 == 0
    let side = hasChecksum ? 6 : 4
    guard frame.length >= side + frame.sideLength else { return nil }
    header = Array(bytes[..<4])
    sideLength = frame.sideLength
    let isFirstVersion = bytes[1] & 0x18 == 0x18
    reservoir = isFirstVersion ? Int(bytes[side]) << 1 | Int(bytes[side + 1] >> 7) : Int(bytes[side])
    main = Array(bytes[(side + frame.sideLength)..<frame.length])
  }

  /// A frame without sound that ends with these bytes, for the frame behind it.
  func silence(carrying bytes: [UInt8]) -> [UInt8]? {
    guard let (header, frame) = MP3Frame.shortest(like: header, holding: 4 + sideLength + bytes.count) else {
      return nil
    }
    return header + [UInt8](repeating: 0, count: frame.length - 4 - bytes.count) + bytes
  }
}

/// The tag at the front of a clip: as `Xing` and LAME lay it out.
private struct MP3ClipTag {
  /// Of the frames behind it.
  var lengths: [Int]
  /// In samples, without the decoder's.
  var delay: Int64
  /// In samples, with the decoder's delay.
  var padding: Int64
  /// Of the file that the clip is of.
  var encoder: [UInt8]

  private static let size = 4 + 4 + 4 + 4 + 100 + 4 + 36

  /// A frame with the tag that fits in front of `neighbour`. Nil where a number does not fit into it.
  func frame(like neighbour: [UInt8]) -> [UInt8]? {
    guard let side = MP3Frame(neighbour, at: 0)?.sideLength, (0..<4096).contains(delay), (0..<4096).contains(padding),
      let (header, frame) = MP3Frame.shortest(like: Array(neighbour.prefix(4)), holding: 4 + side + Self.size)
    else { return nil }
    let total = frame.length + lengths.reduce(0, +)
    var bytes = header + [UInt8](repeating: 0, count: side) + Array("Xing".utf8) + [0, 0, 0, 7]
    bytes += big(lengths.count, 4) + big(total, 4) + contents(total, from: frame.length) + lame(total)
    bytes += big(Self.checksum(bytes), 2)
    return bytes + [UInt8](repeating: 0, count: frame.length - bytes.count)
  }

  /// A hundred offsets, each to a 256th of the file.
  private func contents(_ total: Int, from start: Int) -> [UInt8] {
    var offset = start
    var index = 0
    return (0..<100).map { part in
      while index < lengths.count * part / 100 {
        offset += lengths[index]
        index += 1
      }
      return UInt8(clamping: offset * 256 / max(1, total))
    }
  }

  /// Up to the checksum. Players believe the delay of encoders that they know.
  private func lame(_ total: Int) -> [UInt8] {
    let isKnown = MP3Tag.knownEncoders.contains { encoder.starts(with: $0.utf8) }
    let name = isKnown ? Array(encoder.prefix(9)) : Array("LAME3.100".utf8)
    let both = Int(delay) << 12 | Int(padding)
    return name + [UInt8](repeating: 0, count: 12) + big(both, 3) + [0, 0, 0, 0] + big(total, 4) + [0, 0]
  }

  /// CRC-16 as LAME computes it.
  private static func checksum(_ bytes: [UInt8]) -> Int {
    bytes.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ Int(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xA001 : sum >> 1 }
    }
  }

  private func big(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}

extension MP3Frame {
  var ticksPerSample: Int64 { MP3Point.ticksPerSecond / Int64(sampleRate) }

  /// The shortest frame with so many bytes of the same kind, without a checksum.
  fileprivate static func shortest(like header: [UInt8], holding count: Int) -> (header: [UInt8], MP3Frame)? {
    for rate in UInt8(1)...14 {
      let header = [header[0], header[1] | 1, rate << 4 | header[2] & 0x0C, header[3]]
      if let frame = MP3Frame(header, at: 0), frame.length >= count { return (header, frame) }
    }
    return nil
  }
}
