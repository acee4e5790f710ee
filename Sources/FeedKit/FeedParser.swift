package import PodcastModel

/// Reads a feed as its bytes arrive: RSS of any age, RDF or Atom, in any encoding, and lenient about all of it.
///
/// Feed it from one place at a time: it has no lock and is not `Sendable`. An asynchronous reader makes it inside the
/// task (or actor) that receives the chunks and calls `parse` between two `await`s; no call ever waits for anything.
/// Where the cuts between chunks are makes no difference to the result.
package final class FeedParser {
  private let builder: FeedBuilder
  private let limits: FeedLimits
  private let warnings: Warnings
  private var parser: XMLPushParser
  private var failure: FeedError?

  /// - Parameters:
  ///   - baseURL: where the document was fetched from; relative addresses are resolved against it.
  ///   - charset: what the HTTP header says of the encoding.
  ///   - onEpisode: takes the episodes one by one as they close; the finished feed then has none.
  package init(
    baseURL: String? = nil, charset: String? = nil, limits: FeedLimits = .standard,
    onEpisode: ((FeedEpisode) -> Void)? = nil
  ) throws(FeedError) {
    self.limits = limits
    warnings = Warnings(limit: limits.warnings)
    builder = FeedBuilder(baseURL: baseURL, limits: limits, warnings: warnings, onEpisode: onEpisode)
    parser = try XMLPushParser(handler: builder)
  }

  /// Takes the next bytes. Throws as soon as the document is certainly no feed, or passes a limit; then it is over.
  package func parse(_ bytes: UnsafeRawBufferPointer) throws(FeedError) {
    guard !builder.isDone else { return try check() }
    _ = parser.parse(bytes, isLast: false)
    try check()
  }

  /// Ends the document. What was complete before a cut is kept; `Feed.isIncomplete` tells of the cut.
  package func finish() throws(FeedError) -> Feed {
    if !builder.isDone { _ = parser.parse(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true) }
    try check()
    guard builder.hasRoot else { throw FeedError(.notAFeed, "this is not a podcast feed") }
    var feed = builder.finished()
    feed.warnings = warnings.summary
    return feed
  }

  private func check() throws(FeedError) {
    if let failure = builder.failure { throw failure }
    if builder.foreignRoot != nil { throw FeedError(.notAFeed, "this is not a podcast feed") }
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
