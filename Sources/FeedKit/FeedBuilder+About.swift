import PodcastModel
internal import Text

// Words, people and places around a feed or an episode.

extension FeedBuilder {
  /// Atom has it in an attribute, Media RSS may have a nicer name there, RSS has it as the text.
  func openCategory(_ attributes: XMLAttributes) {
    guard let term = attributes["label"] ?? attributes["term"] else { return gather() }
    addCategories([PlainText.collapsed(term)])
  }

  func openNestedCategory(_ name: String?, _ frame: inout Frame) {
    frame.place = .category
    parts.categoryPath.append(PlainText.line(name ?? ""))
    guard name != nil else { return }
    let path = parts.categoryPath.joined(separator: " > ")
    spend(path.utf8.count)
    addCategories([path])
  }

  func addCategories(_ names: [String]) {
    switch scope {
    case .feed: keep(words: names, in: &feed.categories)
    case .episode: keep(words: names, in: &rareFields.categories)
    case .liveItem: break
    }
  }

  func addKeywords(_ text: String?) {
    let parts = (text ?? "").split(separator: ",", maxSplits: Self.mostWords).prefix(Self.mostWords)
    let words = parts.map { PlainText.collapsed(String($0)) }.filter { !$0.isEmpty }
    switch scope {
    case .feed: keep(words: words, in: &feed.keywords)
    case .episode: keep(words: words, in: &rareFields.keywords)
    case .liveItem: break
    }
  }

  func keep(words: [String], in list: inout [String]) {
    for word in words where list.count < Self.mostWords { keep(word, in: &list) }
  }

  /// More than anybody means.
  private static let mostWords = 500

  func addPerson(named name: String?) {
    guard let name, var person = parts.person.take() else { return }
    person.name = name
    switch scope {
    case .feed: keep(person, in: &feed.persons)
    case .episode: keep(person, in: &rareFields.persons)
    case .liveItem: break
    }
  }

  func addFunding(_ text: String?) {
    guard var funding = parts.funding else { return }
    funding.text = text
    addFunding(funding)
  }

  func addFunding(_ funding: Funding) {
    switch scope {
    case .feed: keep(funding, in: &feed.fundings)
    case .episode: keep(funding, in: &rareFields.fundings)
    case .liveItem: break
    }
  }

  func closeLocation(_ name: String?) {
    parts.location.name = name
    guard parts.location != Location() else { return }
    switch scope {
    case .feed: feed.location = feed.location ?? parts.location
    case .episode: rareFields.location = rareFields.location ?? parts.location
    case .liveItem: break
    }
  }

  func closeLicense(_ identifier: String?) {
    parts.license.identifier = identifier
    guard parts.license != License() else { return }
    switch scope {
    case .feed: feed.license = feed.license ?? parts.license
    case .episode: rareFields.license = rareFields.license ?? parts.license
    case .liveItem: break
    }
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
