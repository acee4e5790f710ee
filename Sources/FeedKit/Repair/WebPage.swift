import PodcastModel
internal import Text

/// The content before a feed's root element: mostly a web page, with the feeds that it links.
struct WebPage {
  private(set) var isHTML = false
  /// True for the root of another kind of document, in which no feed can be.
  private(set) var isForeign = false
  private var links: [String] = []
  private var base: String?
  private var firstByte: UInt8?

  private static let feedTypes: Set<String> = [
    "application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/xml", "text/xml",
    "application/feed+json",
  ]
  private static let mostLinks = 100
  /// The beginning of a web page; so many bytes are needed to recognise it.
  static let doctype: StaticString = "<!doctype html"
  /// Elements that some servers wrap a feed in.
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

  /// The reason why this is no feed.
  func error(baseURL: String?) -> FeedError {
    if isHTML {
      let base = base.map { WebURL.resolve($0, against: baseURL) } ?? baseURL
      let found = links.map { WebURL.resolve($0, against: base) }
      return FeedError(.notAFeed, "this is a web page", feedLinks: found)
    }
    switch firstByte {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return FeedError(.notAFeed, "this is JSON")
    case nil where !isForeign: return FeedError(.notAFeed, "there is no podcast feed in this document")
    default: return FeedError(.notAFeed, "it has no channel and no episodes")
    }
  }
}
