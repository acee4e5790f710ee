/// Decides which range to fetch next of a file that is read while it is filled. Pure.
///
/// The bytes that the reader waits for come first, then those ahead of it, then, where all of it is wanted, the rest.
/// Ranges are short after a jump, because a reader that searches jumps again, and each one that follows in line is
/// twice as long: a jump then ends one request in some hundred milliseconds instead of a connection.
/// The index of an MP4 is one range, because no reader leaves it before its end, and nothing is fetched behind it, because
/// a reader that is not at the beginning of the sound then goes elsewhere.
struct FillPlan: Hashable, Sendable {
  enum Step: Hashable, Sendable {
    /// Up to `.max` where the end is not known.
    case fetch(Range<Int64>)
    /// Enough is here for now.
    case rest
    /// All of it is here.
    case done
  }

  /// Below this much ahead of the reader more is fetched: minutes of speech, so that a tunnel goes by unheard.
  static let lowWater: Int64 = 8 << 20
  /// The same for a reader that has only just come here, and may leave again.
  static let lowestWater: Int64 = 512 << 10
  static let shortest: Int64 = 64 << 10
  /// A fetch is not given up that brings what the reader waits for after fewer bytes than these.
  static let near: Int64 = 256 << 10
  static let longest: Int64 = 8 << 20

  var map: RangeMap
  var total: Int64?
  /// Offset of the next byte that will be read.
  var reader: Int64
  /// How much was read in line before it.
  var readInLine: Int64
  /// Of an MP4.
  var index: Range<Int64>?
  /// All of the file, and not only what is listened to.
  var wantsAll = false
  /// The bytes before the reader go away, and those ahead of it are bounded: one request to the end, which waits.
  var isInMemory = false

  var step: Step {
    let end = total ?? .max
    if !isInMemory, let total, map.covers(0..<total) { return .done }
    if let gap = map.gap(from: min(reader, end), to: end), gap.lowerBound - reader < water {
      let length = length(at: gap.lowerBound)
      if length > 0 { return .fetch(gap.lowerBound..<min(gap.upperBound, gap.lowerBound + length)) }
    }
    if wantsAll, let gap = map.gap(from: 0, to: end) { return .fetch(gap) }
    return .rest
  }

  /// How much to fetch from `offset` on, of what the reader waits for or will.
  private func length(at offset: Int64) -> Int64 {
    if wantsAll || isInMemory { return .max - offset }
    if let index, index.contains(offset) || index.contains(reader) {
      return min(index.upperBound - offset, Self.longest)
    }
    return min(max(map.run(before: offset), Self.shortest), Self.longest)
  }

  private var water: Int64 {
    isInMemory ? MemoryWindow.size / 2 : min(max(readInLine * 4, Self.lowestWater), Self.lowWater)
  }

  /// Whether a fetch that brings `next` now will soon bring what the reader waits for.
  func isServed(by next: Int64, until end: Int64) -> Bool {
    let missing = map.end(from: reader)
    if let total, missing >= total { return true }
    // The reader does not wait for bytes that are fetched ahead of it.
    if missing > reader { return true }
    return next <= missing && missing < end && missing - next < Self.near
  }

  /// Whether an answer that has brought the bytes up to `next` has to wait for the reader.
  func isFarAhead(_ next: Int64) -> Bool {
    isInMemory ? next - reader > MemoryWindow.size : total == nil && next - reader > Self.lowWater
  }
}
