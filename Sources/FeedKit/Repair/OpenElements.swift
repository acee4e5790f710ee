/// The stack of open elements.
struct OpenElements: ~Copyable {
  private struct Element {
    let nameStart: Int
    let hash: UInt64
    let kind: ElementKind
    let isXHTML: Bool
  }

  private var elements: [Element] = []
  private var names = TextBuffer(capacity: 1 << 10)
  /// The depth of the open episode.
  private(set) var openEpisode: Int?

  var isEmpty: Bool { elements.isEmpty }
  var count: Int { elements.count }
  var isInLeaf: Bool { elements.last?.kind.isLeaf ?? false }
  var isInRichLeaf: Bool { elements.last?.kind == .richLeaf }
  /// True in an element that has children and no text.
  var isBetweenElements: Bool { elements.last.map { $0.kind == .root || $0.kind == .episode } ?? false }
  /// True in an element whose content is markup (`type="xhtml"`) and is kept as text.
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

  /// The length of the innermost element's name, when exactly that name begins at `index`.
  @inline(__always)
  func topName(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let top = elements.last else { return nil }
    let name = names.bytes
    let length = name.count &- top.nameStart
    guard bytes.count &- index >= length else { return nil }
    for offset in 0..<length where name[top.nameStart &+ offset] != bytes[index &+ offset] { return nil }
    return length
  }

  /// The depth of the innermost element of that name, ignoring case; nil when there is none.
  func depth(of hash: UInt64) -> Int? {
    elements.lastIndex { $0.hash == hash }.map { $0 + 1 }
  }

  /// Valid until the next change.
  var topNameBytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: names.bytes[(elements.last?.nameStart ?? 0)...])
  }

  var topName: String { String(decoding: topNameBytes, as: UTF8.self) }
}
