import PodcastModel

/// What has been opened and is completed by the element's text.
struct OpenParts {
  var person: Person?
  var funding: Funding?
  var location = Location()
  var license = License()
  var trailer: Trailer?
  var soundbite: Soundbite?
  var season: String?
  var alternate: AlternateEnclosure?
  var value: PaymentInfo?
  var liveItem: LiveItem?
  /// The categories around a nested one.
  var categoryPath: [String] = []
  var isPermalink: Bool?
  var linkRelation: (name: String, type: String?, length: String?)?
  var podcastBlockID: String?
  /// The open episode's, and where each of them came from.
  var enclosures: [Enclosure] = []
  var enclosureOrigins: [EnclosureChoice.Origin] = []
}

extension FeedBuilder {
  func openPart(_ part: Part, _ attributes: XMLAttributes, _ frame: inout Frame) {
    switch part {
    case .root: frame.place = .feed
    case .episode: openEpisode(&frame, attributes)
    case .liveItem: openLiveItem(attributes, &frame)
    case .guid:
      parts.isPermalink = attributes["isPermaLink"].map { Flag.value($0) ?? true }
      gather()
    case .enclosure: addEnclosure(attributes["url"] ?? attributes["href"], attributes["type"], attributes["length"])
    case .mediaContent: openMediaContent(attributes, &frame)
    case .plainLink: openPlainLink(attributes)
    case .atomLink: openAtomLink(attributes)
    case .atomContent: openAtomContent(attributes)
    case .keywords, .skipHour, .skipDay: gather()
    case .category: openCategory(attributes)
    case .itunesCategory: openNestedCategory(attributes["text"], &frame)
    case .socialInteract: openSocialInteract(attributes)
    case .chapters: openChapters(attributes)
    // A second list of chapters is another way to say the first.
    case .inlineChapters: frame.place = rarities.inlineChapters.isEmpty ? .chapters : .ignored
    case .chapter: openChapter(attributes)
    case .transcript: openTranscript(attributes)
    case .alternateEnclosure: openAlternate(attributes, &frame)
    case .alternateSource: openAlternateSource(attributes)
    case .value: openValue(attributes, &frame)
    case .valueRecipient: openRecipient(attributes)
    case .remoteItem: openRemoteItem(attributes)
    case .podcastImages: openImages(attributes)
    case .historyComplete: offer("yes", to: .complete)
    default: openTextPart(part, attributes)
    }
  }

  /// The parts that attributes begin and a text completes.
  private func openTextPart(_ part: Part, _ attributes: XMLAttributes) {
    gather()
    switch part {
    case .person:
      parts.person = Person(attributes, link: resolved(attributes["href"]), image: resolved(attributes["img"]))
    case .funding: parts.funding = resolved(attributes["url"]).map { Funding(url: $0) }
    case .location:
      parts.location = Location()
      parts.location.geo = attributes["geo"]
      parts.location.osm = attributes["osm"]
    case .license:
      parts.license = License()
      parts.license.url = resolved(attributes["url"])
    case .trailer: parts.trailer = Trailer(attributes, url: resolved(attributes["url"]))
    case .soundbite: parts.soundbite = Soundbite(attributes)
    case .podcastSeason: offer(attributes["name"], to: .seasonName)
    case .podcastEpisode: offer(attributes["display"], to: .episodeDisplay)
    case .podcastBlock: parts.podcastBlockID = attributes["id"]
    case .podcastUpdateFrequency:
      offer(attributes["rrule"], to: .updateRule)
      offer(attributes["complete"], to: .complete)
    default: break
    }
  }

  func closePart(_ part: Part, text: String?) {
    switch part {
    case .episode: closeEpisode()
    case .liveItem: closeLiveItem()
    case .guid: closeGUID(text)
    case .plainLink: offer(resolved(text), to: .link)
    case .atomLink: closeAtomLink(text)
    case .category: addCategories(text.map { [$0] } ?? [])
    case .keywords: addKeywords(text)
    case .itunesCategory: _ = parts.categoryPath.popLast()
    case .skipHour: if let hour = text.flatMap({ Int($0) }), 0...24 ~= hour { keep(hour % 24, in: &feed.skipHours) }
    case .skipDay: if let text { keep(text, in: &feed.skipDays) }
    case .podcastSeason: offer(text, to: .season)
    case .podcastEpisode: offer(text, to: .episode)
    case .podcastBlock: if parts.podcastBlockID == nil { offer(text, to: .podcastBlock) }
    case .alternateEnclosure: closeAlternate()
    case .value: closeValue()
    default: closeTextPart(part, text)
    }
  }

