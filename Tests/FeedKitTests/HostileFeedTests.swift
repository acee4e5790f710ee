import FeedKit
import PodcastModel
import Testing

/// Hostile input: it ends in an error that names the limit, or in the feed that could be read.
@Suite struct HostileFeedTests {
  private func feed(_ inside: String) -> [UInt8] {
    Array("<?xml version=\"1.0\"?><rss><channel><title>T</title>\(inside)</channel></rss>".utf8)
  }

  @Test func `entities that would multiply are not expanded`() throws {
    let bomb = """
      <?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "aaaaaaaaaa">\((1...9).map { "<!ENTITY e\($0) \"&e\($0 - 1);&e\($0 - 1);\">" }.joined())]>
      <rss><channel><title>&e9;</title></channel></rss>
      """
    let feed = try FeedParser.feed(from: Array(bomb.utf8), chunk: 100)
    #expect(feed.title == "&e9;")
  }

  @Test func `X1: entities that would multiply stay names, nested or repeated`() throws {
    let laughs = (1...9).map { n in "<!ENTITY l\(n) \"\(String(repeating: "&l\(n - 1);", count: 10))\">" }.joined()
    let big = "<!ENTITY big \"\(String(repeating: "x", count: 4000))\">"
    let text = String(repeating: "&big;", count: 10_000)
    let document = """
      <!DOCTYPE rss [<!ENTITY l0 "lol">\(laughs)\(big)]>
      <rss><channel a='\(text)'><title>&l9;&l1;</title><description>\(text)</description></channel></rss>
      """
    let feed = try FeedParser.feed(from: Array(document.utf8), chunk: 1000)
    #expect(feed.title == "&l9;" + String(repeating: "lol", count: 10))
    #expect((feed.description?.utf8.count ?? 0) <= (1 << 20) + text.utf8.count)
  }

  @Test func `X1: of too long entities, and of too many, the names stay`() throws {
    let long = "<!ENTITY long \"\(String(repeating: "x", count: 5000))\">"
    let many = (1...1000).map { "<!ENTITY e\($0) \"text\">" }.joined()
    let document = """
      <!DOCTYPE rss [\(long)\(many)]><rss><channel><title>&long;&e999;&e1000;</title></channel></rss>
      """
    #expect(try FeedParser.feed(from: Array(document.utf8), chunk: 1000).title == "&long;text&e1000;")
  }

  @Test func `X1: the texts of entities have one limit, in tags that are repaired, too`() throws {
    let big = "<!ENTITY big \"\(String(repeating: "x", count: 4000))\">"
    let address = "http://example.org/" + String(repeating: "&big;", count: 50)
    let items = (1...8).map { "<item><guid>\($0)</guid><enclosure type=audio/mpeg url='\(address)'/></item>" }.joined()
    let document = "<!DOCTYPE rss [\(big)]><rss><channel><title>T</title>\(items)</channel></rss>"
    let addresses = try FeedParser.feed(from: Array(document.utf8), chunk: 4096).episodes.compactMap(\.enclosure?.url)
    #expect(addresses.count == 8 && addresses.reduce(0) { $0 + $1.utf8.count } < (1 << 20) + 10_000)
  }

  @Test func `a base URL that grows with each element stops at a limit`() throws {
    let name = String(repeating: "x", count: 5000)
    let bytes = feed(
      "<item xml:base='\(name)/'><guid>1</guid><enclosure url='a.mp3' xml:base='\(name)/'/></item>"
        + "<item xml:base='\(name)\(name)/'><guid>2</guid><link>end</link></item>")
    let episodes = try FeedParser.feed(from: bytes, chunk: 4096).episodes
    #expect(episodes.first?.enclosure?.url == "https://example.org/podcast/\(name)/a.mp3")
    #expect(episodes.last?.link == "https://example.org/podcast/end")
  }

  @Test func `short bases inside a long one have a limit together`() {
    let name = String(repeating: "x", count: 8000)
    let bytes = feed("<item xml:base='\(name)/'>\(String(repeating: "<a xml:base='b'/>", count: 3000))</item>")
    #expect(FeedParser.refusal(bytes)?.code == .limit)
  }

  @Test(arguments: [("<!--", "-->"), ("<description><![CDATA[", "]]></description>")])
  func `a comment or CDATA section that ends far behind an episode gives way to it`(open: String, close: String) throws
  {
    let filler = String(repeating: "words ", count: 200_000)
    let bytes = feed("\(open) <item><guid>1</guid></item> \(filler) \(close)<item><guid>2</guid></item>")
    for chunk in [1000, 300_000, bytes.count] {
      #expect(try FeedParser.feed(from: bytes, chunk: chunk).episodes.map(\.guid) == ["1", "2"])
    }
    let near = feed("\(open) <item><guid>1</guid></item> \(filler.prefix(900_000)) \(close)<item><guid>2</guid></item>")
    for chunk in [1000, 300_000, near.count] {
      #expect(try FeedParser.feed(from: near, chunk: chunk).episodes.map(\.guid) == ["2"])
    }
  }

