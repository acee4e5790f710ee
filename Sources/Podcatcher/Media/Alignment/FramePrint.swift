/// The frames of an MP3, a byte for each: enough to find the same frames in another rendition. Adverts are laid between
/// the frames of a show, which stay as they are.
///
/// - `FramePrint`: from bytes, and its form in the library
/// - `FrameAlignment`: the stretches that two of them share
/// - `RenditionMap`: from a position in one rendition to the same moment in another
/// - `PositionSearch`: a position in a file that is being fetched
/// - `SoundSearch`: a position in a file of another encoding that was not measured
/// - `FormerRenditions`: marks that are followed from one rendition to the next
struct FramePrint: Hashable, Sendable {
  /// Frames of one length that follow one another.
  struct Stretch: Hashable, Sendable {
    /// Of the first frame, in ticks from the first sound.
    var start: Int64
    /// Of each frame, in ticks.
    var frame: Int64
    /// A byte of the hash of each frame.
    var checks: [UInt8]

    var end: Int64 { start + Int64(checks.count) * frame }
  }

  /// In order.
  private(set) var stretches: [Stretch] = []
  /// As in `MP3Layout`.
  private(set) var lead: Int64 = 0
  private var count = 0

  /// Of twelve hours: more frames are left out.
  private static let mostFrames = 1 << 21
  private static let mostStretches = 1000

  /// In seconds, as an engine counts them.
  func seconds(_ tick: Int64) -> Double { Double(tick - lead) / Double(MP3Point.ticksPerSecond) }

  /// The stretches that it knows, in seconds.
  var known: [Range<Double>] { stretches.map { seconds($0.start)..<seconds($0.end) } }

  // MARK: From bytes

  init(lead: Int64) { self.lead = lead }

  /// Of the bytes in `ranges`. The time of a range that does not begin with the sound is only known where all frames are
  /// alike.
  init(_ layout: MP3Layout, _ ranges: [Range<Int64>], in bytes: @escaping PresentBytes) {
    lead = layout.lead
    for range in ranges where range.upperBound > layout.sound { add(range, layout, bytes) }
  }

  /// Nil where it is no MP3.
  init?(size: Int64, _ ranges: [Range<Int64>], in bytes: @escaping PresentBytes) {
    guard let layout = MP3Layout.read(size: size, { bytes(0, Int(min($0, size))) }) else { return nil }
    self.init(layout, ranges, in: bytes)
  }

  mutating func add(_ range: Range<Int64>, _ layout: MP3Layout, _ bytes: @escaping PresentBytes) {
    var frames = FrameReader(bytes, until: range.upperBound)
    if range.lowerBound <= layout.sound {
      frames.byte = layout.sound
      return add(&frames, from: 0)
    }
    guard layout.isConstant, let first = frames.first(from: range.lowerBound), first.bitrate == layout.bitrate else {
      return
    }
    let ticks = Double(frames.byte - layout.sound) * 8 * Double(MP3Point.ticksPerSecond) / Double(layout.bitrate)
    add(&frames, from: Int64((ticks / Double(first.ticks)).rounded()) * first.ticks)
  }

  private mutating func add(_ frames: inout FrameReader, from tick: Int64) {
    var stretch = Stretch(start: tick, frame: 0, checks: [])
    while count < Self.mostFrames, stretches.count < Self.mostStretches, let (frame, check) = frames.next() {
      if frame.ticks != stretch.frame {
        add(stretch)
        stretch = Stretch(start: stretch.end, frame: frame.ticks, checks: [])
      }
      stretch.checks.append(check)
      count += 1
    }
    add(stretch)
  }

  private mutating func add(_ stretch: Stretch) {
    guard !stretch.checks.isEmpty else { return }
    stretches.append(stretch)
  }

  // MARK: In the library

  private static let format: UInt8 = 1

  init?(data: [UInt8]) {
    guard data.first == Self.format else { return nil }
    var reader = NumberReader(Array(data.dropFirst()))
    guard let lead = reader.number() else { return nil }
    self.lead = Int64(lead)
    while let start = reader.number() {
      guard let frame = reader.number(), (1...1 << 30).contains(frame), start < 1 << 50, let count = reader.number(),
        count <= reader.left
      else { return nil }
      add(Stretch(start: Int64(start), frame: Int64(frame), checks: reader.bytes(count)))
    }
  }

  var data: [UInt8] {
    stretches.reduce(into: [Self.format] + NumberReader.bytes(of: Int(lead))) { data, stretch in
      for number in [Int(stretch.start), Int(stretch.frame), stretch.checks.count] {
        data += NumberReader.bytes(of: number)
      }
      data += stretch.checks
    }
  }
}

/// Reads frame after frame, and hashes each.
private struct FrameReader {
  /// Of the next frame.
  var byte: Int64 = 0
  private let read: PresentBytes
  private let end: Int64
  private var window: [UInt8] = []
  private var windowStart: Int64 = 0

  private static let windowSize = 1 << 20

  init(_ read: @escaping PresentBytes, until end: Int64) {
    self.read = read
    self.end = end
  }

  /// Goes to the first frame behind `start`, and does not read it yet.
  mutating func first(from start: Int64) -> MP3Frame? {
    var walk = MP3Walk(from: MP3Point(tick: 0, byte: start), read)
    guard let first = walk.firstFrame(from: start), first < end else { return nil }
    byte = first
    return hasHere(4) ? MP3Frame(window, at: Int(byte - windowStart)) : nil
  }

  /// Nil where no whole frame is left. Titles and pictures between frames take no time.
  mutating func next() -> (MP3Frame, check: UInt8)? {
    guard hasHere(4) else { return nil }
    guard let frame = MP3Frame(window, at: Int(byte - windowStart)) ?? first(from: byte), hasHere(frame.length) else {
      return nil
    }
    let start = Int(byte - windowStart)
    byte += Int64(frame.length)
    return (frame, window.withUnsafeBytes { Self.check(.init(rebasing: $0[start..<start + frame.length])) })
  }

  private mutating func hasHere(_ count: Int) -> Bool {
    guard byte + Int64(count) <= end else { return false }
    if byte < windowStart || byte + Int64(count) > windowStart + Int64(window.count) {
      window = read(byte, Self.windowSize)
      windowStart = byte
    }
    return byte + Int64(count) <= windowStart + Int64(window.count)
  }

  /// Eight of them in a row are as good as a hash of 64 bits.
  private static func check(_ frame: UnsafeRawBufferPointer) -> UInt8 {
    var hash: UInt64 = 0x9E37_79B9_7F4A_7C15
    var offset = 0
    while offset + 8 <= frame.count {
      hash = (hash ^ frame.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* 0x9FB2_1C65_1E98_DF25
      hash ^= hash >> 32
      offset += 8
    }
    for byte in frame[offset...] { hash = (hash ^ UInt64(byte)) &* 0x9FB2_1C65_1E98_DF25 }
    return UInt8(truncatingIfNeeded: hash >> 56)
  }
}
