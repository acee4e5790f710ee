import FeedKit
import PodcastModel
import Testing

@Suite struct FirstFeedTests {
  @Test func `a small feed is read`() throws {
    let text = """
      <?xml version="1.0"?><rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel>
      <title>Q&amp;A</title><itunes:image href="/a.png?x=1&amp;y=2"/>
      <item><title>One</title><enclosure url="1.mp3" type="audio/mpeg" length="12"/>
      <pubDate>Mon, 01 Jan 2024 10:00:00 +0000</pubDate><itunes:duration>1:02:03</itunes:duration></item>
      </channel></rss>
      """
    let feed = try FeedParser.feed(from: Array(text.utf8), baseURL: "https://example.org/feed/")
    #expect(feed.title == "Q&A")
    #expect(feed.image == "https://example.org/a.png?x=1&y=2")
    #expect(feed.episodes.count == 1)
    #expect(feed.episodes.first?.publishedAt?.description == "2024-01-01T10:00:00Z")
    #expect(feed.episodes.first?.duration == 3723)
    #expect(feed.episodes.first?.enclosure?.url == "https://example.org/feed/1.mp3")
  }
}
