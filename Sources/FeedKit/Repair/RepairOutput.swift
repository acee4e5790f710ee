/// What the repair has made of the chunk at hand: markup and short texts for libxml2, and long texts that go round it.
///
/// A long text leaves a mark in the markup, by which it reaches the handler in its place. The repair has looked at each
/// of its bytes and found it to be what it stands for, so libxml2, which would look at each a few times, need not see it.
struct RepairOutput: ~Copyable {
  private var markup = TextBuffer(capacity: Self.portion * 5 / 4)
  /// Each stays in the chunk, and is forgotten with it.
  private(set) var texts: [UnsafeBufferPointer<UInt8>] = []
  private var chunk = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  /// The stretch of the chunk that comes behind the markup, as it is.
  private var clean = 0..<0

  /// From here on it is less work to go round libxml2 than through it.
  private static let longText = 48

  private static let portion = 64 << 10

  mutating func begin(_ chunk: UnsafeBufferPointer<UInt8>) {
    self.chunk = chunk
    clean = 0..<0
  }

  /// Enough to be handed on in the middle of a chunk.
  var isLarge: Bool { markup.count + clean.count >= Self.portion || texts.count >= Self.portion >> 6 }

  /// Hands on what there is, straight from the chunk when all of it is clean.
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

  /// A stretch of the chunk that is well-formed XML as it is.
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

  /// A stretch of the chunk that is text, every byte standing for itself, and well-formed XML, too.
  @inline(__always)
  mutating func add(text range: Range<Int>) {
    if range.count < Self.longText { add(range) } else { add(data: range) }
  }

  /// A stretch of the chunk where every byte stands for itself, whatever it means in XML.
  mutating func add(data range: Range<Int>) {
    guard !range.isEmpty else { return }
    add(RepairedPiece.mark)
    texts.append(UnsafeBufferPointer(rebasing: chunk[range]))
  }

  private mutating func settle() {
    guard !clean.isEmpty else { return }
    markup.append(UnsafeBufferPointer(rebasing: chunk[clean]))
    clean = clean.upperBound..<clean.upperBound
  }
}

/// Well-formed markup in UTF-8, with a mark for each of the texts. It is there during a call only.
struct RepairedPiece {
  typealias Sink = (RepairedPiece) -> Void

  /// A processing instruction, for the document's own are never handed on.
  static let mark: StaticString = "<?t?>"

  let markup: UnsafeBufferPointer<UInt8>
  let texts: [UnsafeBufferPointer<UInt8>]
}
