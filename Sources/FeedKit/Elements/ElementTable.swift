/// Where an element stands, as far as the rules care.
enum Place: UInt8 {
  case document
  /// The root and its channels: items beside a channel, and several channels, are all one feed.
  case feed
  case item
  case image, owner, author, category, chapters, alternateEnclosure, value, liveItem, podroll
  /// Inside an element that only has text.
  case leaf
  /// Inside an element podcli has no use for. Episodes are looked for even there.
  case ignored
}

/// What to do with an element.
enum Rule {
  /// Keep the text as the feed has it.
  case text(Slot)
  /// Keep the text as one plain line, without markup.
  case line(Slot)
  /// The same, without the mail address that may be beside somebody's name.
  case name(Slot)
  /// A name for machines: whatever it looks like, it stays.
  case verbatim(Slot)
  /// The text is an address.
  case link(Slot)
  /// An attribute has the address, or else it is the text.
  case linkAttribute(StaticString, Slot)
  /// A picture's address, which is in one attribute or the other, or the text.
  case picture(Slot)
  /// Something with a shape of its own; see `FeedBuilder+Parts`.
  case part(Part)
  /// Only its children matter.
  case enter(Place)
}

enum Part {
  case root, episode, liveItem
  case guid, enclosure, mediaContent, atomLink, plainLink, atomContent
  case category, itunesCategory, keywords
  case person, funding, location, license, trailer, soundbite, socialInteract
  case chapters, inlineChapters, chapter, transcript, alternateEnclosure, alternateSource
  case value, valueRecipient, remoteItem
  case podcastSeason, podcastEpisode, podcastUpdateFrequency, podcastBlock, podcastImages
  case skipHour, skipDay, historyComplete

  /// Its attributes and its text stay in memory as they are, beside the texts of episodes.
  var isKept: Bool {
    switch self {
    case .root, .episode, .guid, .enclosure, .mediaContent, .atomLink, .plainLink, .atomContent, .inlineChapters,
      .podcastBlock, .podcastImages, .historyComplete:
      false
    default: true
    }
  }
}

/// One line per element: where it stands, its name with the usual prefix, what to do with it.
enum ElementTable {
  typealias Line = (name: String, rule: Rule)

  static let lines: [(place: Place, lines: [Line])] = [
    (.document, roots + episodes), (.feed, episodes + common + feed), (.item, episodes + common + item),
    (.ignored, episodes),
    (.image, [("url", .link(.image)), ("media:url", .link(.image))]),
    (.owner, [("itunes:name", .name(.ownerName)), ("itunes:email", .line(.ownerEmail))]),
    (.author, [("atom:name", .name(.atomAuthor)), ("atom:email", .line(.atomAuthorEmail))]),
    (.category, [("itunes:category", .part(.itunesCategory))]),
    (.chapters, [("psc:chapter", .part(.chapter))]),
    (.alternateEnclosure, [("podcast:source", .part(.alternateSource))]),
    (.value, [("podcast:valueRecipient", .part(.valueRecipient))]),
    (.podroll, [("podcast:remoteItem", .part(.remoteItem))]),
    (.liveItem, liveItem),
  ]

  private static let roots: [Line] = [
    ("rss", .part(.root)), ("feed", .part(.root)), ("atom:feed", .part(.root)), ("RDF", .part(.root)),
    ("rdf:RDF", .part(.root)), ("channel", .part(.root)),
  ]

  private static let episodes: [Line] = [
    ("item", .part(.episode)), ("entry", .part(.episode)), ("atom:entry", .part(.episode)),
  ]

