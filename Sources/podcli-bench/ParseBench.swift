import CXML2
import FeedKit
import Glibc
import PodcastModel

/// FeedKit against libxml2 doing nothing with the same document, what other readers need for it, and feeds made to hurt.
enum ParseBench {
  static func run(_ arguments: [String]) throws {
    let rounds = arguments.first.flatMap { Int($0) } ?? Effort.rounds(7)
    for episodes in Effort.size([300, 5000], brief: [20]) {
      let feed = GeneratedFeed.bytes(episodes: episodes)
      Report.title("reading a feed of \(episodes) episodes, \(feed.count) bytes")
      let empty = inTurns(rounds, feed)
      try ParsePeers.run(feed, over: empty)
    }
    let place = try Workplace()
    defer { place.remove() }
    try EndlessFeeds.run(place)
  }

  /// Returns what the first of them takes, which the others are set beside.
  private static func inTurns(_ rounds: Int, _ feed: [UInt8]) -> Double {
    let readers: [(name: String, read: ([UInt8]) -> Void)] = [
      ("libxml2 SAX2, doing nothing", EmptyLoop.parse), ("FeedKit, everything kept", keepEverything),
      ("FeedKit, episodes handed on", handOn),
    ]
    var times = readers.map { _ in [Double]() }
    for _ in 0..<rounds {
      for (index, reader) in readers.enumerated() {
        times[index].append(Measured.processorTime { reader.read(feed) })
      }
    }
    let medians = times.map { $0.sorted()[$0.count / 2] }
    for (reader, time) in zip(readers, medians) { report(reader.name, time, over: medians[0]) }
    return medians[0]
  }

  static func report(_ name: String, _ time: Double, over baseline: Double) {
    let nothing = Figure.Peer(name: "libxml2 doing nothing", values: [.processor: baseline])
    var figure = Figure(name, [.processor: time], beside: time == baseline ? nil : nothing)
    figure.isHeadline = time != baseline
    Report.tell(figure)
  }

  static let chunk = 16 << 10

  static func keepEverything(_ feed: [UInt8]) {
    let episodes = parse(feed, onEpisode: nil)?.episodes.count ?? 0
    precondition(episodes > 0)
  }

  private static func handOn(_ feed: [UInt8]) {
    var count = 0
    _ = parse(feed) { _ in count += 1 }
    precondition(count > 0)
  }

  private static func parse(_ feed: [UInt8], onEpisode: ((FeedEpisode) -> Void)?) -> Feed? {
    do throws(FeedError) {
      let parser = try FeedParser(baseURL: "https://example.org/feed.xml", onEpisode: onEpisode)
      var start = 0
      while start < feed.count {
        let piece = feed[start..<min(start + chunk, feed.count)]
        let outcome: FeedError? = piece.withUnsafeBytes { bytes in
          do throws(FeedError) { try parser.parse(bytes) } catch { return error }
          return nil
        }
        if let outcome { throw outcome }
        start += chunk
      }
      return try parser.finish()
    } catch {
      print("failed: \(error)")
      return nil
    }
  }
}

/// The baseline: callbacks that only count, so that none is optimised away.
enum EmptyLoop {
  nonisolated(unsafe) private static var library: podcli_xml = {
    var library = podcli_xml()
    if let problem = podcli_xml_load(&library) { fatalError(String(cString: problem)) }
    library.xmlInitParser()
    return library
  }()

  nonisolated(unsafe) private static var events = 0

  static func parse(_ feed: [UInt8]) {
    var sax = xmlSAXHandler()
    sax.initialized = UInt32(truncatingIfNeeded: XML_SAX2_MAGIC)
    sax.startElementNs = { _, _, _, _, _, _, _, _, _ in EmptyLoop.events += 1 }
    sax.endElementNs = { _, _, _, _ in EmptyLoop.events += 1 }
    sax.characters = { _, _, _ in EmptyLoop.events += 1 }
    sax.cdataBlock = sax.characters
    guard let context = library.xmlCreatePushParserCtxt(&sax, nil, nil, 0, nil) else { return }
    defer { library.xmlFreeParserCtxt(context) }
    feed.withUnsafeBytes { bytes in
      let text = bytes.assumingMemoryBound(to: CChar.self)
      var start = 0
      while start < text.count {
        let count = min(ParseBench.chunk, text.count - start)
        _ = library.xmlParseChunk(context, text.baseAddress! + start, Int32(count), 0)
        start += count
      }
      _ = library.xmlParseChunk(context, nil, 0, 1)
    }
  }
}

/// A podcast feed such as a large publisher serves, of any length.
enum GeneratedFeed {
  /// To standard output, for comparing with other programs.
  static func write(_ arguments: [String]) {
    let feed = bytes(episodes: arguments.first.flatMap { Int($0) } ?? 300)
    var written = 0
    while written < feed.count {
      let count = feed[written...].withUnsafeBytes { Glibc.write(1, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      written += count
    }
  }

  static func bytes(episodes: Int) -> [UInt8] {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" \
      xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:atom="http://www.w3.org/2005/Atom" \
      xmlns:podcast="https://podcastindex.org/namespace/1.0">
      <channel><title>A Long Podcast</title><link>https://example.org/</link><language>en</language>
      <description>Everything there is to say.</description><itunes:author>Somebody</itunes:author>
      <atom:link href="https://example.org/feed.xml" rel="self" type="application/rss+xml"/>
      <itunes:image href="https://example.org/cover.jpg"/><itunes:category text="Technology"/>

      """
    for number in (1...episodes).reversed() { text += item(number) }
    return Array((text + "</channel></rss>\n").utf8)
  }

  private static func item(_ number: Int) -> String {
    let paragraphs = (0..<12).map { part in
      "<p>Part \(part) of episode \(number): what was said, by whom, and why it matters – with <a href=\"https://example.org/"
        + "\(number)/\(part)?ref=notes&amp;n=\(part)\">a link</a> to read more about it afterwards.</p>\n"
    }.joined()
    return """
      <item>
      <title>Episode \(number): Questions &amp; Answers</title>
      <link>https://example.org/episodes/\(number)</link>
      <guid isPermaLink="false">https://example.org/guid/\(number)</guid>
      <pubDate>Mon, 0\(number % 9 + 1) Jan 2024 10:\(number % 50 + 10):00 +0000</pubDate>
      <description>A conversation about number \(number), with many guests &amp; much laughter.</description>
      <content:encoded><![CDATA[\(paragraphs)]]></content:encoded>
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
}
