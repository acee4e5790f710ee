/// Finds the next byte that needs a look, eight at a time.
enum ByteScan {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let tops: UInt64 = 0x8080_8080_8080_8080

  /// Non-zero where a byte of `word` is zero; exact for the lowest such byte.
  @inline(__always) private static func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & tops }
  @inline(__always) private static func equal(_ word: UInt64, _ byte: UInt8) -> UInt64 {
    zeros(word ^ (ones &* UInt64(byte)))
  }
  /// Where a byte is below 0x20 or not ASCII.
  @inline(__always) private static func unusual(_ word: UInt64) -> UInt64 {
    ((word &- (ones &* 0x20)) | word) & tops
  }

  @inline(__always) private static func word(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(bytes.baseAddress! + index).loadUnaligned(as: UInt64.self))
  }

  /// The first byte at or behind `start` that is not plain text: `<`, `&`, `]`, a control or a part of a long character.
  static func endOfPlainText(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var index = start
    while index + 8 <= bytes.count {
      let word = word(bytes, index)
      let hits = unusual(word) | equal(word, 0x3C) | equal(word, 0x26) | equal(word, 0x5D)
      if hits != 0 { return index + hits.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < bytes.count, isPlain(bytes[index]) { index += 1 }
    return index
  }

  /// The same inside CDATA, where only `]` means something.
  static func endOfPlainData(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var index = start
    while index + 8 <= bytes.count {
      let word = word(bytes, index)
      let hits = unusual(word) | equal(word, 0x5D)
      if hits != 0 { return index + hits.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < bytes.count, bytes[index] >= 0x20, bytes[index] < 0x80, bytes[index] != 0x5D { index += 1 }
    return index
  }

  @inline(__always) private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x80 && byte != 0x3C && byte != 0x26 && byte != 0x5D
  }

  /// Where `mark` begins at or behind `start`.
  static func first(_ mark: StaticString, in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var index = start
    let last = bytes.count - mark.utf8CodeUnitCount
    while index <= last {
      if bytes[index] == mark.utf8Start[0], Bytes.hasPrefix(bytes, at: index, mark) { return index }
      index += 1
    }
    return nil
  }

  static func countLines(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var count = 0
    var index = 0
    while index < bytes.count {
      // A sum that fits a byte is one the compiler keeps in sixteen lanes.
      let end = min(bytes.count, index + 240)
      var some: UInt8 = 0
      while index < end {
        some &+= bytes[index] == 0x0A ? 1 : 0
        index &+= 1
      }
      count &+= Int(some)
    }
    return count
  }
}
