private import Glibc

/// Searches bytes thirty-two at a time (SIMD).
enum ByteScan {
  /// The bytes that end a plain stretch, besides controls and bytes that are not ASCII.
  struct Stops {
    fileprivate let first: UInt8
    fileprivate let second: UInt8
    fileprivate let third: UInt8

    /// `<`, `&`, and the `]` that could begin `]]>`.
    @inline(__always) static var text: Stops { Stops(first: 0x3C, second: 0x26, third: 0x5D) }
    /// Inside CDATA only `]` means something.
    @inline(__always) static var data: Stops { Stops(first: 0x5D, second: 0x5D, third: 0x5D) }
    /// The end of a JSON text, and its escapes.
    @inline(__always) static var quoted: Stops { Stops(first: 0x22, second: 0x5C, third: 0x5C) }
    /// The end of an attribute's value, and the characters that may not be in it.
    @inline(__always) static func value(quotedBy quote: UInt8) -> Stops {
      Stops(first: 0x3C, second: 0x26, third: quote)
    }
  }

  private typealias Lanes = SIMD4<UInt64>

  /// The index of the first byte from `start` on that is a stop, a control or not ASCII.
  @inline(__always)
  static func endOfPlain(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, _ stops: Stops) -> Int {
    var index = start
    while bytes.count &- index >= 32 {
      let hits = hits(in: load(bytes, index, as: Lanes.self), stops)
      if hits != Lanes() {
        for lane in 0..<4 where hits[lane] != 0 { return index &+ lane &* 8 &+ firstHit(hits[lane]) }
      }
      index &+= 32
    }
    while bytes.count &- index >= 8 {
      let hits = hits(in: load(bytes, index, as: UInt64.self), stops)
      if hits != 0 { return index &+ firstHit(hits) }
      index &+= 8
    }
    while index < bytes.count, isPlain(bytes[index], stops) { index &+= 1 }
    return index
  }

  @inline(__always)
  private static func load<Word>(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int, as _: Word.Type) -> Word {
    UnsafeRawPointer(bytes.baseAddress.unsafelyUnwrapped + index).loadUnaligned(as: Word.self)
  }

  /// The index of the first hit among the eight bytes of a little-endian word.
  @inline(__always) private static func firstHit(_ hits: UInt64) -> Int { hits.trailingZeroBitCount &>> 3 }

  // The top bit of a byte marks a hit. A borrow may set more of them, but only behind the first.

  @inline(__always) private static func hits(in word: UInt64, _ stops: Stops) -> UInt64 {
    let found = zeros(word ^ eight(stops.first)) | zeros(word ^ eight(stops.second)) | zeros(word ^ eight(stops.third))
    return ((word &- eight(0x20)) | word | found) & eight(0x80)
  }

  @inline(__always) private static func hits(in lanes: Lanes, _ stops: Stops) -> Lanes {
    let first = zeros(lanes ^ Lanes(repeating: eight(stops.first)))
    let second = zeros(lanes ^ Lanes(repeating: eight(stops.second)))
    let third = zeros(lanes ^ Lanes(repeating: eight(stops.third)))
    let unusual = (lanes &- Lanes(repeating: eight(0x20))) | lanes
    return (unusual | first | second | third) & Lanes(repeating: eight(0x80))
  }

  @inline(__always) private static func eight(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }
  @inline(__always) private static func zeros(_ word: UInt64) -> UInt64 { (word &- eight(1)) & ~word }
  @inline(__always) private static func zeros(_ lanes: Lanes) -> Lanes {
    (lanes &- Lanes(repeating: eight(1))) & ~lanes
  }

  @inline(__always) private static func isPlain(_ byte: UInt8, _ stops: Stops) -> Bool {
    byte >= 0x20 && byte < 0x80 && byte != stops.first && byte != stops.second && byte != stops.third
  }

  /// The index of the first byte from `start` on that is not ASCII, or is ESC, which switches the set in ISO 2022.
  static func endOfASCII(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var index = start
    while bytes.count &- index >= 32 {
      let lanes = load(bytes, index, as: Lanes.self)
      let hits = (lanes | zeros(lanes ^ Lanes(repeating: eight(0x1B)))) & Lanes(repeating: eight(0x80))
      if hits != Lanes() { break }
      index &+= 32
    }
    while index < bytes.count, bytes[index] < 0x80, bytes[index] != 0x1B { index &+= 1 }
    return index
  }

  /// The index of the first such byte from `start` on.
  static func first(_ byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard start < bytes.count, let base = bytes.baseAddress,
      let found = memchr(base + start, Int32(byte), bytes.count - start)
    else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }

  static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    while bytes.count &- index >= 32 {
      if load(bytes, index, as: Lanes.self) & Lanes(repeating: eight(0x80)) != Lanes() { return false }
      index &+= 32
    }
    while bytes.count &- index >= 8 {
      if load(bytes, index, as: UInt64.self) & eight(0x80) != 0 { return false }
      index &+= 8
    }
    while index < bytes.count {
      if bytes[index] >= 0x80 { return false }
      index &+= 1
    }
    return true
  }

  static func countLines(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var count = 0
    var index = 0
    while index < bytes.count {
      // A sum that fits a byte can be vectorised in sixteen lanes.
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
