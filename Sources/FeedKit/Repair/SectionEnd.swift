/// Finds the end of a comment or CDATA section. A section that has none, in which the rest of the feed would disappear,
/// gives way to the next episode.
struct SectionEnd {
  enum Reach {
    /// The section ends at this index.
    case end(Int)
    /// The bytes before this index are in the section.
    case certain(Int)
    case unknown
    /// An episode begins here, and no end is within reach.
    case runaway
  }

  /// An end may be so far behind the start tag of an episode that is part of the section.
  private static let longest = 1 << 20
  /// No name of an episode is longer.
  private static let longestName = 16

  private let terminator: StaticString
  // Positions in the document.
  /// The first terminator behind the sections so far, when it has been found.
  private var found: Int?
  /// No other terminator begins before this position.
  private var searchedTo = 0
  /// Before this position no episode begins.
  private var certainTo = 0

  init(_ terminator: StaticString) { self.terminator = terminator }

  /// - Parameters:
  ///   - index: the index in the section.
  ///   - start: the position of the first byte in the document.
  mutating func reach(
    in bytes: UnsafeBufferPointer<UInt8>, from index: Int, at start: Int, _ kinds: ElementKinds, isLast: Bool
  ) -> Reach {
    let end = end(in: bytes, from: index, at: start)
    if let end, end - index <= Self.longest { return .end(end) }
    if start + index < certainTo { return .certain(min(bytes.count, certainTo - start)) }
    let limit = end ?? bytes.count
    let episode = episode(in: bytes, from: index, to: limit, kinds, isLast: isLast || end != nil)
    if episode.index > index {
      certainTo = start + episode.index
      return .certain(episode.index)
    }
    let isFar = end != nil || isLast || bytes.count - index >= Self.longest + terminator.utf8CodeUnitCount
    return isFar && episode.isCertain ? .runaway : .unknown
  }

  private mutating func end(in bytes: UnsafeBufferPointer<UInt8>, from index: Int, at start: Int) -> Int? {
    if let found, found >= start + index { return found - start }
    var next = max(index, searchedTo - start)
    while let candidate = ByteScan.first(terminator.utf8Start[0], in: bytes, from: next) {
      if Bytes.hasPrefix(bytes, at: candidate, terminator) {
        found = start + candidate
        searchedTo = start + candidate
        return candidate
      }
      next = candidate + 1
    }
    searchedTo = max(searchedTo, start + bytes.count - terminator.utf8CodeUnitCount + 1)
    return nil
  }

  /// The first start tag of an episode, or the limit. It is not certain while its name may continue in the next chunk.
  private func episode(
    in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to limit: Int, _ kinds: ElementKinds, isLast: Bool
  ) -> (index: Int, isCertain: Bool) {
    var next = start
    while let index = ByteScan.first(UInt8(ascii: "<"), in: bytes, from: next), index < limit {
      next = index + 1
      let (nameEnd, hash) = ElementKinds.name(in: bytes, from: next)
      if nameEnd == bytes.count {
        if !isLast, nameEnd - next <= Self.longestName { return (index, false) }
      } else if kinds.kind(hash) == .episode, Bytes.isBlank(bytes[nameEnd]) || bytes[nameEnd] == UInt8(ascii: ">") {
        return (index, true)
      }
    }
    return (limit, true)
  }
}
