/// The kind of parent element, as far as the rules distinguish it.
enum Context: UInt8 {
  case document
  /// The root and its channels: items beside a channel, and several channels, are all one feed.
  case feed
  case item
  case image, owner, author, category, chapters, alternateEnclosure, value, liveItem, podroll
  /// Inside an element that has only text.
  case leaf
  /// Inside an element without a rule. Episodes are found even there.
  case ignored
}

/// The rule for an element.
enum Rule {
  /// Keeps the text unchanged.
  case text(Slot)
  /// Keeps the text as one line without markup.
  case line(Slot)
  /// Keeps the text as one line, without the mail address beside a person's name.
  case name(Slot)
  /// Keeps an identifier unchanged, even where it looks like markup.
  case verbatim(Slot)
  /// Resolves the text as a URL.
  case link(Slot)
  /// Resolves a URL from the attribute, else from the text.
  case linkAttribute(StaticString, Slot)
  /// Resolves a picture's URL from `href` or `url`, else from the text.
  case picture(Slot)
  /// Opens and closes a part with a shape of its own; see `FeedBuilder+Parts`.
  case part(Part)
  /// Reads only the children, in this context.
  case enter(Context)
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

  /// True when its attributes and text stay in memory besides the texts of episodes, and so are accounted for.
  var isKept: Bool {
    switch self {
    case .root, .episode, .guid, .enclosure, .mediaContent, .atomLink, .plainLink, .atomContent, .inlineChapters,
      .podcastBlock, .podcastImages, .historyComplete:
      false
    default: true
    }
  }
}

/// The texts that a feed or an episode may have, by the element that they come from. `FeedComposition` chooses the text
/// of each field when the episode or the feed is complete.
enum Slot: Int, CaseIterable {
  case title, atomTitle, itunesTitle, dcTitle, mediaTitle
  case link, atomLink, guid, atomID
  case description, atomSummary, itunesSummary, googleplayDescription, mediaDescription, dcDescription
  case content, subtitle, atomSubtitle
  case author, atomAuthor, atomAuthorEmail, itunesAuthor, googleplayAuthor, dcCreator, managingEditor
  case ownerName, ownerEmail, googleplayOwner, googleplayEmail
  case itunesImage, image, linkedImage, podcastImage, googleplayImage, logo, icon, thumbnail, enclosedPicture
  case language, copyright, dcRights, generator
  case explicit, googleplayExplicit, type, block, podcastBlock, complete, newFeedURL
  case selfURL, nextPageURL
  case pubDate, dcDate, published, issued, created, updated, lastBuildDate
  case podcastGUID, medium, locked, timeToLive, updatePeriod, updateFrequency, updateRule
  case duration, mediaDuration, season, seasonName, itunesSeason, episode, episodeDisplay, itunesEpisode, episodeType
  case licenseURL, permalink
  /// The URL and type of the chosen enclosure.
  case enclosureURL, enclosureType
}

/// One line per element: its context, its name with the usual prefix, its rule.
///
/// A new element is a line here. Where its text is a field of its own, `Slot` gets a case, too, and `FeedComposition`
/// fills the field from it.
enum ElementTable {
  typealias Line = (name: String, rule: Rule)

  static let lines: [(context: Context, lines: [Line])] = [
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

  /// Elements of both feeds and episodes.
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