  private func closeTextPart(_ part: Part, _ text: String?) {
    switch part {
    case .person: addPerson(named: text)
    case .funding: addFunding(text)
    case .location: closeLocation(text)
    case .license: closeLicense(text)
    case .trailer: closeTrailer(text)
    case .soundbite: closeSoundbite(text)
    default: break
    }
  }
}

// MARK: - Identity and links

extension FeedBuilder {
  private func openEpisode(_ frame: inout Frame, _ attributes: XMLAttributes) {
    openEpisode(&frame)
    // RSS 1.0 names its items in an attribute of the RDF namespace.
    if feed.format == .rdf { offer(attributes["about"], to: .atomID) }
  }

  private func closeGUID(_ text: String?) {
    guard let text else { return }
    offer(text, to: .guid)
    guard parts.isPermalink != false else { return offer(nil, to: .permalink) }
    guard parts.isPermalink == true || WebAddress.looksLikeWeb(text) else { return }
    offer(resolved(text.utf8.contains(UInt8(ascii: "&")) ? PlainText.line(text) : text), to: .permalink)
  }

  /// A `<link>` of RSS has the address as its text, one of a mistaken Atom in `href`.
  private func openPlainLink(_ attributes: XMLAttributes) {
    if attributes["href"] != nil { openAtomLink(attributes) } else { gather() }
  }

  private func openAtomLink(_ attributes: XMLAttributes) {
    let relation = (attributes["rel"]?.folded ?? "alternate", attributes["type"], attributes["length"])
    // Some write the address as the text.
    guard let address = attributes["href"] else {
      parts.linkRelation = relation
      return gather()
    }
    addLink(address, relation, title: attributes["title"])
  }

  private func closeAtomLink(_ text: String?) {
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
    case "payment": if let target { addFunding(Funding(url: target, text: title)) }
    case "license": offer(target, to: .licenseURL)
    // How iTunes was told of a picture before it had an element for it.
    case "image": offer(target, to: .itunesImage)
    default: break
    }
  }
}

// MARK: - Media

extension FeedBuilder {
  func addEnclosure(_ address: String?, _ type: String?, _ length: String?, origin: EnclosureChoice.Origin = .enclosure)
  {
    guard scope == .episode, parts.enclosures.count < Self.mostWords, let address = resolved(address) else { return }
    // Media RSS mostly says again what the enclosure has said.
    if origin != .enclosure, parts.enclosures.contains(where: { $0.url == address }) { return }
    let enclosure = Enclosure(
      url: address, type: type.flatMap(MediaType.normalized), length: length.flatMap(Number.bytes))
    keep(enclosure, in: &parts.enclosures)
    parts.enclosureOrigins.append(origin)
  }

  private func openMediaContent(_ attributes: XMLAttributes, _ frame: inout Frame) {
    // Its children (title, thumbnail …) describe the episode as much as the medium.
    frame.place = scope == .episode ? .item : .feed
    let medium = attributes["medium"]?.folded
    let type = attributes["type"].flatMap(MediaType.normalized)
    let isPicture = medium == "image" || (scope == .feed && type?.hasPrefix("image/") == true)
    if isPicture { return offer(resolved(attributes["url"]), to: .thumbnail) }
    guard scope == .episode else { return }
    let origin = EnclosureChoice.Origin.mediaRSS(isPlayable: medium == "audio" || medium == "video")
    addEnclosure(attributes["url"], type, attributes["fileSize"], origin: origin)
    offer(attributes["duration"], to: .mediaDuration)
  }

  private func openAtomContent(_ attributes: XMLAttributes) {
    let type = attributes["type"].flatMap(MediaType.normalized)
    if let source = attributes["src"], let type, type.hasPrefix("audio/") || type.hasPrefix("video/") {
      addEnclosure(source, type, nil)
    }
    gather()
  }

  func openPicture(_ attributes: XMLAttributes, _ slot: Slot) {
    guard let address = attributes["href"] ?? attributes["url"] else { return gather() }
    offer(resolved(address), to: slot)
  }

