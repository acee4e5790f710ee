/// A hash of a feed without the time at which it was made; it does not depend on how the feed is cut into chunks.
///
/// Many publishers write that time into each answer, in the channel's date or in a comment at the end. The fingerprint
/// leaves both out, so a feed that differs in nothing else is the same and need not be parsed.
struct FeedFingerprint {
  private var hash = DocumentHash()
  /// The head until all of it is here, then the last bytes, which may be a comment.
  private var waiting: [UInt8] = []
  private var isPastHead = false

  private static let (headSize, tailSize) = (16 << 10, 1 << 10)

  var value: Int64 {
    var copy = self
    copy.waiting.removeLast(Self.trailingComments(in: waiting))
    if !isPastHead { copy.addHead(of: min(Self.headSize, copy.waiting.count)) }
    copy.waiting.withUnsafeBytes { copy.hash.add($0) }
    return copy.hash.value
  }

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    guard isPastHead else {
      waiting += bytes
      guard waiting.count >= Self.headSize + Self.tailSize else { return }
      addHead(of: Self.headSize)
      isPastHead = true
      return addAllButTail(of: waiting.count)
    }
    guard bytes.count >= Self.tailSize else {
      waiting += bytes
      return addAllButTail(of: waiting.count)
    }
    waiting.withUnsafeBytes { hash.add($0) }
    hash.add(UnsafeRawBufferPointer(rebasing: bytes.dropLast(Self.tailSize)))
    waiting = Array(bytes.suffix(Self.tailSize))
  }

  private mutating func addAllButTail(of count: Int) {
    let ready = max(0, count - Self.tailSize)
    waiting.withUnsafeBytes { hash.add(UnsafeRawBufferPointer(rebasing: $0.prefix(ready))) }
    waiting.removeFirst(ready)
  }

  private mutating func addHead(of size: Int) {
    waiting.withUnsafeBytes { bytes in
      let head = UnsafeRawBufferPointer(rebasing: bytes.prefix(size))
      let date = Self.dateOfMaking(in: head)
      hash.add(UnsafeRawBufferPointer(rebasing: head[..<date.lowerBound]))
      hash.add(UnsafeRawBufferPointer(rebasing: head[date.upperBound...]))
    }
    waiting.removeFirst(size)
  }

  // MARK: - Parts that are left out

  /// The text of the channel's own date; empty where there is none before the first episode.
  private static func dateOfMaking(in head: UnsafeRawBufferPointer) -> Range<Int> {
    let tags = head.indices.lazy.filter { head[$0] == UInt8(ascii: "<") }
    func isTag(_ name: String, at index: Int) -> Bool { head[index...].starts(with: name.utf8) }
    for index in tags where !isTag("</", at: index) {
      if isTag("<item", at: index) || isTag("<entry", at: index) { break }
      for name in ["<lastBuildDate>", "<updated>"] where isTag(name, at: index) {
        let start = index + name.utf8.count
        let end = head[start...].firstIndex(of: UInt8(ascii: "<"))
        return start..<(end ?? start)
      }
    }
    return 0..<0
  }

  /// How many bytes at the end are comments and blanks.
  private static func trailingComments(in bytes: [UInt8]) -> Int {
    var end = bytes.count
    while true {
      while end > 0, bytes[end - 1] <= 0x20 { end -= 1 }
      guard bytes[..<end].suffix(3).elementsEqual("-->".utf8),
        let start = bytes[..<(end - 3)].indices.last(where: { bytes[$0..<end].starts(with: "<!--".utf8) })
      else { return bytes.count - end }
      end = start
    }
  }
}
