/// A place for one element's text while its feed or episode is read. What fills which field of the result,
/// and in which order of preference, is decided once, when the episode or the feed is complete.
enum Slot: Int, CaseIterable {
  case title, atomTitle, itunesTitle, dcTitle, mediaTitle
  case link, atomLink, guid, atomID
  case description, atomSummary, itunesSummary, googleplayDescription, mediaDescription, dcDescription
  case content, subtitle, atomSubtitle
  case author, atomAuthor, atomAuthorEmail, itunesAuthor, googleplayAuthor, dcCreator, managingEditor
  case ownerName, ownerEmail, googleplayOwner, googleplayEmail
  case itunesImage, image, podcastImage, googleplayImage, logo, icon, thumbnail, enclosedPicture
  case language, copyright, dcRights, generator
  case explicit, googleplayExplicit, type, block, podcastBlock, complete, newFeedURL
  case selfURL, nextPageURL
  case pubDate, dcDate, published, issued, created, updated, lastBuildDate
  case podcastGUID, medium, locked, timeToLive, updatePeriod, updateFrequency, updateRule
  case duration, mediaDuration, season, seasonName, itunesSeason, episode, episodeDisplay, itunesEpisode, episodeType
  case licenseURL, permalink
  /// Of the chosen one.
  case enclosureURL, enclosureType
}

/// The slots of one feed or episode. The first text that an element brings stays.
///
/// All texts are in one piece of memory, which is used again for the next episode.
final class Slots {
  private var texts = TextBuffer(capacity: 4 << 10)
  /// Where in it: there is a place where `filled` has a bit, and nothing elsewhere.
  private let ranges = UnsafeMutablePointer<Range<UInt32>>.allocate(capacity: Slot.allCases.count)
  private var filled: UInt128 = 0

  deinit { ranges.deallocate() }

  var isEmpty: Bool { filled == 0 }

  subscript(slot: Slot) -> String? { bytes(of: slot).map(Bytes.string) }

  /// There until the next change.
  func bytes(of slot: Slot) -> UnsafeBufferPointer<UInt8>? { place(of: slot).map(bytes) }

  func place(of slot: Slot) -> Range<UInt32>? { isFilled(slot) ? ranges[slot.rawValue] : nil }

  private func bytes(at place: Range<UInt32>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: all[Int(place.lowerBound)..<Int(place.upperBound)])
  }

  /// What all ranges are ranges in.
  var all: UnsafeBufferPointer<UInt8> { texts.bytes }

  func offer(_ text: UnsafeBufferPointer<UInt8>?, to slot: Slot) {
    guard !isFilled(slot), let text else { return }
    put(text, in: slot)
  }

  func offer(_ text: consuming String?, to slot: Slot) {
    guard !isFilled(slot), let text else { return }
    put(text, in: slot)
  }

  /// Instead of what was there.
  func put(_ text: consuming String, in slot: Slot) { text.withUTF8 { put($0, in: slot) } }

  private func put(_ text: UnsafeBufferPointer<UInt8>, in slot: Slot) {
    let start = UInt32(texts.count)
    texts.append(text)
    (ranges + slot.rawValue).initialize(to: start..<UInt32(texts.count))
    filled |= bit(slot)
  }

  /// The first of these that has a text.
  func first(_ slots: Slot...) -> String? { place(first: slots).map { Bytes.string(bytes(at: $0)) } }

  func place(ofFirst slots: Slot...) -> Range<UInt32>? { place(first: slots) }

  private func place(first slots: [Slot]) -> Range<UInt32>? {
    for slot in slots where isFilled(slot) { return ranges[slot.rawValue] }
    return nil
  }

  func removeAll() {
    texts.removeAll()
    filled = 0
  }

  private func isFilled(_ slot: Slot) -> Bool { filled & bit(slot) != 0 }
  private func bit(_ slot: Slot) -> UInt128 { 1 &<< UInt128(slot.rawValue) }
}