  private func openChapters(_ attributes: XMLAttributes) {
    guard scope == .episode, rarities.chapters == nil, let url = resolved(attributes["url"]) else { return }
    rarities.chapters = ChaptersLink(url: url, type: attributes["type"].flatMap(MediaType.normalized))
  }

  private func openChapter(_ attributes: XMLAttributes) {
    guard scope == .episode, let start = attributes["start"].flatMap(DurationText.seconds) else { return }
    let chapter = Chapter(
      start: start, title: PlainText.collapsed(attributes["title"] ?? ""), link: resolved(attributes["href"]),
      image: resolved(attributes["image"]))
    keep(chapter, in: &rarities.inlineChapters)
  }

  private func openTranscript(_ attributes: XMLAttributes) {
    guard scope == .episode, let url = resolved(attributes["url"]) else { return }
    var transcript = TranscriptLink(url: url)
    transcript.type = attributes["type"].flatMap(MediaType.normalized)
    transcript.language = attributes["language"].map(LanguageTag.normalized)
    transcript.relation = attributes["rel"]?.folded
    keep(transcript, in: &rarities.transcripts)
  }

  private func openAlternate(_ attributes: XMLAttributes, _ frame: inout Frame) {
    frame.place = .alternateEnclosure
    var alternate = AlternateEnclosure()
    alternate.type = attributes["type"].flatMap(MediaType.normalized)
    alternate.length = attributes["length"].flatMap(Number.bytes)
    alternate.bitrate = attributes["bitrate"].flatMap(Number.nonNegative)
    alternate.height = attributes["height"].flatMap(Number.bytes).map { Int($0) }
    alternate.language = attributes["lang"].map(LanguageTag.normalized)
    alternate.title = attributes["title"]
    alternate.relation = attributes["rel"]
    alternate.codecs = attributes["codecs"]
    alternate.isDefault = attributes["default"].flatMap(Flag.value)
    parts.alternate = alternate
  }

  private func openAlternateSource(_ attributes: XMLAttributes) {
    guard let uri = resolved(attributes["uri"]) else { return }
    let type = attributes["contentType"].flatMap(MediaType.normalized)
    spend(MemoryLayout<AlternateEnclosure.Source>.stride)
    parts.alternate?.sources.append(.init(uri: uri, contentType: type))
  }

  private func closeAlternate() {
    if scope == .episode, let alternate = parts.alternate { keep(alternate, in: &rarities.alternateEnclosures) }
    parts.alternate = nil
  }

  private func closeSoundbite(_ title: String?) {
    guard scope == .episode, var soundbite = parts.soundbite else { return }
    soundbite.title = title
    keep(soundbite, in: &rarities.soundbites)
  }

  /// The old form of several images: `href 600w, href 300w`.
  private func openImages(_ attributes: XMLAttributes) {
    let first = attributes["srcset"]?.split(separator: ",").first?.split(separator: " ").first
    offer(resolved(first.map { String($0) }), to: .podcastImage)
  }
}

// MARK: - Words about it

extension FeedBuilder {
  /// Atom has it in an attribute, Media RSS may have a nicer name there, RSS has it as the text.
  private func openCategory(_ attributes: XMLAttributes) {
    guard let term = attributes["label"] ?? attributes["term"] else { return gather() }
    addCategories([PlainText.collapsed(term)])
  }

  private func openNestedCategory(_ name: String?, _ frame: inout Frame) {
    frame.place = .category
    parts.categoryPath.append(PlainText.line(name ?? ""))
    guard name != nil else { return }
    let path = parts.categoryPath.joined(separator: " > ")
    spend(path.utf8.count)
    addCategories([path])
  }

  private func addCategories(_ names: [String]) {
    switch scope {
    case .feed: keep(words: names, in: &feed.categories)
    case .episode: keep(words: names, in: &rarities.categories)
    case .liveItem: break
    }
  }

  private func addKeywords(_ text: String?) {
    let parts = (text ?? "").split(separator: ",", maxSplits: Self.mostWords).prefix(Self.mostWords)
    let words = parts.map { PlainText.collapsed(String($0)) }.filter { !$0.isEmpty }
    switch scope {
    case .feed: keep(words: words, in: &feed.keywords)
    case .episode: keep(words: words, in: &rarities.keywords)
    case .liveItem: break
    }
  }

  private func keep(words: [String], in list: inout [String]) {
    for word in words where list.count < Self.mostWords { keep(word, in: &list) }
  }

  /// More than anybody means.
  private static let mostWords = 500

