import PodcastModel
import Testing

@testable import Podcatcher

@Suite struct FeedAddressTests {
  @Test func `an address that the publisher announces counts unless it gives up encryption`() {
    var feed = Feed()
    feed.newFeedURL = "http://example.org/b"
    let plain = "http://example.org/a"
    #expect(FetchedFeed(feed: feed, address: plain, finalAddress: plain).newAddress == feed.newFeedURL)
    #expect(FetchedFeed(feed: feed, address: plain, finalAddress: "https://example.org/a").newAddress == nil)
    feed.newFeedURL = "https://example.org/b"
    #expect(
      FetchedFeed(feed: feed, address: plain, finalAddress: "https://example.org/a").newAddress == feed.newFeedURL)
  }

  private func address(_ text: String) -> FeedAddress? {
    FeedAddress(text) { $0.hasPrefix("/") || $0.hasPrefix("./") ? "/there/feed.xml" : nil }
  }

  @Test(arguments: [
    ("https://example.org/feed", "https://example.org/feed"), ("HTTP://example.org/feed", "http://example.org/feed"),
    ("  https://example.org/feed\n", "https://example.org/feed"), ("example.org", "https://example.org"),
    ("example.org:8080/feed", "https://example.org:8080/feed"), ("localhost:80/x", "https://localhost:80/x"),
    ("feed://http://example.org/rss", "http://example.org/rss"),
    ("feed://example.org/rss", "http://example.org/rss"), ("feed:https://example.org/rss", "https://example.org/rss"),
    ("pcast://example.org/rss", "http://example.org/rss"), ("podcast://example.org/rss", "http://example.org/rss"),
    ("itpc://example.org/rss", "http://example.org/rss"),
  ])
  func `reads pasted addresses`(text: String, url: String) {
    #expect(address(text) == .web(url))
  }

  @Test func `a path is a file`() {
    #expect(address("./feed.xml") == .file("/there/feed.xml"))
  }

  @Test(arguments: ["", "word", "two words.example.org", "ftp://example.org/feed", "javascript:alert(1)", "feed:"])
  func `refuses the rest`(text: String) {
    #expect(address(text) == nil)
  }
}
