import PodcastModel
internal import Text

// Categories, keywords, people, funding, location, license, trailers and related items of a feed or an episode.

extension FeedBuilder {
  /// Atom has the category in `term`, Media RSS may have a readable `label`, RSS has it as the text.
  func openCategory(_ attributes: XMLAttributes) {
    guard let term = attributes["label"] ?? attributes["term"] else { return gather() }
    addCategories([PlainText.collapsed(term)])
  }

  func openNestedCategory(_ name: String?, _ frame: inout Frame) {
    frame.context = .category
    let name = PlainText.line(name ?? "")
    parts.categoryPath.append(name)
    guard !name.isEmpty else { return }
    let path = parts.categoryPath.filter { !$0.isEmpty }.joined(separator: " > ")
    spend(path.utf8.count)
    addCategories([path])
  }

  func addCategories(_ names: [String]) { keep(words: names, in: &draft.categories) }

  func addKeywords(_ text: String?) {
    let parts = (text ?? "").split(separator: ",", maxSplits: Self.mostWords).prefix(Self.mostWords)
    keep(words: parts.map { PlainText.collapsed(String($0)) }.filter { !$0.isEmpty }, in: &draft.keywords)
  }

  private func keep(words: [String], in list: inout [String]) {
    for word in words where list.count < Self.mostWords { keep(word, in: &list) }
  }

  /// The most categories or keywords that are kept.
  private static let mostWords = 500

  func addPerson(named name: String?) {
    guard let name, var person = parts.person.take() else { return }
    person.name = name
    keep(person, in: &draft.persons)
  }

  func addFunding(_ text: String?) {
    guard var funding = parts.funding else { return }
    funding.text = text
    addFunding(funding)
  }

  func addFunding(_ funding: Funding) { keep(funding, in: &draft.fundings) }

  func closeLocation(_ name: String?) {
    parts.location.name = name
    if parts.location != Location() { draft.location = draft.location ?? parts.location }
  }

  func closeLicense(_ identifier: String?) {
    parts.license.identifier = identifier
    if parts.license != License() { draft.license = draft.license ?? parts.license }
  }

  func closeTrailer(_ title: String?) {
    guard scope == .feed, var trailer = parts.trailer else { return }
    trailer.title = title
    keep(trailer, in: &feed.trailers)
  }

  func openSocialInteract(_ attributes: XMLAttributes) {
    if scope == .episode, let uri = resolved(attributes["uri"]) { keep(uri, in: &rareFields.socialInteracts) }
  }

  func openRemoteItem(_ attributes: XMLAttributes) {
    guard scope == .feed else { return }
    var item = RemoteItem()
    item.feedGUID = attributes["feedGuid"]
    item.feedURL = resolved(attributes["feedUrl"])
    item.itemGUID = attributes["itemGuid"]
    item.medium = attributes["medium"]?.folded
    item.title = attributes["title"]
    if item != RemoteItem() { keep(item, in: &feed.podroll) }
  }
}

extension Person {
  init(_ attributes: XMLAttributes, link: String?, image: String?) {
    self.init(name: "")
    role = attributes["role"]?.folded ?? role
    group = attributes["group"]?.folded ?? group
    self.link = link
    self.image = image
  }
}

extension Trailer {
  init?(_ attributes: XMLAttributes, url: String?) {
    guard let url else { return nil }
    self.init(url: url)
    type = MediaType.normalized(attributes["type"])
    length = attributes["length"].flatMap(Number.bytes)
    season = attributes["season"].flatMap(Number.nonNegative)
    publishedAt = attributes["pubdate"].flatMap(DateText.timestamp)
  }
}
