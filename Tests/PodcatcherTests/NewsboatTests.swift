import Testing

@testable import Podcatcher

@Suite struct NewsboatTests {
  @Test(arguments: [
    ("https://e.org/feed", "https://e.org/feed"), ("filter:~/bin/clean.sh:https://e.org/feed", "https://e.org/feed"),
    ("exec:~/bin/make-feed.sh", nil), ("query:Unread:unread = \"yes\"", nil), ("#https://e.org/feed", nil),
  ])
  func `a line names a feed by its address, also behind a filter`(word: String, address: String?) {
    #expect(NewsboatURLs.address(word) == address)
  }
}
