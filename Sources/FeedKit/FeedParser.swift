package import PodcastModel

/// Reads a feed as its bytes arrive: RSS of any age, RDF or Atom, in any encoding, and lenient about all of it.
///
/// Feed it from one place at a time: it has no lock and is not `Sendable`. An asynchronous reader makes it inside the
/// task (or actor) that receives the chunks and calls `parse` between two `await`s; no call ever waits for anything.
/// Where the cuts between chunks are makes no difference to the result.
package final class FeedParser {
  private let builder: FeedBuilder
  private let reader: DocumentReader
  /// Taken while there was no sign of a feed.
  private var bytesBefore = 0
  private let warnings: Warnings
  private let limits: FeedLimits
  private let baseURL: String?

  /// - Parameters:
  ///   - baseURL: where the document was fetched from; relative addresses are resolved against it.
  ///   - charset: what the HTTP header says of the encoding.
  ///   - limits: what a document may ask for.
  ///   - onEpisode: takes the episodes one by one as they close; the finished feed then has none.
  package init(
    baseURL: String? = nil, charset: String? = nil, limits: FeedLimits = .standard,
    onEpisode: ((FeedEpisode) -> Void)? = nil
  ) throws(FeedError) {
    self.baseURL = baseURL
    self.limits = limits
    warnings = Warnings(limit: limits.warnings)
    builder = FeedBuilder(baseURL: baseURL, limits: limits, warnings: warnings, onEpisode: onEpisode)
    reader = try DocumentReader(handler: builder, kinds: .feed, charset: charset, limits: limits, warnings: warnings)
  }

  /// Takes the next bytes. Throws as soon as the document is certainly no feed, or passes a limit; then it is over.
  package func parse(_ bytes: UnsafeRawBufferPointer) throws(FeedError) {
    reader.take(bytes)
    try check()
    guard !builder.hasFeed else { return }
    bytesBefore += bytes.count
    if bytesBefore > limits.bytesBeforeFeed { throw reader.page.error(baseURL: baseURL) }
  }

  /// Ends the document. What was complete before a cut is kept; `Feed.isIncomplete` tells of the cut.
  package func finish() throws(FeedError) -> Feed {
    reader.finish()
    try check()
    guard builder.hasFeed else { throw reader.page.error(baseURL: baseURL) }
    var feed = builder.finished()
    if feed.isIncomplete { warnings.add("the document ends before its root element does") }
    feed.warnings = reader.encodingWarnings + warnings.summary
    return feed
  }

  private func check() throws(FeedError) {
    if let failure = reader.failure ?? builder.failure { throw failure }
    if reader.page.isForeign { throw reader.page.error(baseURL: baseURL) }
  }
}

extension FeedParser {
  /// A whole document at once.
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
