import PodcastModel
internal import Text

// Fills the fields of the feed and its episodes from their slots, in order of preference.

extension Feed {
  mutating func fill(from draft: Draft) {
    fillTexts(from: draft.slots)
    fillFlags(from: draft.slots)
    fillTimes(from: draft.slots)
    categories = draft.categories.once()
    keywords = draft.keywords.once()
    persons = draft.persons
    fundings = draft.fundings
    location = draft.location
    license = draft.license ?? License(linkedIn: draft.slots)
    value = draft.value
  }

  private mutating func fillTexts(from slots: Slots) {
    title = slots.first(.title, .atomTitle, .itunesTitle, .dcTitle)
    link = slots.first(.link, .atomLink)
    description = slots.first(
      .description, .itunesSummary, .atomSubtitle, .googleplayDescription, .dcDescription, .subtitle)
    subtitle = slots.first(.subtitle, .atomSubtitle)
    author = slots.first(
      .itunesAuthor, .author, .dcCreator, .atomAuthor, .googleplayAuthor, .managingEditor, .atomAuthorEmail)
    ownerName = slots.first(.ownerName, .googleplayOwner)
    ownerEmail = slots.first(.ownerEmail, .googleplayEmail)
    language = slots[.language].map(LanguageTag.normalized)
    image = slots.first(.itunesImage, .image, .linkedImage, .logo, .icon, .googleplayImage, .podcastImage, .thumbnail)
    copyright = slots.first(.copyright, .dcRights)
    generator = slots[.generator]
    newFeedURL = slots[.newFeedURL]
    nextPageURL = slots[.nextPageURL]
    url = url ?? slots[.selfURL]
    guid = slots[.podcastGUID]
  }

  private mutating func fillFlags(from slots: Slots) {
    isExplicit = slots.first(.explicit, .googleplayExplicit).flatMap(Flag.explicit)
    type = slots[.type]?.folded
    isBlocked = slots.first(.block, .podcastBlock).flatMap(Flag.value)
    medium = slots[.medium]?.folded
    isLocked = slots[.locked].flatMap(Flag.value)
    isComplete = slots[.complete].flatMap(Flag.value)
  }

  private mutating func fillTimes(from slots: Slots) {
    publishedAt = DateText.first(in: slots, .pubDate, .published, .issued, .dcDate, .created)
    updatedAt = DateText.first(in: slots, .updated, .lastBuildDate)
    timeToLive = slots[.timeToLive].flatMap { Int($0) } ?? UpdatePeriod.minutes(slots)
    updateRule = slots[.updateRule]
  }
}

extension FeedEpisode {
  mutating func fill(from slots: Slots, textsIn arena: TextArena) {
    fillNumbers(from: slots)
    publishedAt = DateText.first(in: slots, .pubDate, .published, .issued, .dcDate, .created, .updated)
    updatedAt = DateText.first(in: slots, .updated)
    texts = Self.texts(of: slots, in: arena)
  }

  private static func texts(of slots: Slots, in arena: TextArena) -> EpisodeTexts {
    if let type = slots[.episodeType] { slots.put(type.folded, in: .episodeType) }
    var ranges = EpisodeTexts.Ranges()
    ranges[.title] = slots.range(ofFirst: .title, .atomTitle, .itunesTitle, .dcTitle, .mediaTitle)
    ranges[.link] = slots.range(ofFirst: .link, .atomLink, .permalink) ?? linkInID(slots)
    ranges[.description] = slots.range(
      ofFirst: .description, .atomSummary, .itunesSummary, .googleplayDescription, .dcDescription, .subtitle, .content,
      .mediaDescription)
    ranges[.content] = slots.range(of: .content)
    ranges[.summary] = slots.range(ofFirst: .itunesSummary, .atomSummary)
    ranges[.subtitle] = slots.range(of: .subtitle)
    ranges[.author] = slots.range(
      ofFirst: .itunesAuthor, .author, .dcCreator, .atomAuthor, .googleplayAuthor, .atomAuthorEmail)
    ranges[.image] = slots.range(
      ofFirst: .itunesImage, .podcastImage, .googleplayImage, .image, .linkedImage, .thumbnail, .enclosedPicture)
    ranges[.episodeType] = slots.range(of: .episodeType)
    ranges[.enclosureURL] = slots.range(of: .enclosureURL)
    ranges[.enclosureType] = slots.range(of: .enclosureType)
    ranges[.guid] = slots.range(ofFirst: .guid, .atomID, .enclosureURL) ?? ranges[.link] ?? fallbackGUID(slots)
    return EpisodeTexts(slots.all, ranges, in: arena.room)
  }

