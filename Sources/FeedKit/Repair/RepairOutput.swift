/// The repaired form of the current chunk: markup and short texts for libxml2, and long texts that bypass it.
///
/// A long text leaves a placeholder in the markup, at which the handler receives it. The repair has checked each of its
/// bytes and found no reference or tag, so libxml2, which would read each byte several times, need not see it.
struct RepairOutput: ~Copyable {
  private var markup = TextBuffer(capacity: Self.portion * 5 / 4)
  /// The texts behind the placeholders. They point into the chunk.
  private(set) var texts: [UnsafeBufferPointer<UInt8>] = []
  private var chunk = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  /// The unchanged stretch of the chunk that follows `markup`.
  private var clean = 0..<0

  /// The length from which bypassing libxml2 is cheaper than going through it.
  private static let longText = 48

  private static let portion = 64 << 10

  mutating func begin(_ chunk: UnsafeBufferPointer<UInt8>) {
    self.chunk = chunk
    clean = 0..<0
  }

  /// True when the output should be flushed in the middle of a chunk.
  var isLarge: Bool { markup.count + clean.count >= Self.portion || texts.count >= Self.portion >> 6 }

  /// Passes the output on, without copying when all of it is unchanged.
  mutating func flush(_ sink: RepairedPiece.Sink) {
    if markup.isEmpty {
      if !clean.isEmpty { sink(RepairedPiece(markup: UnsafeBufferPointer(rebasing: chunk[clean]), texts: [])) }
      clean = clean.upperBound..<clean.upperBound
    } else {
      settle()
      sink(RepairedPiece(markup: markup.bytes, texts: texts))
      markup.removeAll()
      texts.removeAll(keepingCapacity: true)
    }
  }

  /// Appends a stretch of the chunk that is well-formed XML.
  @inline(__always)
  mutating func add(_ range: Range<Int>) {
    if range.lowerBound == clean.upperBound {
      clean = clean.lowerBound..<range.upperBound
    } else {
      settle()
      clean = range
    }
  }

  mutating func add(_ text: StaticString) {
    settle()
    markup.append(text)
  }

  mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
    settle()
    markup.append(bytes)
  }

  mutating func add(character scalar: Unicode.Scalar) {
    settle()
    markup.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }

  /// Appends a stretch of text without references that is also well-formed XML.
  @inline(__always)
  mutating func add(text range: Range<Int>) {
    if range.count < Self.longText { add(range) } else { add(data: range) }
  }

  /// Appends a stretch of text without references that need not be well-formed XML.
  mutating func add(data range: Range<Int>) {
    guard !range.isEmpty else { return }
    add(RepairedPiece.placeholder)
    texts.append(UnsafeBufferPointer(rebasing: chunk[range]))
  }

  private mutating func settle() {
    guard !clean.isEmpty else { return }
    markup.append(UnsafeBufferPointer(rebasing: chunk[clean]))
    clean = clean.upperBound..<clean.upperBound
  }
}

/// Well-formed markup in UTF-8, with a placeholder for each of the texts. Valid during a call only.
struct RepairedPiece {
  typealias Sink = (RepairedPiece) -> Void

  /// A processing instruction: those of the document are removed, so it cannot be confused with one.
  static let placeholder: StaticString = "<?t?>"

  let markup: UnsafeBufferPointer<UInt8>
  let texts: [UnsafeBufferPointer<UInt8>]
}
