/// A small, well-formed podcast feed with one episode per day; episode 1 is the oldest, and the newest comes first.
package struct SampleFeed: Sendable {
  package var title: String
  package var episodes: Int
  /// The base URL of the enclosures: `mediaBase/1.wav` and so on.
  package var mediaBase: String
  package var mediaEnding: String
  package var mediaType: String
  package var mediaLength: Int
  package var seconds: Int
  /// Additional XML inside the channel, and inside the item of the given number.
  package var channelExtra = ""
  package var itemExtra: [Int: String] = [:]

  package init(
    title: String = "Sample Show", episodes: Int = 3, mediaBase: String = "http://127.0.0.1:9",
    mediaEnding: String = "wav", mediaType: String = "audio/wav", mediaLength: Int = 0, seconds: Int = 2
  ) {
    self.title = title
    self.episodes = episodes
    self.mediaBase = mediaBase
    self.mediaEnding = mediaEnding
    self.mediaType = mediaType
    self.mediaLength = mediaLength
    self.seconds = seconds
  }

  package var bytes: [UInt8] { Array(xml.utf8) }

  package var xml: String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd">
    <channel>
    <title>\(title)</title>
    <link>\(mediaBase)/</link>
    <description>Made for a test.</description>
    <language>en</language>
    \(channelExtra)
    \((0..<episodes).reversed().map { item($0 + 1) }.joined(separator: "\n"))
    </channel>
    </rss>

    """
  }

  private func item(_ number: Int) -> String {
    """
    <item>
    <title>Episode \(number)</title>
    <guid isPermaLink="false">\(title.filter(\.isLetter).lowercased())-\(number)</guid>
    <pubDate>\(date(number))</pubDate>
    <itunes:duration>\(seconds)</itunes:duration>
    <itunes:episode>\(number)</itunes:episode>
    <description>About episode \(number).</description>
    <enclosure url="\(mediaBase)/\(number).\(mediaEnding)" type="\(mediaType)" length="\(mediaLength)"/>
    \(itemExtra[number] ?? "")
    </item>
    """
  }
}

/// Noon of the given day of 2024, which began on a Monday; after the year's end its days repeat.
private func date(_ number: Int) -> String {
  let months = [
    ("Jan", 31), ("Feb", 29), ("Mar", 31), ("Apr", 30), ("May", 31), ("Jun", 30), ("Jul", 31), ("Aug", 31),
    ("Sep", 30), ("Oct", 31), ("Nov", 30), ("Dec", 31),
  ]
  let dayOfYear = (number - 1) % 366
  var day = dayOfYear
  var month = 0
  while day >= months[month].1 {
    day -= months[month].1
    month += 1
  }
  let weekday = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][dayOfYear % 7]
  return "\(weekday), \(day < 9 ? "0" : "")\(day + 1) \(months[month].0) 2024 12:00:00 GMT"
}
