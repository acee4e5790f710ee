package import PodcastModel
package import Text

/// The JSON document of a parsed feed: everything that was understood.
package enum FeedDocument {
  /// A parsed feed with its episodes and warnings.
  package static func json(_ feed: Feed) -> JSON {
    ["feed": header(feed), "episodes": .array(feed.episodes.map(episode)), "warnings": JSON(feed.warnings)]
  }

  /// Everything but the episodes and the warnings.
  package static func header(_ feed: Feed) -> JSON {
    [
      "url": JSON(feed.url), "format": JSON(feed.format.rawValue), "title": JSON(feed.title), "link": JSON(feed.link),
      "description": JSON(feed.description), "subtitle": JSON(feed.subtitle), "author": JSON(feed.author),
      "ownerName": JSON(feed.ownerName), "ownerEmail": JSON(feed.ownerEmail), "language": JSON(feed.language),
      "image": JSON(feed.image), "copyright": JSON(feed.copyright), "generator": JSON(feed.generator),
      "categories": texts(feed.categories), "keywords": texts(feed.keywords), "explicit": JSON(feed.isExplicit),
      "type": JSON(feed.type), "block": JSON(feed.isBlocked), "newFeedURL": JSON(feed.newFeedURL),
      "nextPageURL": JSON(feed.nextPageURL), "publishedAt": JSON(feed.publishedAt), "updatedAt": JSON(feed.updatedAt),
      "guid": JSON(feed.guid), "medium": JSON(feed.medium), "locked": JSON(feed.isLocked),
      "complete": JSON(feed.isComplete), "fundings": list(feed.fundings, funding),
      "persons": list(feed.persons, person),
      "location": feed.location.map(location), "license": feed.license.map(license),
      "trailers": list(feed.trailers, trailer), "podroll": list(feed.podroll, remoteItem),
      "liveItems": list(feed.liveItems, liveItem), "value": feed.value.map(payment), "ttl": JSON(feed.timeToLive),
      "skipHours": list(feed.skipHours) { JSON($0) }, "skipDays": texts(feed.skipDays),
      "updateRule": JSON(feed.updateRule),
    ]
  }

  /// One episode of a feed.
  package static func episode(_ episode: FeedEpisode) -> JSON {
    [
      "guid": JSON(episode.guid), "title": JSON(episode.title), "link": JSON(episode.link),
      "description": JSON(episode.description), "content": JSON(episode.content), "summary": JSON(episode.summary),
      "subtitle": JSON(episode.subtitle), "author": JSON(episode.author), "publishedAt": JSON(episode.publishedAt),
      "updatedAt": JSON(episode.updatedAt), "duration": JSON(episode.duration),
      "enclosure": episode.enclosure.map(enclosure), "enclosures": list(episode.enclosures, enclosure),
      "season": JSON(episode.season), "seasonName": JSON(episode.seasonName), "episode": JSON(episode.episode),
      "episodeDisplay": JSON(episode.episodeDisplay), "episodeType": JSON(episode.episodeType),
      "explicit": JSON(episode.isExplicit), "block": JSON(episode.isBlocked), "image": JSON(episode.image),
      "categories": texts(episode.categories), "keywords": texts(episode.keywords),
      "chapters": episode.chapters.map(chaptersLink), "inlineChapters": list(episode.inlineChapters, inlineChapter),
      "transcripts": list(episode.transcripts, transcript), "persons": list(episode.persons, person),
      "soundbites": list(episode.soundbites, soundbite),
      "alternateEnclosures": list(episode.alternateEnclosures, alternate),
      "location": episode.location.map(location), "license": episode.license.map(license),
      "value": episode.value.map(payment), "socialInteract": list(episode.socialInteracts) { ["uri": JSON($0)] },
      "fundings": list(episode.fundings, funding),
    ]
  }

  /// Lists with nothing in them are left out like every other unknown.
  private static func list<Element>(_ elements: [Element], _ transform: (Element) -> JSON) -> JSON? {
    JSON(nonEmpty: elements.map(transform))
  }

  private static func texts(_ texts: [String]) -> JSON? { list(texts) { JSON($0) } }
}

// MARK: - Parts

extension FeedDocument {
  private static func enclosure(_ enclosure: Enclosure) -> JSON {
    ["url": JSON(enclosure.url), "type": JSON(enclosure.type), "length": JSON(enclosure.length)]
  }

