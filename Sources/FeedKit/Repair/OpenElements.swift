/// The elements that are open, outermost first.
struct OpenElements: ~Copyable {
  private struct Element {
    let nameStart: Int
    let hash: UInt64
    let kind: ElementKind
    let isXHTML: Bool
  }

  private var elements: [Element] = []
  private var names = TextBuffer(capacity: 1 << 10)
  /// How many elements are open around the current episode.
  private(set) var openEpisode: Int?

  var isEmpty: Bool { elements.isEmpty }
  var count: Int { elements.count }
  var isInLeaf: Bool { elements.last?.kind.isLeaf ?? false }
  var isInRichLeaf: Bool { elements.last?.kind == .richLeaf }
  /// In an element that has children and no text, whatever its prefix.
  var isBetweenElements: Bool { elements.last.map { $0.kind == .root || $0.kind == .episode } ?? false }
  /// In an element whose markup is meant to be markup (`type="xhtml"`): it is kept letter by letter.
  var isVerbatim: Bool { elements.last.map { $0.isXHTML && $0.kind.isLeaf } ?? false }

  mutating func push(_ name: UnsafeBufferPointer<UInt8>, _ hash: UInt64, _ kind: ElementKind, isXHTML: Bool) {
    if kind == .episode, openEpisode == nil { openEpisode = elements.count }
    elements.append(Element(nameStart: names.count, hash: hash, kind: kind, isXHTML: isXHTML))
    names.append(name)
  }

  mutating func pop() {
    guard let top = elements.popLast() else { return }
    names.removeLast(to: top.nameStart)
    if openEpisode == elements.count { openEpisode = nil }
  }

  /// How long the name is that begins at `index`, when it is that of the innermost element, letter by letter.
  @inline(__always)
  func topName(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let top = elements.last else { return nil }
    let name = names.bytes
    let length = name.count &- top.nameStart
    guard bytes.count &- index >= length else { return nil }
    for offset in 0..<length where name[top.nameStart &+ offset] != bytes[index &+ offset] { return nil }
    return length
  }

  /// How many elements are open up to the innermost one of that name, which may differ in case; nil when none is.
  func depth(of hash: UInt64) -> Int? {
    elements.lastIndex { $0.hash == hash }.map { $0 + 1 }
  }

  /// There until the next change.
  var topNameBytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: names.bytes[(elements.last?.nameStart ?? 0)...])
  }

  var topName: String { String(decoding: topNameBytes, as: UTF8.self) }
}
