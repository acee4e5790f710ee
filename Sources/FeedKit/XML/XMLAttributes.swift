/// The attributes of one start tag in libxml2's layout: five pointers each (name, prefix, namespace, start and end of
/// the value). Valid during the callback only.
struct XMLAttributes {
  private let fields: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
  private let count: Int
  /// The namespaces that the tag declares: two pointers each (prefix and URI).
  private let namespaces: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
  private let namespaceCount: Int

  init(
    _ fields: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, count: Int,
    namespaces: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ namespaceCount: Int
  ) {
    self.fields = fields
    self.count = fields == nil ? 0 : count
    self.namespaces = namespaces
    self.namespaceCount = namespaces == nil ? 0 : namespaceCount
  }

  /// The URIs of the namespaces that the tag declares.
  var namespaceAddresses: [String] {
    (0..<namespaceCount).compactMap { namespaces![$0 * 2 + 1].map { String(cString: $0) } }
  }

  var isEmpty: Bool { count == 0 }

  /// The heap memory that the values take as strings.
  var size: Int {
    (0..<count).reduce(0) { sum, index in
      guard let start = fields![index * 5 + 3], let end = fields![index * 5 + 4] else { return sum }
      return sum + Bytes.size(ofText: end - start)
    }
  }

  /// The trimmed value; nil for an absent or empty one. Names are compared without regard to case.
  subscript(name: StaticString) -> String? {
    for index in 0..<count where matches(fields![index * 5]!, name) && !isXML(index) {
      return text(index)
    }
    return nil
  }

  /// `xml:base`, which has a namespace of its own.
  var base: String? { xml("base") }

  /// `xml:lang`.
  var language: String? { xml("lang") }

  private func xml(_ name: StaticString) -> String? {
    for index in 0..<count where isXML(index) && matches(fields![index * 5]!, name) { return text(index) }
    return nil
  }

  private func isXML(_ index: Int) -> Bool {
    guard let prefix = fields![index * 5 + 1] else { return false }
    return matches(prefix, "xml")
  }

  private func text(_ index: Int) -> String? {
    guard let start = fields![index * 5 + 3], let end = fields![index * 5 + 4] else { return nil }
    let bytes = Bytes.trimmed(UnsafeBufferPointer(start: start, count: end - start))
    return bytes.isEmpty ? nil : Self.decoded(bytes)
  }

  /// libxml2 leaves an ampersand in an attribute as `&#38;` when it is asked not to replace entities.
  private static func decoded(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    guard var ampersand = ByteScan.first(UInt8(ascii: "&"), in: bytes, from: 0) else { return Bytes.string(bytes) }
    var output = TextBuffer(capacity: bytes.count)
    var start = 0
    while true {
      output.append(UnsafeBufferPointer(rebasing: bytes[start...ampersand]))
      start = ampersand + (Bytes.hasPrefix(bytes, at: ampersand, "&#38;") ? 5 : 1)
      guard let following = ByteScan.first(UInt8(ascii: "&"), in: bytes, from: start) else { break }
      ampersand = following
    }
    output.append(UnsafeBufferPointer(rebasing: bytes[start...]))
    return Bytes.string(output.bytes)
  }

  private func matches(_ name: UnsafePointer<UInt8>, _ wanted: StaticString) -> Bool {
    let length = wanted.utf8CodeUnitCount
    for index in 0..<length where Bytes.lowercased(name[index]) != Bytes.lowercased(wanted.utf8Start[index]) {
      return false
    }
    return name[length] == 0
  }
}
