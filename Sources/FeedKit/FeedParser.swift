// FeedKit's front door: feeds and the documents beside them, from bytes to values. It opens no connections and no
// files but those of time zones and a nameless one for the texts of a long feed, and libxml2 is used in the folder XML only.
//
// Feeds           FeedParser           a feed as its bytes arrive, or a whole document at once
//                 FeedLimits           the memory, sizes and counts that a document may reach
//                 FeedError            why a document is no feed, or was refused
// Side documents  OPML                 lists of subscriptions, read and written
//                 OvercastOPML         Overcast's lists, with episodes
//                 ChapterFile          JSON chapters and Podlove simple chapters
//                 NotesChapters        chapters from times in show notes
//                 Transcript           WebVTT, SubRip, JSON, HTML and plain text
// Values          DateText             dates in every format that feeds use
//                 DurationText         durations: `1:02:03`, `3723`, `1h 2m`, `PT1H2M`
//
// The way of the bytes: Encoding (to UTF-8) · Repair (to well-formed XML) · XML (libxml2's events) · Build (to a `Feed`).
// A JSON Feed goes from Encoding through JSONFeed to Build.
// Elements has the table of the elements and the text or part that each of them brings; Values reads dates, durations,
// numbers, names and tokens; Bytes and Errors are below all of them.

package import PodcastModel

/// Reads a feed as its bytes arrive: RSS of any age, RDF, Atom or JSON Feed, in any encoding, leniently.
///
/// It has no lock and is not `Sendable`. An asynchronous reader makes it inside the task or actor that receives the
/// chunks, and calls `parse` between two `await`s; no call blocks. The chunk size makes no difference to the result.
package final class FeedParser {
  private let builder: FeedBuilder
  private let reader: DocumentReader
  private let jsonReader: JSONFeedReader
  private var format = FormatGuess()
  /// The bytes read before the root element of a feed.
  private var bytesBefore = 0
  private let warnings: Warnings
  private let limits: FeedLimits
  private let baseURL: String?

  /// - Parameters:
  ///   - baseURL: the URL of the document; relative URLs are resolved against it.
  ///   - charset: the encoding in the HTTP header.
  ///   - limits: the limits of the document.
  package init(
    baseURL: String? = nil, charset: String? = nil, limits: FeedLimits = .standard
  ) throws(FeedError) {
    self.baseURL = baseURL
    self.limits = limits
    warnings = Warnings(limit: limits.warnings)
    builder = FeedBuilder(baseURL: baseURL, limits: limits, warnings: warnings)
    reader = try DocumentReader(handler: builder, kinds: .feed, charset: charset, limits: limits, warnings: warnings)
    jsonReader = JSONFeedReader(builder: builder, limits: limits, warnings: warnings)
  }

  /// The document passed a limit behind some episodes, which are kept: the rest of it makes no difference.
  package var isCut: Bool { failure?.code == .limit && builder.episodeCount > 0 }

  /// Parses the next chunk. Throws as soon as the document is certainly no feed, or passes a limit before its first
  /// episode; then it is over.
  package func parse(_ bytes: UnsafeRawBufferPointer) throws(FeedError) {
    guard !isCut else { return }
    if format.isOpen, let start = format.decide(by: bytes) { start.withUnsafeBytes(read) }
    if !format.isOpen { read(bytes) }
    try check()
    guard !builder.hasFeed, !(format.isJSON && jsonReader.hasContent) else { return }
    bytesBefore += bytes.count
    if bytesBefore > limits.bytesBeforeFeed { throw noFeed }
  }

  private func read(_ bytes: UnsafeRawBufferPointer) {
    guard !bytes.isEmpty else { return }
    if format.isJSON { jsonReader.take(bytes) } else { reader.take(bytes) }
  }

  /// The episodes that are complete and were not taken before: `finish` returns only the others. None of JSON, which may
  /// turn out to be no feed behind them.
  package func takeEpisodes() -> [FeedEpisode] { builder.hasFeed && !format.isJSON ? builder.takeEpisodes() : [] }

  /// Ends the document. Of a truncated one the complete episodes are kept, and `Feed.isIncomplete` is true.
  package func finish() throws(FeedError) -> Feed {
    format.takeEnd().withUnsafeBytes(read)
    if format.isJSON { jsonReader.finish() } else { reader.finish() }
    try check()
    guard builder.hasFeed else { throw noFeed }
    var feed = builder.finished()
    if feed.isIncomplete {
      let end = format.isJSON ? "object" : "root element"
      warnings.add(failure?.message ?? "the document ends before its \(end) does")
    }
    feed.warnings = (format.isJSON ? [] : reader.encodingWarnings) + warnings.summary
    return feed
  }

  private var failure: FeedError? { reader.failure ?? jsonReader.failure ?? builder.failure }

  private func check() throws(FeedError) {
    if let failure, !isCut { throw failure }
    if format.isJSON ? jsonReader.isNoFeed : reader.page.isForeign { throw noFeed }
  }

  private var noFeed: FeedError {
    format.isJSON
      ? FeedError(.notAFeed, "this is JSON") : reader.page.error(baseURL: baseURL)
  }
}

extension FeedParser {
  /// Parses a whole document at once.
  package static func feed(
    from bytes: [UInt8], baseURL: String? = nil, charset: String? = nil, limits: FeedLimits = .standard
  ) throws(FeedError) -> Feed {
    let parser = try FeedParser(baseURL: baseURL, charset: charset, limits: limits)
    let outcome: Result<Void, FeedError> = bytes.withUnsafeBytes { bytes in
      do throws(FeedError) { return .success(try parser.parse(bytes)) } catch { return .failure(error) }
    }
    try outcome.get()
    return try parser.finish()
  }
}
