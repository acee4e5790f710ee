/// A stretch of an AAC stream (ADTS) as a file of its own: whole frames, none of which is encoded again. Pure.
///
/// A frame sounds as it did only after the one before it, so that comes first. The clip is longer than the stretch by three
/// frames at most, some 70 ms.
struct ADTSClip: Sendable {
  /// Of the frames in the file, in order; empty where the stretch is behind the end.
  let ranges: [Range<Int64>]
  /// The stretch that is heard; where there is none, from 0 to the end of the file.
  let heard: Range<Duration>

  /// Nil where the file is no such stream.
  init?(_ range: Range<Duration>, in bytes: @escaping PresentBytes) {
    guard var walk = ADTSWalk(bytes) else { return nil }
    var frames: [ADTSWalk.Frame] = []
    var before: ADTSWalk.Frame?
    var end: Int64 = 0
    while end < range.upperBound.ticks, let frame = walk.next() {
      end = frame.ticks.upperBound
      if end > range.lowerBound.ticks {
        if frames.isEmpty, let before { frames.append(before) }
        frames.append(frame)
      }
      before = frame
    }
    // Of the last frame of a truncated file a part is missing.
    if let last = frames.last, bytes(last.bytes.upperBound - 1, 1).isEmpty { frames.removeLast() }
    // The frame before the stretch alone is nothing of it.
    guard let first = frames.first, let last = frames.last, last.ticks.upperBound > range.lowerBound.ticks else {
      (ranges, heard) = ([], .zero..<Duration(ticks: end))
      return
    }
    ranges = frames.map(\.bytes).joined
    heard = Duration(ticks: first.ticks.lowerBound)..<Duration(ticks: last.ticks.upperBound)
  }
}

/// Goes from frame to frame of an AAC stream, through bytes that are read as they are needed.
private struct ADTSWalk {
  struct Frame: Hashable {
    /// As `MP3Point` counts, from the first frame on.
    var ticks: Range<Int64>
    var bytes: Range<Int64>
  }

  private let read: PresentBytes
  private var window: [UInt8] = []
  private var windowStart: Int64 = 0
  private var byte: Int64
  private var tick: Int64 = 0

  private static let windowSize = 128 << 10
  /// How many bytes may lie between two frames, where files were joined or a part is damaged.
  private static let longestJunk: Int64 = 1 << 20
  /// Fewer in a row may be chance.
  private static let enoughInLine = 3

  /// Nil where no frames follow the tag.
  init?(_ read: @escaping PresentBytes) {
    self.read = read
    byte = Int64(ID3.size(read(0, 10)))
    guard let first = firstFrame(from: byte) else { return nil }
    byte = first
  }

  /// Nil at the end.
  mutating func next() -> Frame? {
    if header(at: byte) == nil {
      guard let found = firstFrame(from: byte) else { return nil }
      byte = found
    }
    guard let header = header(at: byte) else { return nil }
    let frame = Frame(ticks: tick..<tick + header.ticks, bytes: byte..<byte + Int64(header.length))
    (tick, byte) = (frame.ticks.upperBound, frame.bytes.upperBound)
    return frame
  }

  private mutating func firstFrame(from start: Int64) -> Int64? {
    for byte in start..<start + Self.longestJunk {
      if isFollowed(byte) { return byte }
      guard isHere(byte) else { return nil }
    }
    return nil
  }

  private mutating func isFollowed(_ byte: Int64) -> Bool {
    var byte = byte
    for _ in 0..<Self.enoughInLine {
      guard let header = header(at: byte) else { return false }
      byte += Int64(header.length)
    }
    return true
  }

  private mutating func header(at byte: Int64) -> ADTSHeader? {
    isHere(byte) ? ADTSHeader(window, at: Int(byte - windowStart)) : nil
  }

  private mutating func isHere(_ byte: Int64) -> Bool {
    if byte < windowStart || byte + Int64(ADTSHeader.size) > windowStart + Int64(window.count) {
      window = read(byte, Self.windowSize)
      windowStart = byte
    }
    return window.count >= ADTSHeader.size
  }
}

/// The seven bytes that every frame of an AAC stream begins with.
struct ADTSHeader: Hashable, Sendable {
  /// Of the whole frame, in bytes.
  let length: Int
  let ticks: Int64

  static let size = 7
  private static let sampleRates: [Int64] = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
  ]

  /// Nil where no frame begins.
  init?(_ bytes: [UInt8], at offset: Int) {
    guard offset >= 0, offset + Self.size <= bytes.count, bytes[offset] == 0xFF, bytes[offset + 1] & 0xF6 == 0xF0 else {
      return nil
    }
    let rate = Int(bytes[offset + 2] >> 2 & 15)
    length = Int(bytes[offset + 3] & 3) << 11 | Int(bytes[offset + 4]) << 3 | Int(bytes[offset + 5] >> 5)
    let hasChecksum = bytes[offset + 1] & 1 == 0
    let header = hasChecksum ? Self.size + 2 : Self.size
    guard Self.sampleRates.indices.contains(rate), length > header else { return nil }
    let blocks = Int64(bytes[offset + 6] & 3) + 1
    ticks = blocks * 1024 * MP3Point.ticksPerSecond / Self.sampleRates[rate]
  }
}

extension [Range<Int64>] {
  /// Neighbours are one range.
  var joined: [Range<Int64>] {
    reduce(into: []) { joined, range in
      if let last = joined.last, last.upperBound == range.lowerBound {
        joined[joined.count - 1] = last.lowerBound..<range.upperBound
      } else {
        joined.append(range)
      }
    }
  }
}
