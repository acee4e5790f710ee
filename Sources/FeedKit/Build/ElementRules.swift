/// Finds the rule of an element in the element table. A cache is keyed by the addresses of libxml2's interned names.
struct ElementRules {
  private struct Key: Hashable {
    let context: Context
    let namespace: FeedNamespace
    let name: String
  }

  private static let table: [Key: Rule] = {
    var table: [Key: Rule] = [:]
    for (context, lines) in ElementTable.lines {
      for line in lines {
        let parts = line.name.split(separator: ":")
        let namespace = FeedNamespace(address: nil, prefix: parts.count == 2 ? String(parts[0]) : "")
        table[Key(context: context, namespace: namespace, name: (parts.last ?? "").lowercased())] = line.rule
      }
    }
    return table
  }()

  struct Found {
    let rule: Rule?
    let namespace: FeedNamespace
  }

  private struct Remembered {
    var local: UnsafePointer<UInt8>?
    var uri: UnsafePointer<UInt8>?
    var prefix: UnsafePointer<UInt8>?
    var context = Context.document
    var found = Found(rule: nil, namespace: .unknown)
  }

  private static let size = 1024
  private static let probes = 8
  private var cache = [Remembered](repeating: Remembered(), count: size + probes)
  /// True in an Atom document, where an element without a namespace counts as one of Atom's.
  var isAtom = false

  mutating func find(_ name: XMLName, in context: Context) -> Found {
    let slot = Self.slot(name, context)
    for index in slot..<slot + Self.probes {
      let remembered = cache[index]
      if remembered.local == name.local, remembered.uri == name.uri, remembered.prefix == name.prefix,
        remembered.context == context
      {
        return remembered.found
      }
      if remembered.local == nil { return remember(name, context, at: index) }
    }
    return remember(name, context, at: slot)
  }

  private mutating func remember(_ name: XMLName, _ context: Context, at index: Int) -> Found {
    let found = lookUp(name, in: context)
    cache[index] = Remembered(local: name.local, uri: name.uri, prefix: name.prefix, context: context, found: found)
    return found
  }

  private static func slot(_ name: XMLName, _ context: Context) -> Int {
    let mixed = (UInt(bitPattern: name.local) ^ UInt(context.rawValue) << 56) &* 0x9E37_79B9_7F4A_7C15
    return Int(mixed >> 54)
  }

  private func lookUp(_ name: XMLName, in context: Context) -> Found {
    var local = String(cString: name.local).lowercased()
    var prefix = name.prefix.map { String(cString: $0) } ?? ""
    // An undeclared prefix arrives as part of the name.
    if name.uri == nil, let colon = local.firstIndex(of: ":") {
      prefix = String(local[..<colon])
      local = String(local[local.index(after: colon)...])
    }
    let namespace = FeedNamespace(address: name.uri.map { String(cString: $0) }, prefix: prefix)
    for candidate in candidates(namespace, hasPrefix: !prefix.isEmpty) {
      if let rule = Self.table[Key(context: context, namespace: candidate, name: local)] {
        return Found(rule: rule, namespace: candidate)
      }
    }
    return Found(rule: nil, namespace: namespace)
  }

  private func candidates(_ namespace: FeedNamespace, hasPrefix: Bool) -> [FeedNamespace] {
    if isAtom, namespace == .plain || namespace == .unknown, !hasPrefix { return [.atom, .plain] }
    return hasPrefix && namespace != .atom ? [namespace] : [namespace, .plain, .atom]
  }
}