  private static func funding(_ funding: Funding) -> JSON {
    ["url": JSON(funding.url), "text": JSON(funding.text)]
  }

  private static func person(_ person: Person) -> JSON {
    [
      "name": JSON(person.name), "role": JSON(person.role), "group": JSON(person.group), "img": JSON(person.image),
      "href": JSON(person.link),
    ]
  }

  private static func location(_ location: Location) -> JSON {
    ["name": JSON(location.name), "geo": JSON(location.geo), "osm": JSON(location.osm)]
  }

  private static func license(_ license: License) -> JSON {
    ["identifier": JSON(license.identifier), "url": JSON(license.url)]
  }

  private static func trailer(_ trailer: Trailer) -> JSON {
    [
      "url": JSON(trailer.url), "type": JSON(trailer.type), "length": JSON(trailer.length),
      "title": JSON(trailer.title), "season": JSON(trailer.season), "publishedAt": JSON(trailer.publishedAt),
    ]
  }

  private static func remoteItem(_ item: RemoteItem) -> JSON {
    [
      "feedGuid": JSON(item.feedGUID), "feedUrl": JSON(item.feedURL), "itemGuid": JSON(item.itemGUID),
      "medium": JSON(item.medium), "title": JSON(item.title),
    ]
  }

  private static func liveItem(_ item: LiveItem) -> JSON {
    [
      "status": JSON(item.status), "start": JSON(item.start), "end": JSON(item.end), "title": JSON(item.title),
      "guid": JSON(item.guid),
    ]
  }

  private static func payment(_ value: PaymentInfo) -> JSON {
    ["type": JSON(value.type), "method": JSON(value.method), "recipients": list(value.recipients, recipient)]
  }

  private static func recipient(_ recipient: PaymentInfo.Recipient) -> JSON {
    [
      "name": JSON(recipient.name), "type": JSON(recipient.type), "address": JSON(recipient.address),
      "split": JSON(recipient.split),
    ]
  }

  private static func chaptersLink(_ link: ChaptersLink) -> JSON { ["url": JSON(link.url), "type": JSON(link.type)] }

  private static func inlineChapter(_ chapter: Chapter) -> JSON {
    [
      "start": .number(chapter.start), "title": JSON(chapter.title), "href": JSON(chapter.link),
      "image": JSON(chapter.image),
    ]
  }

  private static func transcript(_ link: TranscriptLink) -> JSON {
    [
      "url": JSON(link.url), "type": JSON(link.type), "language": JSON(link.language), "rel": JSON(link.relation),
    ]
  }

  private static func soundbite(_ soundbite: Soundbite) -> JSON {
    [
      "startTime": .number(soundbite.start), "duration": .number(soundbite.duration), "title": JSON(soundbite.title),
    ]
  }

  private static func alternate(_ alternate: AlternateEnclosure) -> JSON {
    [
      "type": JSON(alternate.type), "length": JSON(alternate.length), "bitrate": JSON(alternate.bitrate),
      "height": JSON(alternate.height), "lang": JSON(alternate.language), "title": JSON(alternate.title),
      "rel": JSON(alternate.relation), "codecs": JSON(alternate.codecs), "default": JSON(alternate.isDefault),
      "sources": list(alternate.sources) { ["uri": JSON($0.uri), "contentType": JSON($0.contentType)] },
    ]
  }
}

// MARK: - Side documents

extension FeedDocument {
  /// The chapters that a player lists: sorted, without silent ones.
  package static func json(chapters: [Chapter]) -> JSON {
    let listed = chapters.filter(\.isListed).sorted { $0.start < $1.start }
    return [
      "chapters": .array(
        listed.map {
          [
            "start": .number($0.start), "end": JSON($0.end), "title": JSON($0.title), "url": JSON($0.link),
            "image": JSON($0.image),
          ]
        })
    ]
  }

  /// A transcript.
  package static func json(transcript segments: [TranscriptSegment]) -> JSON {
    [
      "segments": .array(
        segments.map {
          [
            "start": JSON($0.start), "end": JSON($0.end), "text": JSON($0.text), "speaker": JSON($0.speaker),
          ]
        })
    ]
  }
}

extension FeedDocument {
  /// The feeds of an OPML document.
  package static func json(outlines: [FeedOutline]) -> JSON {
    ["feeds": .array(outlines.map { ["url": JSON($0.url), "title": JSON($0.title), "folders": JSON($0.folders)] })]
  }
}