  private func addPerson(named name: String?) {
    guard let name, var person = parts.person.take() else { return }
    person.name = name
    switch scope {
    case .feed: keep(person, in: &feed.persons)
    case .episode: keep(person, in: &rarities.persons)
    case .liveItem: break
    }
  }

  private func addFunding(_ text: String?) {
    guard var funding = parts.funding else { return }
    funding.text = text
    addFunding(funding)
  }

  private func addFunding(_ funding: Funding) {
    switch scope {
    case .feed: keep(funding, in: &feed.fundings)
    case .episode: keep(funding, in: &rarities.fundings)
    case .liveItem: break
    }
  }

  private func closeLocation(_ name: String?) {
    parts.location.name = name
    guard parts.location != Location() else { return }
    switch scope {
    case .feed: feed.location = feed.location ?? parts.location
    case .episode: rarities.location = rarities.location ?? parts.location
    case .liveItem: break
    }
  }

  private func closeLicense(_ identifier: String?) {
    parts.license.identifier = identifier
    guard parts.license != License() else { return }
    switch scope {
    case .feed: feed.license = feed.license ?? parts.license
    case .episode: rarities.license = rarities.license ?? parts.license
    case .liveItem: break
    }
  }

  private func closeTrailer(_ title: String?) {
    guard scope == .feed, var trailer = parts.trailer else { return }
    trailer.title = title
    keep(trailer, in: &feed.trailers)
  }

  private func openSocialInteract(_ attributes: XMLAttributes) {
    if scope == .episode, let uri = resolved(attributes["uri"]) { keep(uri, in: &rarities.socialInteracts) }
  }

  private func openRemoteItem(_ attributes: XMLAttributes) {
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

// MARK: - Live items and payments

extension FeedBuilder {
  private func openLiveItem(_ attributes: XMLAttributes, _ frame: inout Frame) {
    frame.place = .liveItem
    frame.outerScope = scope
    scope = .liveItem
    liveItemSlots.removeAll()
    var item = LiveItem()
    item.status = attributes["status"]?.folded
    item.start = attributes["start"].flatMap(DateText.timestamp)
    item.end = attributes["end"].flatMap(DateText.timestamp)
    parts.liveItem = item
  }

  private func closeLiveItem() {
    guard var item = parts.liveItem else { return }
    item.title = liveItemSlots[.title]
    item.guid = liveItemSlots[.guid]
    keep(item, in: &feed.liveItems)
    parts.liveItem = nil
  }

  private func openValue(_ attributes: XMLAttributes, _ frame: inout Frame) {
    frame.place = .value
    var value = PaymentInfo()
    value.type = attributes["type"]
    value.method = attributes["method"]
    parts.value = value
  }

  private func openRecipient(_ attributes: XMLAttributes) {
    var recipient = PaymentInfo.Recipient()
    recipient.name = attributes["name"]
    recipient.type = attributes["type"]
    recipient.address = attributes["address"]
    recipient.split = attributes["split"].flatMap(Number.nonNegative)
    spend(MemoryLayout<PaymentInfo.Recipient>.stride)
    parts.value?.recipients.append(recipient)
  }

  private func closeValue() {
    switch scope {
    case .feed: feed.value = feed.value ?? parts.value
    case .episode: rarities.value = rarities.value ?? parts.value
    case .liveItem: break
    }
    parts.value = nil
  }
}

extension Person {
  fileprivate init(_ attributes: XMLAttributes, link: String?, image: String?) {
    self.init(name: "")
    role = attributes["role"]?.folded ?? role
    group = attributes["group"]?.folded ?? group
    self.link = link
    self.image = image
  }
}

extension Trailer {
  fileprivate init?(_ attributes: XMLAttributes, url: String?) {
    guard let url else { return nil }
    self.init(url: url)
    type = attributes["type"].flatMap(MediaType.normalized)
    length = attributes["length"].flatMap(Number.bytes)
    season = attributes["season"].flatMap(Number.nonNegative)
    publishedAt = attributes["pubdate"].flatMap(DateText.timestamp)
  }
}

extension Soundbite {
  fileprivate init?(_ attributes: XMLAttributes) {
    guard let start = attributes["startTime"].flatMap(Number.nonNegative),
      let duration = attributes["duration"].flatMap(Number.nonNegative)
    else { return nil }
    self.init(start: start, duration: duration)
  }
}
