/// The XML namespaces of feeds. Elements without one, and RSS's own, are `plain`.
enum FeedNamespace: UInt8 {
  case plain, atom, itunes, podcast, media, content, dc, psc, googleplay, xhtml, rdf, syndication, history, license
  case unknown

  /// By URI: the part after the scheme, in lower case, without a slash or `#` at the end.
  private static let byAddress: [(prefix: String, namespace: FeedNamespace)] = [
    ("www.itunes.com/dtds/podcast", .itunes), ("itunes.com/dtds/podcast", .itunes),
    ("example.com/dtds/podcast", .itunes), ("www.itunes.com/dtds", .itunes),
    ("podcastindex.org/namespace", .podcast), ("www.podcastindex.org/namespace", .podcast),
    ("github.com/podcastindex-org/podcast-namespace", .podcast),
    ("purl.org/rss/1.0/modules/content", .content), ("purl.org/rss/1.0/modules/syndication", .syndication),
    ("search.yahoo.com/mrss", .media), ("video.search.yahoo.com/mrss", .media), ("www.rssboard.org/media-rss", .media),
    ("purl.org/dc/", .dc), ("podlove.org/simple-chapters", .psc), ("www.google.com/schemas/play-podcasts", .googleplay),
    ("www.w3.org/2005/atom", .atom), ("purl.org/atom", .atom), ("www.w3.org/1999/xhtml", .xhtml),
    ("www.w3.org/tr/rec-html40", .xhtml), ("www.w3.org/1999/02/22-rdf-syntax-ns", .rdf),
    ("purl.org/syndication/history", .history), ("creativecommons.org/ns", .license),
    ("web.resource.org/cc", .license), ("cyber.law.harvard.edu/rss/creativecommons", .license),
    ("backend.userland.com/creativecommons", .license), ("purl.org/rss/1.0/modules", .unknown),
    ("purl.org/rss", .plain), ("purl.org/net/rss1.1", .plain),
    ("my.netscape.com", .plain), ("channel.netscape.com", .plain), ("backend.userland.com", .plain),
    ("purl.oclc.org/net/rss_2.0/enc", .plain),
    ("blogs.law.harvard.edu/tech/rss", .plain), ("cyber.law.harvard.edu/rss", .plain),
  ]

  /// By prefix, for the many feeds that declare a namespace wrongly or not at all.
  private static let byPrefix: [String: FeedNamespace] = [
    "itunes": .itunes, "podcast": .podcast, "media": .media, "content": .content, "atom": .atom, "atom10": .atom,
    "dc": .dc, "dcterms": .dc, "psc": .psc, "googleplay": .googleplay, "xhtml": .xhtml, "rdf": .rdf,
    "sy": .syndication, "syndication": .syndication, "fh": .history, "history": .history, "license": .license,
    "creativecommons": .license, "cc": .license, "rss": .plain, "enc": .plain, "": .plain,
  ]

  init(address: String?, prefix: String) {
    self = address.flatMap(Self.namespace(at:)) ?? Self.byPrefix[prefix.lowercased()] ?? .unknown
  }

  private static func namespace(at address: String) -> FeedNamespace? {
    var rest = address.lowercased()[...]
    for scheme in ["http://", "https://"] where rest.hasPrefix(scheme) { rest = rest.dropFirst(scheme.count) }
    return byAddress.first { rest.hasPrefix($0.prefix) }?.namespace
  }
}
