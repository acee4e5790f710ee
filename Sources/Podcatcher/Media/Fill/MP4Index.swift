/// The index of an MP4 (its `moov` box), which an engine reads whole before the first sound: megabytes for hours of sound.
/// Known to its end, it takes one request instead of several that each wait for the server. Pure.
enum MP4Index {
  /// The index that begins in the bytes from `start` to `end`, and what an engine reads behind it before it goes to the
  /// sound; or what follows the sound up to `total`, which is the index of a file that does not begin with it. `start` is
  /// that of a box: of the file, or of the index that the engine looked up.
  static func range(from start: Int64, to end: Int64, of total: Int64?, in bytes: PresentBytes) -> Range<Int64>? {
    var offset = start
    for _ in 0..<mostBoxes where offset + headSize <= end {
      guard let box = box(bytes(offset, Int(headSize))), box.size <= FillLimits.believable else { return nil }
      let next = offset + box.size
      if box.type == "moov" { return offset..<next + readBehind }
      if box.type == "mdat", let total, total > next, total - next <= FillPlan.longest { return next..<total }
      offset = next
    }
    return nil
  }

  /// Where the sound ends of a file that begins with its index, once the beginning of the sound is here, up to `end`. Nil for
  /// one in fragments.
  static func soundEnd(to end: Int64, in bytes: PresentBytes) -> Int64? {
    var (offset, hasIndex) = (Int64(0), false)
    for _ in 0..<mostBoxes where offset + headSize <= end {
      guard let box = box(bytes(offset, Int(headSize))), box.size <= FillLimits.believable else { return nil }
      offset += box.size
      switch box.type {
      case "moov": hasIndex = true
      case "moof": return nil
      // An empty one is only a place for the head of a long one.
      case "mdat" where box.size > headSize: return hasIndex ? offset : nil
      default: break
      }
    }
    return nil
  }

  /// Before an index: the brand, free space and a few words.
  private static let mostBoxes = 8
  private static let headSize: Int64 = 16
  private static let readBehind: Int64 = 16 << 10

  private static func box(_ head: [UInt8]) -> (size: Int64, type: String)? {
    guard head.count == headSize else { return nil }
    func number(_ range: Range<Int>) -> UInt64 { head[range].reduce(0) { $0 << 8 | UInt64($1) } }
    let type = head[4..<8]
    guard type.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }) else { return nil }
    // A size of 1 is followed by the true one in 64 bits.
    let isLong = number(0..<4) == 1
    guard let size = Int64(exactly: isLong ? number(8..<16) : number(0..<4)), size >= (isLong ? 16 : 8) else {
      return nil
    }
    return (size, String(decoding: type, as: UTF8.self))
  }
}
