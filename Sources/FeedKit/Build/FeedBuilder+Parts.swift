import PodcastModel

/// Parts whose start tag has been read and whose text or end tag has not.
struct OpenParts {
  var person: Person?
  var funding: Funding?
  var location = Location()
  var license = License()
  var trailer: Trailer?
  var soundbite: Soundbite?
  var alternate: AlternateEnclosure?
  var value: PaymentInfo?
  var liveItem: LiveItem?
  /// The names of the open nested categories, outermost first.
  var categoryPath: [String] = []
  var isPermalink: Bool?
  var linkRelation: (name: String, type: String?, length: String?)?
  var podcastBlockID: String?
  /// The enclosures of the open episode, and the element that each of them came from.
  var enclosures: [Enclosure] = []
  var enclosureOrigins: [EnclosureChoice.Origin] = []
  var sizeOfEnclosures = 0
}

extension FeedBuilder {
  func openPart(_ part: Part, _ attributes: XMLAttributes, _ frame: inout Frame) {
    switch part {
    case .root:
      frame.context = .feed
      openChannelDefinition(attributes)
    case .episode: openEpisode(&frame, attributes)
    case .liveItem: openLiveItem(attributes, &frame)
    case .guid:
      parts.isPermalink = attributes["isPermaLink"].map { Flag.value($0) ?? true }
      gather()
    case .enclosure: openEnclosure(attributes)
    case .mediaContent: openMediaContent(attributes, &frame)
    case .plainLink: openPlainLink(attributes)
    case .atomLink: openAtomLink(attributes)
    case .atomContent: openAtomContent(attributes)
    case .keywords, .skipHour, .skipDay: gather()
    case .category: openCategory(attributes)
    case .itunesCategory: openNestedCategory(attributes["text"], &frame)
    case .socialInteract: openSocialInteract(attributes)
    case .chapters: addChapters(resolved(attributes["url"]), type: attributes["type"])
    // A second list repeats the chapters in another form.
    case .inlineChapters: frame.context = rareFields.inlineChapters.isEmpty ? .chapters : .ignored
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

  /// Opens the parts that have both attributes and a text.
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
