import PodcastModel
internal import Text

// The identity of an episode, and links by their relation.

extension FeedBuilder {
  func openEpisode(_ frame: inout Frame, _ attributes: XMLAttributes) {
    openEpisode(&frame)
    // RSS 1.0 has the id of an item in an attribute of the RDF namespace.
    if feed.format == .rdf { offer(attributes["about"], to: .atomID) }
    openChannelDefinition(attributes)
  }

  /// CDF, which is older than RSS, has URLs and dates in attributes.
  func openChannelDefinition(_ attributes: XMLAttributes) {
    guard !attributes.isEmpty else { return }
    offer(resolved(attributes["href"]), to: .link)
    offer(attributes["lastmod"], to: .updated)
  }

  func closeGUID(_ text: String?) {
    guard let text else { return }
    offer(text, to: .guid)
    guard parts.isPermalink != false else { return offer(nil, to: .permalink) }
    guard parts.isPermalink == true || WebURL.looksLikeHTTP(text) else { return }
    offer(resolved(text.utf8.contains(UInt8(ascii: "&")) ? PlainText.line(text) : text), to: .permalink)
  }

  /// A `<link>` of RSS has the URL as its text, an Atom link without its namespace in `href`.
  func openPlainLink(_ attributes: XMLAttributes) {
    if attributes["href"] != nil { openAtomLink(attributes) } else { gather() }
  }

  func openAtomLink(_ attributes: XMLAttributes) {
    let relation = (attributes["rel"]?.folded ?? "alternate", attributes["type"], attributes["length"])
    // Some feeds write the URL as the text.
    guard let address = attributes["href"] else {
      parts.linkRelation = relation
      return gather()
    }
    addLink(address, relation, title: attributes["title"])
  }

  func closeAtomLink(_ text: String?) {
    guard let text, let relation = parts.linkRelation else { return }
    addLink(text, relation, title: nil)
  }

  private func addLink(_ address: String, _ relation: (name: String, type: String?, length: String?), title: String?) {
    let target = resolved(address)
    switch relation.name {
    case "alternate": offer(target, to: .atomLink)
    case "self": offer(target, to: .selfURL)
    case "next": offer(target, to: .nextPageURL)
    case "enclosure": addEnclosure(address, relation.type, relation.length)
    case "http://podlove.org/simple-chapters": addChapters(target, type: relation.type)
    case "payment": if let target { addFunding(Funding(url: target, text: title)) }
    case "license": offer(target, to: .licenseURL)
    // The picture in the form that iTunes read before `itunes:image` existed.
    case "image": offer(target, to: .linkedImage)
    default: break
    }
  }
}