  /// What feeds and episodes share.
  private static let common: [Line] = [
    ("title", .line(.title)), ("atom:title", .line(.atomTitle)), ("itunes:title", .line(.itunesTitle)),
    ("dc:title", .line(.dcTitle)), ("media:title", .line(.mediaTitle)),
    ("link", .part(.plainLink)), ("atom:link", .part(.atomLink)),
    ("description", .text(.description)), ("itunes:summary", .text(.itunesSummary)),
    ("googleplay:description", .text(.googleplayDescription)), ("dc:description", .text(.dcDescription)),
    ("abstract", .text(.dcDescription)),
    ("media:description", .text(.mediaDescription)), ("itunes:subtitle", .line(.subtitle)),
    ("author", .name(.author)), ("itunes:author", .name(.itunesAuthor)), ("dc:creator", .name(.dcCreator)),
    ("dc:author", .name(.dcCreator)), ("googleplay:author", .name(.googleplayAuthor)), ("atom:author", .enter(.author)),
    ("pubDate", .line(.pubDate)), ("dc:date", .line(.dcDate)), ("dc:created", .line(.created)),
    ("dc:issued", .line(.issued)), ("dc:modified", .line(.updated)),
    ("atom:published", .line(.published)), ("atom:issued", .line(.issued)), ("atom:created", .line(.created)),
    ("atom:updated", .line(.updated)), ("atom:modified", .line(.updated)),
    ("itunes:image", .picture(.itunesImage)), ("itunes:link", .part(.atomLink)),
    ("googleplay:image", .picture(.googleplayImage)), ("podcast:image", .picture(.podcastImage)),
    ("podcast:images", .part(.podcastImages)), ("image", .enter(.image)), ("media:thumbnail", .picture(.thumbnail)),
    ("itunes:explicit", .line(.explicit)), ("googleplay:explicit", .line(.googleplayExplicit)),
    ("itunes:block", .line(.block)), ("googleplay:block", .line(.block)), ("podcast:block", .part(.podcastBlock)),
    ("category", .part(.category)), ("dc:subject", .part(.category)), ("media:category", .part(.category)),
    ("atom:category", .part(.category)), ("itunes:category", .part(.itunesCategory)),
    ("googleplay:category", .part(.itunesCategory)), ("itunes:keywords", .part(.keywords)),
    ("media:keywords", .part(.keywords)), ("keywords", .part(.keywords)), ("tags", .part(.keywords)),
    ("podcast:person", .part(.person)), ("podcast:funding", .part(.funding)), ("podcast:location", .part(.location)),
    ("podcast:license", .part(.license)), ("license:license", .linkAttribute("resource", .licenseURL)),
    ("podcast:value", .part(.value)), ("podcast:guid", .verbatim(.podcastGUID)),
    ("media:group", .enter(.item)), ("media:content", .part(.mediaContent)),
  ]

  private static let feed: [Line] = [
    ("channel", .enter(.feed)), ("items", .enter(.ignored)),
    ("atom:subtitle", .text(.atomSubtitle)), ("atom:tagline", .text(.atomSubtitle)), ("subtitle", .line(.subtitle)),
    ("atom:logo", .link(.logo)), ("atom:icon", .link(.icon)), ("logo", .link(.logo)), ("icon", .link(.icon)),
    ("managingEditor", .name(.managingEditor)), ("itunes:owner", .enter(.owner)),
    ("googleplay:owner", .name(.googleplayOwner)), ("googleplay:email", .line(.googleplayEmail)),
    ("language", .line(.language)), ("dc:language", .line(.language)),
    ("copyright", .line(.copyright)), ("atom:rights", .line(.copyright)), ("atom:copyright", .line(.copyright)),
    ("dc:rights", .line(.dcRights)), ("generator", .line(.generator)), ("atom:generator", .line(.generator)),
    ("itunes:type", .line(.type)), ("itunes:complete", .line(.complete)), ("history:complete", .part(.historyComplete)),
    ("itunes:new-feed-url", .link(.newFeedURL)), ("redirect", .enter(.feed)), ("newLocation", .link(.newFeedURL)),
    ("lastBuildDate", .line(.lastBuildDate)),
    ("ttl", .line(.timeToLive)), ("syndication:updatePeriod", .line(.updatePeriod)),
    ("syndication:updateFrequency", .line(.updateFrequency)), ("skipHours", .enter(.feed)), ("skipDays", .enter(.feed)),
    ("hour", .part(.skipHour)), ("day", .part(.skipDay)),
    ("podcast:medium", .line(.medium)), ("podcast:locked", .line(.locked)), ("podcast:trailer", .part(.trailer)),
    ("podcast:podroll", .enter(.podroll)), ("podcast:liveItem", .part(.liveItem)),
    ("podcast:updateFrequency", .part(.podcastUpdateFrequency)),
  ]

  private static let item: [Line] = [
    ("guid", .part(.guid)), ("atom:id", .verbatim(.atomID)), ("id", .verbatim(.atomID)),
    ("content:encoded", .text(.content)), ("encoded", .text(.content)), ("fullitem", .text(.content)),
    ("body", .text(.content)), ("xhtml:body", .text(.content)), ("xhtml:div", .text(.content)),
    ("atom:content", .part(.atomContent)), ("content", .part(.atomContent)),
    ("atom:summary", .text(.atomSummary)), ("summary", .text(.atomSummary)), ("subtitle", .line(.subtitle)),
    ("enclosure", .part(.enclosure)), ("itunes:duration", .line(.duration)), ("duration", .line(.duration)),
    ("itunes:season", .line(.itunesSeason)), ("itunes:episode", .line(.itunesEpisode)),
    ("itunes:episodeType", .line(.episodeType)), ("podcast:season", .part(.podcastSeason)),
    ("podcast:episode", .part(.podcastEpisode)), ("podcast:chapters", .part(.chapters)),
    ("psc:chapters", .part(.inlineChapters)), ("podcast:transcript", .part(.transcript)),
    ("podcast:soundbite", .part(.soundbite)), ("podcast:alternateEnclosure", .part(.alternateEnclosure)),
    ("podcast:socialInteract", .part(.socialInteract)), ("podcast:liveItem", .part(.liveItem)),
    ("channel", .enter(.feed)),
  ]

  private static let liveItem: [Line] = [("title", .line(.title)), ("guid", .verbatim(.guid))]
}
