/// The way the repair treats an element.
enum ElementKind: UInt8 {
  /// Not in the vocabulary: its tags must match, nothing more.
  case unknown
  case root
  /// An episode: a new one closes the open one.
  case episode
  /// Has children, and no episode among them: the start of one closes it.
  case container
  /// Has children, and maybe episodes among them.
  case wrapper
  /// Has only text, so a tag of the vocabulary in it means that its own end tag is missing, and any other is markup.
  case leaf
  /// A leaf whose text is HTML.
  case richLeaf

  var isLeaf: Bool { self == .leaf || self == .richLeaf }
}

/// The vocabulary of one kind of document: the kind of each element by its name as written.
struct ElementKinds {
  /// A hash table with open addressing: a name is looked up for every tag of a document.
  private var hashes = [UInt64](repeating: 0, count: size)
  private var kinds = [ElementKind](repeating: .unknown, count: size)
  private static let size = 1024

  /// The vocabulary of feeds, derived from the element table. Elements of Atom also occur without a prefix.
  static let feed: ElementKinds = {
    var table = ElementKinds()
    for (_, lines) in ElementTable.lines {
      for line in lines {
        let kind = line.rule.kind
        table.add(line.name, kind)
        if line.name.hasPrefix("atom:") { table.add(String(line.name.dropFirst(5)), kind) }
      }
    }
    return table
  }()

  static let opml: ElementKinds = {
    var table = ElementKinds()
    table.add("opml", .root)
    for name in ["head", "body", "outline"] { table.add(name, .container) }
    table.add("title", .leaf)
    return table
  }()

  static let chapters: ElementKinds = {
    var table = ElementKinds()
    table.add("chapters", .root)
    table.add("chapter", .leaf)
    table.add("psc:chapter", .leaf)
    return table
  }()

  /// Adds a name. An element that is a container in one context is treated as one everywhere.
  private mutating func add(_ name: String, _ kind: ElementKind) {
    let hash = Self.hash(name)
    let slot = slot(of: hash)
    if hashes[slot] == hash, !kinds[slot].isLeaf { return }
    hashes[slot] = hash
    kinds[slot] = kind
  }

  func kind(_ hash: UInt64) -> ElementKind { kinds[slot(of: hash)] }

  /// The slot of that name, used or free. The table is never more than half full.
  private func slot(of hash: UInt64) -> Int {
    var slot = Int(truncatingIfNeeded: hash) & (Self.size - 1)
    while hashes[slot] != 0, hashes[slot] != hash { slot = (slot + 1) & (Self.size - 1) }
    return slot
  }

  /// A root element may have any prefix.
  func isRoot(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    let colon = name.lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? 0
    let kind = kind(Self.hash(UnsafeBufferPointer(rebasing: name[colon...])))
    return kind == .root || kind == .episode
  }

  /// Reads the name that begins at `start`: its end and its hash.
  @inline(__always)
  static func name(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> (end: Int, hash: UInt64) {
    var hash = seed
    var index = start
    while index < bytes.count, Bytes.isNameByte(bytes[index]) {
      hash = mixed(hash, Bytes.lowercased(bytes[index]))
      index &+= 1
    }
    return (index, hash)
  }

  /// A hash that ignores case.
  static func hash(_ name: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var hash = seed
    for index in 0..<name.count { hash = mixed(hash, Bytes.lowercased(name[index])) }
    return hash
  }

  private static func hash(_ name: String) -> UInt64 {
    name.utf8.reduce(seed) { mixed($0, Bytes.lowercased($1)) }
  }

  private static let seed: UInt64 = 0xcbf2_9ce4_8422_2325
  @inline(__always) private static func mixed(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
    (hash ^ UInt64(byte)) &* 0x100_0000_01b3
  }

  /// Names of the vocabulary that HTML has, too: inside text they are markup.
  private static let htmlHomonyms = Set(
    ["body", "div", "source", "summary", "image", "xhtml:div", "xhtml:body"].map(hash))

  private static let link = hash("link")

  static func isLink(_ hash: UInt64) -> Bool { hash == link }
  static func isHTMLToo(_ hash: UInt64) -> Bool { htmlHomonyms.contains(hash) }
}

extension Rule {
  fileprivate var kind: ElementKind {
    switch self {
    case .text: .richLeaf
    case .line, .name, .verbatim, .link, .linkAttribute, .picture: .leaf
    case .enter(.feed), .enter(.item), .enter(.ignored): .wrapper
    case .enter: .container
    case .part(let part): part.kind
    }
  }
}

extension Part {
  fileprivate var kind: ElementKind {
    switch self {
    case .root: .root
    case .episode: .episode
    case .mediaContent: .wrapper
    case .liveItem, .alternateEnclosure, .value, .itunesCategory, .inlineChapters: .container
    case .atomContent: .richLeaf
    default: .leaf
    }
  }
}
