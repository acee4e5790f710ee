import PodcastModel
internal import Text

/// What stands where a feed's root element should be: mostly a web page, and the feeds it links.
struct WebPage {
  private(set) var isHTML = false
  /// The root of another kind of document: there is nothing to look for in it.
  private(set) var isForeign = false
  private var links: [String] = []
  private var base: String?
  private var firstByte: UInt8?

  private static let feedTypes: Set<String> = [
    "application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/xml", "text/xml",
  ]
  private static let mostLinks = 100
  /// How a web page may begin; so many bytes have to be there to tell.
  static let doctype: StaticString = "<!doctype html"
  /// Some wrap a feed in an element of their own.
  private static let wrappers: Set<String> = ["xml", "document", "root", "data", "response", "pre"]

  mutating func noteDeclaration(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) {
    let length = Self.doctype.utf8CodeUnitCount
    let isDoctype = bytes[index...].prefix(length).map(Bytes.lowercased)
      .elementsEqual(UnsafeBufferPointer(start: Self.doctype.utf8Start, count: length))
    if isDoctype { isHTML = true }
  }

  mutating func noteText(_ text: Slice<UnsafeBufferPointer<UInt8>>) {
    if firstByte == nil { firstByte = text.first { !Bytes.isBlank($0) } }
  }

  mutating func note(_ name: UnsafeBufferPointer<UInt8>, _ tag: UnsafeBufferPointer<UInt8>) {
    let name = String(decoding: name, as: UTF8.self).lowercased()
    if name == "html" { isHTML = true }
    if name == "link" || name == "base" { noteLink(name, String(decoding: tag, as: UTF8.self)) }
    isForeign =
      !isHTML && !HTMLTag.isKnown(name) && !Self.wrappers.contains(name) && !["link", "base", "meta"].contains(name)
  }

  private mutating func noteLink(_ name: String, _ source: String) {
    var tokens = HTMLTokenizer(source)
    guard case .tag(let tag)? = tokens.next(), let address = tag.attribute("href"), !address.isEmpty else { return }
    if name == "base" {
      base = base ?? address
    } else if let rel = tag.attribute("rel")?.lowercased(), rel.split(separator: " ").contains("alternate"),
      let type = MediaType.normalized(tag.attribute("type")), Self.feedTypes.contains(type),
      links.count < Self.mostLinks
    {
      links.append(address)
    }
  }

  /// Why this is no feed.
  func error(baseURL: String?) -> FeedError {
    if isHTML {
      let base = base.map { WebAddress.resolve($0, against: baseURL) } ?? baseURL
      let found = links.map { WebAddress.resolve($0, against: base) }
      return FeedError(.notAFeed, "this is a web page, not a podcast feed", feedLinks: found)
    }
    switch firstByte {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return FeedError(.notAFeed, "this is JSON, not a podcast feed")
    case nil where !isForeign: return FeedError(.notAFeed, "there is no podcast feed in this document")
    default: return FeedError(.notAFeed, "this is not a podcast feed")
    }
  }
}