  @Test func `external entities stay names`() throws {
    let document = """
      <!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY % p SYSTEM "http://127.0.0.1:1/x.dtd"> %p;]>
      <rss><channel><title>&x;</title></channel></rss>
      """
    #expect(try FeedParser.feed(from: Array(document.utf8), chunk: 100).title == "&x;")
  }

  @Test func `too deep nesting is refused with the limit`() {
    let error = FeedParser.refusal(feed(String(repeating: "<a>", count: 100_000)))
    #expect(error?.code == .limit)
    #expect(error?.message.contains("256") == true)
  }

  @Test func `an endless attribute is refused`() {
    let error = FeedParser.refusal(feed("<item a=\"" + String(repeating: "x", count: 1 << 20) + "\"></item>"))
    #expect(error?.code == .limit)
  }

  @Test(arguments: [1, 7, 4096, 1 << 20])
  func `of an endless document the episodes within the limit are kept`(chunk: Int) throws {
    var limits = FeedLimits()
    limits.documentBytes = 10_000
    let bytes = feed(String(repeating: "<item><guid>1</guid></item>", count: 1000))
    let parsed = try FeedParser.feed(from: bytes, chunk: chunk, limits: limits)
    let start = try #require(String(decoding: bytes, as: UTF8.self).split(separator: "<item>").first?.utf8.count)
    #expect(parsed.episodes.count == (10_000 - start) / 27)
    #expect(parsed.isIncomplete)
    #expect(parsed.warnings == ["the document is larger than 10000 bytes"])
  }

  @Test func `an endless document without episodes is refused`() {
    var limits = FeedLimits()
    limits.documentBytes = 10_000
    let error = FeedParser.refusal(feed(String(repeating: "<a>x</a>", count: 2000)), limits)
    #expect(error == FeedError(.limit, "the document is larger than 10000 bytes"))
  }

  @Test func `the size of a document counts as UTF-8`() {
    var limits = FeedLimits()
    limits.documentBytes = 10_000
    let start = "<?xml version='1.0' encoding='windows-1252'?><rss><channel><title>"
    let error = FeedParser.refusal(Array(start.utf8) + [UInt8](repeating: 0x80, count: 5000), limits)
    #expect(error == FeedError(.limit, "the document is larger than 10000 bytes"))
  }

  @Test func `a cut character before much ASCII leaves a feed labelled UTF-8 in UTF-8`() throws {
    let cut: [UInt8] = [0xE2, 0x80]
    let before = "<?xml version='1.0' encoding='UTF-8'?><rss><channel><title>One "
    let item = "<item><guid>1</guid><title>Über Öl</title></item></channel></rss>"
    let padding = String(repeating: "<link>https://example.org/a</link>", count: 400)
    let bytes = Array(before.utf8) + cut + Array("</title>\(padding)\(item)".utf8)
    let parsed = try FeedParser.feed(from: bytes)
    #expect(parsed.episodes.first?.title == "Über Öl")
    #expect(parsed.warnings == ["line 1: bytes that are not UTF-8"])
  }

  @Test(
    arguments: [
      ([0xE2, 0x80, 0x9C, 0x48, 0x69, 0xE2, 0x80, 0x9D, 0x20, 0x69, 0x74, 0x92, 0x73, 0x92], "“Hi” it’s’"),
      ([0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2], "Привет"),
    ] as [([UInt8], String)])
  func `a short feed labelled UTF-8 with bad bytes`(title: [UInt8], decoded: String) throws {
    let start = "<?xml version='1.0' encoding='UTF-8'?><rss><channel><title>"
    let end = "</title><item><guid>1</guid></item></channel></rss>"
    #expect(try FeedParser.feed(from: Array(start.utf8) + title + Array(end.utf8)).title == decoded)
  }

  @Test func `of too many episodes the first are kept`() throws {
    var limits = FeedLimits()
    limits.episodes = 10
    let items = (1...12).map { "<item><guid>\($0)</guid></item>" }.joined()
    let parsed = try FeedParser.feed(from: feed(items + "<title>Late</title>"), chunk: 1000, limits: limits)
    #expect(parsed.episodes.compactMap(\.guid) == (1...10).map(String.init))
    #expect(parsed.isIncomplete)
    #expect(parsed.warnings == ["more than 10 episodes"])
  }

  @Test func `episodes can be taken while a feed is read`() throws {
    let parser = try FeedParser()
    var taken: [FeedEpisode] = []
    for byte in feed((1...600).map { "<item><guid>\($0)</guid></item>" }.joined() + "<language>de</language>") {
      try withUnsafeBytes(of: byte) { byte throws(FeedError) in try parser.parse(byte) }
      taken += parser.takeEpisodes()
    }
    let rest = try parser.finish()
    #expect((taken + rest.episodes).compactMap(\.guid) == (1...600).map(String.init))
    #expect(rest.language == "de")
    #expect(taken.count > 500)
  }

