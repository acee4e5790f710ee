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
  /// Markup of another namespace in the open leaf: the name of its outermost element, and how many of that name are open.
  private var foreign: (hash: UInt64, count: Int)?

  var isEmpty: Bool { elements.isEmpty }
  var count: Int { elements.count }
  var isInLeaf: Bool { elements.last?.kind.isLeaf ?? false }
  var isInRichLeaf: Bool { elements.last?.kind == .richLeaf }
  /// True in an element that has children and no text.
  var isBetweenElements: Bool { elements.last.map { $0.kind == .root || $0.kind == .episode } ?? false }
  /// True in an element whose content is markup (`type="xhtml"`) and is kept as text.
  var isVerbatim: Bool { elements.last.map { $0.isXHTML && $0.kind.isLeaf } ?? false }

  mutating func push(_ name: UnsafeBufferPointer<UInt8>, _ hash: UInt64, _ kind: ElementKind, isXHTML: Bool) {
    foreign = nil
    elements.append(Element(nameStart: names.count, hash: hash, kind: kind, isXHTML: isXHTML))
    names.append(name)
  }

  mutating func pop() {
    guard let top = elements.popLast() else { return }
    names.removeLast(to: top.nameStart)
    foreign = nil
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

  /// The number of elements around the outermost one that cannot contain an episode; nil when there is none.
  var depthOfEpisode: Int? { elements.firstIndex { $0.kind == .episode || $0.kind == .container } }

  func isEpisode(at depth: Int) -> Bool { elements[depth].kind == .episode }

  /// True in an element of an episode, and not in the episode itself.
  var isInPartOfEpisode: Bool {
    elements.firstIndex { $0.kind == .episode }.map { $0 < elements.count - 1 } ?? false
  }

  // MARK: - Markup of another namespace

  /// Notes the start tag of an element in the open leaf. True when it belongs to markup of another namespace.
  mutating func enterForeign(_ hash: UInt64, isEmpty: Bool, isDeclared: Bool) -> Bool {
    guard let open = foreign else {
      if isDeclared, !isEmpty { foreign = (hash, 1) }
      return isDeclared
    }
    if open.hash == hash, !isEmpty { foreign?.count += 1 }
    return true
  }

  /// Notes an end tag in the open leaf. True when it belongs to markup of another namespace.
  mutating func leaveForeign(_ hash: UInt64) -> Bool {
    guard let open = foreign else { return false }
    guard open.hash == hash else { return depth(of: hash) == nil }
    foreign = open.count > 1 ? (hash, open.count - 1) : nil
    return true
  }

  /// Valid until the next change.
  var topNameBytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: names.bytes[(elements.last?.nameStart ?? 0)...])
  }

  var topName: String { String(decoding: topNameBytes, as: UTF8.self) }
}
