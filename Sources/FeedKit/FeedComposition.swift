import PodcastModel
internal import Text

// Which element's text becomes which field, in order of preference.

extension Feed {
  mutating func fill(from slots: Slots) {
    fillTexts(from: slots)
    fillFlags(from: slots)
    fillTimes(from: slots)
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
    image = slots.first(.itunesImage, .image, .logo, .icon, .googleplayImage, .podcastImage, .thumbnail)
    copyright = slots.first(.copyright, .dcRights)
    generator = slots[.generator]
    newFeedURL = slots[.newFeedURL]
    nextPageURL = slots[.nextPageURL]
    url = url ?? slots[.selfURL]
    guid = slots[.podcastGUID]
    categories = categories.once()
    keywords = keywords.once()
    if license == nil { license = License(linkedIn: slots) }
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
    ranges[.title] = slots.place(ofFirst: .title, .atomTitle, .itunesTitle, .dcTitle, .mediaTitle)
    ranges[.link] = slots.place(ofFirst: .link, .atomLink, .permalink) ?? linkInID(slots)
    ranges[.description] = slots.place(
      ofFirst: .description, .atomSummary, .itunesSummary, .googleplayDescription, .dcDescription, .subtitle, .content,
      .mediaDescription)
    ranges[.content] = slots.place(of: .content)
    ranges[.summary] = slots.place(ofFirst: .itunesSummary, .atomSummary)
    ranges[.subtitle] = slots.place(of: .subtitle)
    ranges[.author] = slots.place(
      ofFirst: .itunesAuthor, .author, .dcCreator, .atomAuthor, .googleplayAuthor, .atomAuthorEmail)
    ranges[.image] = slots.place(
      ofFirst: .itunesImage, .podcastImage, .googleplayImage, .image, .thumbnail, .enclosedPicture)
    ranges[.episodeType] = slots.place(of: .episodeType)
    ranges[.enclosureURL] = slots.place(of: .enclosureURL)
    ranges[.enclosureType] = slots.place(of: .enclosureType)
    ranges[.guid] = slots.place(ofFirst: .guid, .atomID, .enclosureURL) ?? ranges[.link] ?? fallbackGUID(slots)
    return EpisodeTexts(slots.all, ranges, in: arena.room)
  }

  private static func linkInID(_ slots: Slots) -> Range<UInt32>? {
    guard let id = slots[.atomID], WebAddress.looksLikeWeb(id) else { return nil }
    return slots.place(of: .atomID)
  }

  private mutating func fillNumbers(from slots: Slots) {
    duration = slots[.duration].flatMap(DurationText.seconds) ?? slots[.mediaDuration].flatMap(DurationText.seconds)
    season = Number.first(in: slots, .season, .itunesSeason)
    episode = Number.first(in: slots, .episode, .itunesEpisode)
    isExplicit = slots.first(.explicit, .googleplayExplicit).flatMap(Flag.explicit)
  }

  /// The same for the same title and date, in every parse.
  private static func fallbackGUID(_ slots: Slots) -> Range<UInt32>? {
    let texts = [slots.first(.title, .atomTitle, .itunesTitle), slots.first(.pubDate, .published, .dcDate, .updated)]
    let identity = texts.contains { $0 != nil } ? texts : [slots.first(.description, .content)]
    let hash = identity.reduce(into: UInt64(0xcbf2_9ce4_8422_2325)) { hash, text in
      for byte in (text ?? "").utf8 + [0] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    let digits = String(hash, radix: 16)
    slots.put("podcli:" + String(repeating: "0", count: 16 - digits.count) + digits, in: .guid)
    return slots.place(of: .guid)
  }
}

extension FeedEpisode.RareFields {
  mutating func fill(from slots: Slots) {
    categories = categories.once()
    keywords = keywords.once()
    seasonName = slots[.seasonName]
    episodeDisplay = slots[.episodeDisplay]
    isBlocked = slots.first(.block, .podcastBlock).flatMap(Flag.value)
    if license == nil { license = License(linkedIn: slots) }
  }
}

extension License {
  /// One that is no more than a link.
  fileprivate init?(linkedIn slots: Slots) {
    guard let address = slots[.licenseURL] else { return nil }
    self.init()
    url = address
  }
}

extension [String] {
  /// Without those that were there before.
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

/// RSS's syndication module: so many times in so long a period.
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