  @Test(
    arguments: [
      "<item><title>x</title></item>", "<podcast:person>x</podcast:person>", "<skipDays><day>x</day></skipDays>",
      "<item><enclosure url='a'/></item>", "<item><itunes:category text='a'/></item>",
      "<podcast:liveItem><title>x</title></podcast:liveItem>", "<item><podcast:transcript url='a'/></item>",
      "<item xml:base='https://example.org/far/from/here/'><link>a</link><link>b</link><link>c</link></item>",
    ])
  func `elements that take many times their size are refused behind the limit`(pattern: String) throws {
    var limits = FeedLimits()
    limits.valueBytes = 10_000
    let bytes = feed(String(repeating: pattern, count: 1000))
    let message = "what is kept besides its texts takes more than 10000 bytes"
    if pattern.contains("<item") {
      let parsed = try FeedParser.feed(from: bytes, chunk: 16 << 10, limits: limits)
      #expect(parsed.isIncomplete && parsed.episodes.count < 200 && parsed.warnings.contains(message))
    } else {
      #expect(FeedParser.refusal(bytes, limits) == FeedError(.limit, message))
    }
  }

  @Test func `a feed with long texts is read whole`() throws {
    var limits = FeedLimits()
    limits.valueBytes = 500_000
    let notes = String(repeating: "Words about it. ", count: 50)
    let items = (0..<2000).map { "<item><guid>\($0)</guid><description>\(notes)</description></item>" }.joined()
    let parsed = try FeedParser.feed(from: feed(items), chunk: 16 << 10, limits: limits)
    #expect(parsed.episodes.map(\.guid) == (0..<2000).map { "\($0)" })
  }

  @Test func `a repeated keyword or category is kept once`() throws {
    let words = String(repeating: "again,", count: 10_000)
    let again = String(repeating: "<category>again</category>", count: 10_000)
    let parsed = try FeedParser.feed(
      from: feed("<item><itunes:keywords>\(words)</itunes:keywords>\(again)</item>"), chunk: 16 << 10)
    #expect(parsed.episodes.first?.keywords == ["again"])
    #expect(parsed.episodes.first?.categories == ["again"])
  }

  @Test func `too many names are refused`() {
    var limits = FeedLimits()
    limits.names = 500
    let error = FeedParser.refusal(feed((0..<9000).map { "<n\($0)/>" }.joined()), limits)
    #expect(error?.code == .limit)
  }

  @Test func `long text is cut with a warning`() throws {
    var limits = FeedLimits()
    limits.textBytes = 1000
    let bytes = feed("<description>" + String(repeating: "y", count: 5000) + "</description>")
    let parsed = try FeedParser.feed(from: bytes, chunk: 512, limits: limits)
    #expect(parsed.description?.utf8.count == 1000)
    #expect(parsed.warnings.contains { $0.contains("1000 bytes") })
  }

  @Test func `an episode of many long texts is cut with a warning`() throws {
    var limits = FeedLimits()
    limits.episodeTextBytes = 1500
    let text = String(repeating: "y", count: 1000)
    let item =
      "<item><title>T</title><description>\(text)</description><content:encoded>\(text)x</content:encoded></item>"
    let parsed = try FeedParser.feed(from: feed(item + item), chunk: 512, limits: limits)
    #expect(parsed.episodes.map { $0.description?.utf8.count } == [1000, 1000])
    #expect(parsed.episodes.map { $0.content?.utf8.count } == [499, 499])
    #expect(parsed.warnings.contains { $0.contains("499 bytes") })
  }

  @Test func `a thousand attributes are cut, not compared with each other`() throws {
    let attributes = (0..<5000).map { " a\($0)='1'" }.joined()
    let parsed = try FeedParser.feed(from: feed("<item\(attributes)><guid>1</guid></item>"), chunk: 999)
    #expect(parsed.episodes.count == 1)
  }

  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      "<a b=\"", "&", "]]", "<![CDATA[", "<!--", "<", "</a>", "<p>", "<title>", "<item>", "\u{0}", "&#xD83D;",
      "<a b='>",
      "<!--<item>", "<item><![CDATA[<item>", "<!-- --", "<item><![CDATA[<it", "<description><b xmlns='x' ",
      "<a b=c", "<?x", "<!DOCTYPE ", "&amp", "<description><b c=\"<",
    ])
  func `a pattern repeated without end is read to its end, and does not hang`(pattern: String) {
    let bytes = feed(String(repeating: pattern, count: 200_000 / pattern.utf8.count))
    // A feed and an error are both fine.
    _ = try? FeedParser.feed(from: bytes, chunk: bytes.count)
    _ = try? FeedParser.feed(from: bytes, chunk: 1)
  }
}