  private static func linkInID(_ slots: Slots) -> Range<UInt32>? {
    guard let id = slots[.atomID], WebURL.looksLikeHTTP(id) else { return nil }
    return slots.range(of: .atomID)
  }

  private mutating func fillNumbers(from slots: Slots) {
    duration = slots[.duration].flatMap(DurationText.seconds) ?? slots[.mediaDuration].flatMap(DurationText.seconds)
    season = Number.first(in: slots, .season, .itunesSeason)
    episode = Number.first(in: slots, .episode, .itunesEpisode)
    isExplicit = slots.first(.explicit, .googleplayExplicit).flatMap(Flag.explicit)
  }

  /// A hash that is the same for the same title and date in every parse.
  private static func fallbackGUID(_ slots: Slots) -> Range<UInt32>? {
    let texts = [slots.first(.title, .atomTitle, .itunesTitle), slots.first(.pubDate, .published, .dcDate, .updated)]
    let identity = texts.contains { $0 != nil } ? texts : [slots.first(.description, .content)]
    let hash = identity.reduce(FNV1a.start) { FNV1a.hash(($1 ?? "") + "\0", from: $0) }
    slots.put("podcli:" + FNV1a.digits(hash), in: .guid)
    return slots.range(of: .guid)
  }
}

extension FeedEpisode.RareFields {
  mutating func fill(from draft: Draft) {
    seasonName = draft.slots[.seasonName]
    episodeDisplay = draft.slots[.episodeDisplay]
    isBlocked = draft.slots.first(.block, .podcastBlock).flatMap(Flag.value)
    categories = draft.categories.once()
    keywords = draft.keywords.once()
    persons = draft.persons
    fundings = draft.fundings
    location = draft.location
    license = draft.license ?? License(linkedIn: draft.slots)
    value = draft.value
  }
}

extension License {
  /// A license that is only a link.
  fileprivate init?(linkedIn slots: Slots) {
    guard let address = slots[.licenseURL] else { return nil }
    self.init()
    url = address
  }
}

extension [String] {
  /// The strings without repetitions.
  fileprivate func once() -> [String] {
    guard count > 1 else { return self }
    var known = Set<String>()
    return filter { known.insert($0).inserted }
  }
}

extension DateText {
  fileprivate static func first(in slots: Slots, _ wanted: Slot...) -> Timestamp? {
    for slot in wanted { if let moment = slots.bytes(of: slot).flatMap(timestamp) { return moment } }
    return nil
  }
}

extension Number {
  fileprivate static func first(in slots: Slots, _ wanted: Slot...) -> Double? {
    for slot in wanted { if let number = slots[slot].flatMap(nonNegative) { return number } }
    return nil
  }
}

/// RSS's syndication module: a number of updates in a period.
private enum UpdatePeriod {
  private static let minutes = [
    "hourly": 60, "daily": 1440, "weekly": 10_080, "monthly": 43_200, "yearly": 525_600,
  ]

  static func minutes(_ slots: Slots) -> Int? {
    guard let period = slots[.updatePeriod].flatMap({ minutes[$0.folded] }) else { return nil }
    let frequency = slots[.updateFrequency].flatMap { Int($0) } ?? 1
    return frequency > 0 ? period / frequency : nil
  }
}
