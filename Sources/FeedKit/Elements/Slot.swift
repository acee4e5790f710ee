/// A place for one element's text while its feed or episode is read. What fills which field of the result,
/// and in which order of preference, is decided once, when the episode or the feed is complete.
enum Slot: Int, CaseIterable {
  case title, atomTitle, itunesTitle, dcTitle, mediaTitle
  case link, atomLink, guid, atomID
  case description, atomSummary, itunesSummary, googleplayDescription, mediaDescription, dcDescription
  case content, subtitle, atomSubtitle
  case author, atomAuthor, atomAuthorEmail, itunesAuthor, googleplayAuthor, dcCreator, managingEditor
  case ownerName, ownerEmail, googleplayOwner, googleplayEmail
  case itunesImage, image, podcastImage, googleplayImage, logo, icon, thumbnail
  case language, copyright, dcRights, generator
  case explicit, googleplayExplicit, type, block, podcastBlock, complete, newFeedURL
  case selfURL, nextPageURL
  case pubDate, dcDate, published, issued, created, updated, lastBuildDate
  case podcastGUID, medium, locked, timeToLive, updatePeriod, updateFrequency, updateRule
  case duration, mediaDuration, season, seasonName, itunesSeason, episode, episodeDisplay, itunesEpisode, episodeType
  case licenseURL, permalink
}

/// The slots of one feed or episode. The first text that an element brings stays.
struct Slots {
  private var texts = [String?](repeating: nil, count: Slot.allCases.count)
  private(set) var isEmpty = true

  subscript(slot: Slot) -> String? { texts[slot.rawValue] }

  mutating func offer(_ text: String?, to slot: Slot) {
    guard let text, texts[slot.rawValue] == nil else { return }
    texts[slot.rawValue] = text
    isEmpty = false
  }

  /// The first of these that has a text.
  func first(_ slots: Slot...) -> String? {
    for slot in slots { if let text = texts[slot.rawValue] { return text } }
    return nil
  }

  mutating func removeAll() {
    guard !isEmpty else { return }
    for index in texts.indices { texts[index] = nil }
    isEmpty = true
  }
}
