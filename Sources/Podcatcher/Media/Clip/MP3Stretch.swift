/// The frames that a stretch of an MP3 is heard from, and those right before them. Pure.
struct MP3Stretch: Sendable {
  struct Frame: Hashable, Sendable {
    /// As `MP3Point` counts.
    var tick: Int64
    var byte: Int64
    var length: Int

    var bytes: Range<Int64> { byte..<byte + Int64(length) }
  }

  /// Without gaps in time.
  private(set) var frames: [Frame] = []
  /// Behind the last frame.
  private(set) var end: Int64 = 0
  /// There are no frames behind the last one.
  private(set) var isAtEnd = false

  /// Frames before the stretch that a cut may need: those of a low bit rate hold few of the 511 bytes that a frame may
  /// take from earlier ones.
  static let before = 16

  /// Counts frames from `start`, whose tick is known, up to the tick `upTo`; keeps those from shortly before `from` on.
  init(from: Int64, upTo: Int64, startingAt start: MP3Point, size: Int64, in bytes: @escaping PresentBytes) {
    var walk = MP3Walk(from: start, bytes)
    while let frame = walk.frame(), walk.point.tick < upTo {
      let found = Frame(tick: walk.point.tick, byte: walk.point.byte, length: frame.length)
      // Of the last frame of a truncated file a part is missing.
      guard found.bytes.upperBound <= size else { break }
      frames.append(found)
      end = found.tick + frame.ticks
      if end <= from, frames.count >= 64 * Self.before { frames.removeFirst(frames.count - Self.before) }
      guard let next = walk.next() else {
        isAtEnd = true
        return
      }
      walk.point = next
    }
    isAtEnd = end < upTo
  }

  /// The index of the frame that sounds then.
  func index(at tick: Int64) -> Int? {
    tick < end ? frames.lastIndex { $0.tick <= tick } : nil
  }
}

extension MP3Layout {
  /// The frames' time of positions, to the sample.
  func ticks(of range: Range<Duration>) -> Range<Int64> {
    let sample = MP3Frame(first, at: 0)?.ticksPerSample ?? 1
    let ticks = [range.lowerBound, range.upperBound].map { ($0.ticks + sample / 2) / sample * sample + lead }
    return ticks[0]..<ticks[1]
  }

  /// A point from which frames are counted for a stretch that begins at `tick`: the first sound, or, where all frames are
  /// alike and the bytes between are not here, a frame shortly before. Nil where no frame is found there.
  func start(for tick: Int64, isJump: Bool, in bytes: @escaping PresentBytes) -> MP3Point? {
    let beginning = MP3Point(tick: 0, byte: sound)
    guard isJump, let frame = MP3Frame(first, at: 0) else { return beginning }
    let number = tick / frame.ticks - Int64(MP3Stretch.before)
    // In eighths of a byte: padding makes some frames a byte longer.
    let length = Int64(frame.samples) * Int64(bitrate)
    guard number > 0 else { return beginning }
    let estimate = sound + number * length / Int64(8 * frame.sampleRate)
    var walk = MP3Walk(from: MP3Point(tick: 0, byte: estimate), bytes)
    guard let byte = walk.firstFrame(from: estimate - 2) else { return nil }
    let found = (Double(byte - sound) * 8 * Double(frame.sampleRate) / Double(length)).rounded()
    return MP3Point(tick: Int64(found) * frame.ticks, byte: byte)
  }
}
