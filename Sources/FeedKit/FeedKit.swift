package import PodcastModel
package struct FeedError: Error, Hashable, Sendable {
  package enum Code: String, Sendable { case notAFeed, limit, encoding, libraryMissing, parser }
  package var code: Code
  package var message: String
  package var libraryCode: Int?
  package var feedLinks: [String] = []
}
package final class FeedParser {
  package init(baseURL: String?, charset: String?) throws(FeedError) {}
  package func parse(_ bytes: UnsafeRawBufferPointer) throws(FeedError) {}
  package func finish() throws(FeedError) -> Feed { Feed() }
}
