/// The default namespace that a start tag declares, as far as the tag can be seen.
enum TagNamespace {
  enum Outcome {
    case read(isForeign: Bool, isEmpty: Bool)
    case incomplete
  }

  /// Behind so many bytes a tag is taken as it is so far.
  private static let longest = 1 << 10

  /// Reads from the end of the name on.
  static func read(_ bytes: UnsafeBufferPointer<UInt8>, from nameEnd: Int, isLast: Bool) -> Outcome {
    let horizon = min(bytes.count, nameEnd + longest)
    let tag = UnsafeBufferPointer(rebasing: bytes[..<horizon])
    if let end = ByteScan.first(UInt8(ascii: ">"), in: tag, from: nameEnd) {
      let isForeign = isForeign(UnsafeBufferPointer(rebasing: bytes[nameEnd..<end]))
      return .read(isForeign: isForeign, isEmpty: bytes[end - 1] == UInt8(ascii: "/"))
    }
    guard isLast || horizon == nameEnd + longest else { return .incomplete }
    // Many `<` without a `>` behind them are read once each.
    let end = ByteScan.first(UInt8(ascii: "<"), in: tag, from: nameEnd) ?? horizon
    return .read(isForeign: isForeign(UnsafeBufferPointer(rebasing: bytes[nameEnd..<end])), isEmpty: false)
  }

  /// True when the attributes declare a default namespace that is none of feeds.
  private static func isForeign(_ attributes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let name = Bytes.first("xmlns=", in: attributes, from: 0), name > 0, Bytes.isBlank(attributes[name - 1]),
      name + 6 < attributes.count
    else { return false }
    let quote = attributes[name + 6]
    let address = String(decoding: attributes[(name + 7)...].prefix { $0 != quote }, as: UTF8.self)
    guard !address.isEmpty else { return false }
    let namespace = FeedNamespace(address: address, prefix: "?")
    return namespace == .unknown || namespace == .xhtml
  }
}
