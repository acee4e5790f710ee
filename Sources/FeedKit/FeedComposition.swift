import PodcastModel

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
    if license == nil, let address = slots[.licenseURL] {
      license = License()
      license?.url = address
    }
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
  mutating func fill(from slots: Slots) {
    fillTexts(from: slots)
    fillNumbers(from: slots)
    publishedAt = DateText.first(in: slots, .pubDate, .published, .issued, .dcDate, .created, .updated)
    updatedAt = DateText.first(in: slots, .updated)
    guid = slots.first(.guid, .atomID) ?? enclosure?.url ?? link ?? Self.fallbackGUID(slots)
  }

  private mutating func fillTexts(from slots: Slots) {
    title = slots.first(.title, .atomTitle, .itunesTitle, .dcTitle, .mediaTitle)
    link =
      slots.first(.link, .atomLink, .permalink) ?? slots[.atomID].flatMap { WebAddress.looksLikeWeb($0) ? $0 : nil }
    description = slots.first(
      .description, .atomSummary, .itunesSummary, .googleplayDescription, .dcDescription, .subtitle, .content,
      .mediaDescription)
    content = slots[.content]
    summary = slots.first(.itunesSummary, .atomSummary)
    subtitle = slots[.subtitle]
    author = slots.first(.itunesAuthor, .author, .dcCreator, .atomAuthor, .googleplayAuthor, .atomAuthorEmail)
    image = slots.first(.itunesImage, .podcastImage, .googleplayImage, .image, .thumbnail)
  }

  private mutating func fillNumbers(from slots: Slots) {
    duration = slots[.duration].flatMap(DurationText.seconds) ?? slots[.mediaDuration].flatMap(DurationText.seconds)
    season = Number.first(in: slots, .season, .itunesSeason)
    episode = Number.first(in: slots, .episode, .itunesEpisode)
    episodeType = slots[.episodeType]?.folded
    isExplicit = slots.first(.explicit, .googleplayExplicit).flatMap(Flag.explicit)
  }

  /// The same for the same title and date, in every parse.
  private static func fallbackGUID(_ slots: Slots) -> String {
    let texts = [slots.first(.title, .atomTitle, .itunesTitle), slots.first(.pubDate, .published, .dcDate, .updated)]
    let identity = texts.contains { $0 != nil } ? texts : [slots.first(.description, .content)]
    let hash = identity.reduce(into: UInt64(0xcbf2_9ce4_8422_2325)) { hash, text in
      for byte in (text ?? "").utf8 + [0] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    let digits = String(hash, radix: 16)
    return "podcli:" + String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension FeedEpisode.Rarities {
  mutating func fill(from slots: Slots) {
    categories = categories.once()
    keywords = keywords.once()
    seasonName = slots[.seasonName]
    episodeDisplay = slots[.episodeDisplay]
    isBlocked = slots.first(.block, .podcastBlock).flatMap(Flag.value)
    if license == nil, let address = slots[.licenseURL] {
      license = License()
      license?.url = address
    }
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
    for slot in wanted { if let moment = slots[slot].flatMap(timestamp) { return moment } }
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
