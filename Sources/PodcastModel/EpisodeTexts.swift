private import Glibc
package import System

/// The texts of an episode, all of them in one piece of memory.
///
/// A long feed has a dozen texts for each of its hundred thousand episodes. Allocating and freeing each of them would
/// take longer than parsing.
package struct EpisodeTexts: Hashable, Sendable {
  /// The texts. Their order is that of the ranges in memory.
  package enum Name: Int, CaseIterable, Sendable {
    case guid, title, link, description, content, summary, subtitle, author, image, episodeType
    case enclosureURL, enclosureType
  }

  /// The range of each text in a buffer; nil for an absent text.
  package struct Ranges {
    fileprivate var ranges = InlineArray<12, Range<UInt32>>(repeating: Self.absent)
    fileprivate static let absent = UInt32.max..<UInt32.max

    package init() {}

    fileprivate var hasAny: Bool { Name.allCases.contains { self[$0] != nil } }

    /// The range of one text.
    package subscript(name: Name) -> Range<UInt32>? {
      get { ranges[name.rawValue] == Self.absent ? nil : ranges[name.rawValue] }
      set { ranges[name.rawValue] = newValue ?? Self.absent }
    }
  }

  /// The memory with the ranges and then the texts; nil when there is no text.
  private var memory: TextMemory?
  private var start: UInt32 = 0
  private var count: UInt32 = 0

  private static let headSize = MemoryLayout<Range<UInt32>>.stride * Name.allCases.count

  package init() {}

  /// Of all texts, in UTF-8.
  package var byteCount: Int { Int(count) }

  /// Copies the texts, which are UTF-8, out of a buffer. Equal texts are stored once.
  ///
  /// - Parameter room: gives the memory for them, which nothing else writes to.
  package init(
    _ source: UnsafeBufferPointer<UInt8>, _ ranges: Ranges, in room: (_ size: Int) -> (TextMemory, offset: Int)
  ) {
    let (kept, size) = Self.layout(of: ranges, in: source)
    guard kept.hasAny else { return }
    let (memory, offset) = room(size)
    let start = memory.start + offset
    start.storeBytes(of: kept.ranges, as: InlineArray<12, Range<UInt32>>.self)
    for name in Name.allCases {
      guard let from = ranges[name], let to = kept[name], let texts = source.baseAddress else { continue }
      memcpy(start + Int(to.lowerBound), texts + Int(from.lowerBound), from.count)
    }
    (self.memory, self.start, count) = (memory, UInt32(offset), UInt32(size))
  }

  /// The ranges that the texts will have, and the size of all.
  private static func layout(of ranges: Ranges, in source: UnsafeBufferPointer<UInt8>) -> (Ranges, size: Int) {
    var kept = Ranges()
    var end = UInt32(headSize)
    for name in Name.allCases {
      guard let range = ranges[name] else { continue }
      if let twin = twin(of: range, before: name, in: source, ranges) {
        kept[name] = kept[twin]
      } else {
        kept[name] = end..<end + UInt32(range.count)
        end += UInt32(range.count)
      }
    }
    return (kept, Int(end))
  }

  /// The name of an earlier text that is equal.
  private static func twin(
    of range: Range<UInt32>, before name: Name, in source: UnsafeBufferPointer<UInt8>, _ ranges: Ranges
  ) -> Name? {
    for index in 0..<name.rawValue {
      let other = ranges.ranges[index]
      guard other.count == range.count, other != Ranges.absent else { continue }
      guard let start = source.baseAddress else { return Name(rawValue: index) }
      if memcmp(start + Int(other.lowerBound), start + Int(range.lowerBound), range.count) == 0 {
        return Name(rawValue: index)
      }
    }
    return nil
  }

  /// The text as a string, which is made at each call.
  package subscript(name: Name) -> String? {
    get { withUTF8(of: name) { $0.map(Self.string) } }
    set {
      var all: [UInt8] = []
      var ranges = Ranges()
      for other in Name.allCases {
        guard let text = other == name ? newValue : self[other] else { continue }
        ranges[other] = UInt32(all.count)..<UInt32(all.count + text.utf8.count)
        all += text.utf8
      }
      self = all.withUnsafeBufferPointer { EpisodeTexts($0, ranges) { (TextMemory(size: $0), 0) } }
    }
  }

  private static func string(_ text: UnsafeBufferPointer<UInt8>) -> String {
    assert(String(validating: text, as: UTF8.self) != nil)
    var span = UTF8Span(unchecked: text.span)
    // A string that is known to be ASCII is compared and hashed byte by byte.
    _ = span.checkForASCII()
    return String(copying: span)
  }

  /// For a reader of one episode after the other: gives up memory that the next one's texts are not in.
  package func letGo(before next: EpisodeTexts) {
    if memory !== next.memory { memory?.letGo() }
  }

  /// True when the episode has that text.
  package func has(_ name: Name) -> Bool { withUTF8(of: name) { $0 != nil } }

  /// Calls `body` with the bytes of one text, without a copy; nil for an absent text.
  package func withUTF8<Result>(of name: Name, _ body: (UnsafeBufferPointer<UInt8>?) -> Result) -> Result {
    withBytes { bytes in
      guard !bytes.isEmpty else { return body(nil) }
      let offset = name.rawValue * MemoryLayout<Range<UInt32>>.stride
      let range = bytes.loadUnaligned(fromByteOffset: offset, as: Range<UInt32>.self)
      guard range != Ranges.absent else { return body(nil) }
      return body(
        UnsafeRawBufferPointer(rebasing: bytes[Int(range.lowerBound)..<Int(range.upperBound)]).assumingMemoryBound(
          to: UInt8.self))
    }
  }

  private func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withExtendedLifetime(memory) {
      body(UnsafeRawBufferPointer(start: memory.map { UnsafeRawPointer($0.start) + Int(start) }, count: Int(count)))
    }
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.withBytes { left in
      right.withBytes { right in
        guard left.count == right.count, let one = left.baseAddress, let other = right.baseAddress else {
          return left.isEmpty && right.isEmpty
        }
        return memcmp(one, other, left.count) == 0
      }
    }
  }

  package func hash(into hasher: inout Hasher) { withBytes { hasher.combine(bytes: $0) } }
}
