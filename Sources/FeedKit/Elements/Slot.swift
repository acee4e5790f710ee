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
final class Slots {
  /// There is a text where `filled` has a bit, and nothing elsewhere.
  private let texts = UnsafeMutablePointer<String>.allocate(capacity: Slot.allCases.count)
  private var filled: UInt128 = 0

  deinit {
    removeAll()
    texts.deallocate()
  }

  var isEmpty: Bool { filled == 0 }

  subscript(slot: Slot) -> String? { isFilled(slot) ? texts[slot.rawValue] : nil }

  func offer(_ text: consuming String?, to slot: Slot) {
    guard !isFilled(slot), let text else { return }
    (texts + slot.rawValue).initialize(to: text)
    filled |= bit(slot)
  }

  /// The first of these that has a text.
  func first(_ slots: Slot...) -> String? {
    for slot in slots where isFilled(slot) { return texts[slot.rawValue] }
    return nil
  }

  func removeAll() {
    while filled != 0 {
      (texts + filled.trailingZeroBitCount).deinitialize(count: 1)
      filled &= filled &- 1
    }
  }

  private func isFilled(_ slot: Slot) -> Bool { filled & bit(slot) != 0 }
  private func bit(_ slot: Slot) -> UInt128 { 1 &<< UInt128(slot.rawValue) }
}
