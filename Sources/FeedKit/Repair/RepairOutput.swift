/// The repaired form of the current chunk: markup and short texts for libxml2, and long texts that bypass it.
///
/// A long text leaves a placeholder in the markup, at which the handler receives it. The repair has checked each of its
/// bytes and found no tag, so libxml2, which would read each byte several times, need not see it. What follows such a text
/// without markup in between goes with it: escaped show notes are short texts between references, which libxml2 reads
/// slowly.
struct RepairOutput: ~Copyable {
  private var markup = TextBuffer(capacity: Self.portion * 5 / 4)
  /// The texts behind the placeholders.
  private var texts: [RepairedPiece.Text] = []
  /// Those of them in which references were decoded, one behind the other.
  private var decoded = TextBuffer(capacity: 4 << 10)
  /// For each placeholder, the index behind its last text.
  private var ends: [Int] = []
  /// The size of the markup behind the last placeholder.
  private var placeholderEnd = -1
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
  var isLarge: Bool {
    markup.count + clean.count + decoded.count >= Self.portion || texts.count >= Self.portion >> 6
  }

  /// Passes the output on, without copying when all of it is unchanged.
  mutating func flush(_ sink: RepairedPiece.Sink) {
    if markup.isEmpty {
      if !clean.isEmpty { sink(piece(UnsafeBufferPointer(rebasing: chunk[clean]))) }
      clean = clean.upperBound..<clean.upperBound
    } else {
      settle()
      countDecoded()
      sink(piece(markup.bytes))
      markup.removeAll()
      texts.removeAll(keepingCapacity: true)
      ends.removeAll(keepingCapacity: true)
      decoded.removeAll()
      placeholderEnd = -1
    }
  }

  /// Each decoded text ends where the next one begins. Counting at each reference would take longer than decoding.
  private mutating func countDecoded() {
    var end = decoded.count
    for index in texts.indices.reversed() where texts[index].start == nil {
      texts[index].count = end - texts[index].offset
      end = texts[index].offset
    }
  }

  private func piece(_ markup: UnsafeBufferPointer<UInt8>) -> RepairedPiece {
    RepairedPiece(markup: markup, texts: texts, ends: ends, decoded: decoded.bytes)
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
    if isBehindDecoded {
      decoded.append(UnsafeBufferPointer(rebasing: chunk[range]))
    } else if range.count < Self.longText, !isBehindText {
      add(range)
    } else {
      add(data: range)
    }
  }

  /// Appends the character of a reference.
  @inline(__always)
  mutating func add(decoded character: UInt8) {
    if !isBehindDecoded { open(RepairedPiece.Text(start: nil, offset: decoded.count, count: 0)) }
    decoded.append(character)
  }

  /// Appends a stretch of text without references that need not be well-formed XML.
  mutating func add(data range: Range<Int>) {
    guard !range.isEmpty else { return }
    open(RepairedPiece.Text(start: chunk.baseAddress, offset: range.lowerBound, count: range.count))
  }

  private var isBehindText: Bool { markup.count == placeholderEnd && clean.isEmpty }
  private var isBehindDecoded: Bool { isBehindText && texts[texts.count - 1].start == nil }

  private mutating func open(_ text: RepairedPiece.Text) {
    if !isBehindText {
      add(RepairedPiece.placeholder)
      placeholderEnd = markup.count
      ends.append(texts.count)
    }
    texts.append(text)
    ends[ends.count - 1] += 1
  }

  private mutating func settle() {
    guard !clean.isEmpty else { return }
    markup.append(UnsafeBufferPointer(rebasing: chunk[clean]))
    clean = clean.upperBound..<clean.upperBound
  }
}

/// Well-formed markup in UTF-8, with a placeholder for each run of texts. Valid during a call only.
struct RepairedPiece {
  typealias Sink = (RepairedPiece) -> Void

  /// A processing instruction: those of the document are removed, so it cannot be confused with one.
  static let placeholder: StaticString = "<?t?>"

  /// A stretch of the chunk that starts there, or of `decoded`.
  struct Text {
    let start: UnsafePointer<UInt8>?
    let offset: Int
    var count: Int
  }

  let markup: UnsafeBufferPointer<UInt8>
  let texts: [Text]
  /// For each placeholder, the index behind its last text.
  let ends: [Int]
  let decoded: UnsafeBufferPointer<UInt8>

  func bytes(of text: Text) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: (text.start ?? decoded.baseAddress).map { $0 + text.offset }, count: text.count)
  }
}
