import Glibc

/// A podcast feed of any length, like those of large publishers: a third of the notes are escaped, the others CDATA. Two
/// feeds of different numbers have no text in common.
enum GeneratedFeed {
  /// Writes it to standard output, for comparing with other programs.
  static func write(_ arguments: [String]) {
    let feed = bytes(episodes: arguments.first.flatMap { Int($0) } ?? 300)
    var written = 0
    while written < feed.count {
      let count = feed[written...].withUnsafeBytes { Glibc.write(1, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      written += count
    }
  }

  static func bytes(episodes: Int, feed: Int = 1) -> [UInt8] {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" \
      xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:atom="http://www.w3.org/2005/Atom" \
      xmlns:podcast="https://podcastindex.org/namespace/1.0">
      <channel><title>A Long Podcast \(feed)</title><link>https://example.org/</link><language>en</language>
      <description>Everything there is to say.</description><itunes:author>Somebody</itunes:author>
      <atom:link href="https://example.org/feed.xml" rel="self" type="application/rss+xml"/>
      <itunes:image href="https://example.org/cover.jpg"/><itunes:category text="Technology"/>

      """
    for number in (1...episodes).reversed() { text += item(number, of: feed) }
    return Array((text + "</channel></rss>\n").utf8)
  }

  private static func item(_ number: Int, of feed: Int) -> String {
    let paragraphs = (0..<12).map { part in
      "<p>Part \(part) of episode \(number) in \(feed): what was said, by whom, and why it matters – with <a href=\"https://example.org/"
        + "\(number)/\(part)?ref=notes&amp;n=\(part)\">a link</a> to read more about it afterwards.</p>\n"
    }.joined()
    let notes = number.isMultiple(of: 3) ? escaped(paragraphs) : "<![CDATA[\(paragraphs)]]>"
    return """
      <item>
      <title>Episode \(number): Questions &amp; Answers</title>
      <link>https://example.org/episodes/\(number)</link>
      <guid isPermaLink="false">https://example.org/\(feed)/guid/\(number)</guid>
      <pubDate>Mon, 0\(number % 9 + 1) Jan 2024 10:\(number % 50 + 10):00 +0000</pubDate>
      <description>A conversation about number \(number), with many guests &amp; much laughter.</description>
      <content:encoded>\(notes)</content:encoded>
      <enclosure url="https://media.example.org/\(number).mp3?source=feed&amp;id=\(number)" length="\(number * 9973)" type="audio/mpeg"/>
      <itunes:title>Questions</itunes:title><itunes:duration>1:0\(number % 10):15</itunes:duration>
      <itunes:episode>\(number)</itunes:episode><itunes:season>\(number / 100 + 1)</itunes:season>
      <itunes:episodeType>full</itunes:episodeType><itunes:explicit>false</itunes:explicit>
      <itunes:image href="https://example.org/images/\(number).jpg"/>
      <itunes:summary>\(String(repeating: "A summary of what can be heard. ", count: 20))</itunes:summary>
      <podcast:transcript url="https://example.org/\(number).vtt" type="text/vtt"/>
      <podcast:chapters url="https://example.org/\(number).json" type="application/json+chapters"/>
      <podcast:person role="guest" img="https://example.org/p.jpg">Somebody Else</podcast:person>
      </item>

      """
  }

  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "&": escaped += "&amp;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
  }
}
