/// The elements that are open, outermost first.
struct OpenElements {
  private struct Element {
    let nameStart: Int
    let hash: UInt64
    let kind: ElementKind
    let isXHTML: Bool
  }

  private var elements: [Element] = []
  private var names: [UInt8] = []
  /// How many elements are open around the current episode.
  private(set) var openEpisode: Int?

  var isEmpty: Bool { elements.isEmpty }
  var count: Int { elements.count }
  var isInLeaf: Bool { elements.last?.kind.isLeaf ?? false }
  var isInRichLeaf: Bool { elements.last?.kind == .richLeaf }
  /// In an element whose markup is meant to be markup (`type="xhtml"`): it is kept letter by letter.
  var isVerbatim: Bool { elements.last.map { $0.isXHTML && $0.kind.isLeaf } ?? false }

  mutating func push(_ name: UnsafeBufferPointer<UInt8>, _ hash: UInt64, _ kind: ElementKind, isXHTML: Bool) {
    if kind == .episode, openEpisode == nil { openEpisode = elements.count }
    elements.append(Element(nameStart: names.count, hash: hash, kind: kind, isXHTML: isXHTML))
    names.append(contentsOf: name)
  }

  mutating func pop() {
    guard let top = elements.popLast() else { return }
    names.removeLast(names.count - top.nameStart)
    if openEpisode == elements.count { openEpisode = nil }
  }

  /// XML compares names letter by letter.
  func topMatches(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let top = elements.last, names.count - top.nameStart == name.count else { return false }
    return names.withUnsafeBufferPointer { names in
      for index in 0..<name.count where names[top.nameStart + index] != name[index] { return false }
      return true
    }
  }

  /// How many elements are open up to the innermost one of that name, which may differ in case; nil when none is.
  func depth(of hash: UInt64) -> Int? {
    elements.lastIndex { $0.hash == hash }.map { $0 + 1 }
  }

  var topNameBytes: ArraySlice<UInt8> { names[(elements.last?.nameStart ?? 0)...] }

  var topName: String { String(decoding: topNameBytes, as: UTF8.self) }
}
