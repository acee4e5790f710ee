import FeedKit
import PodcastModel
import Testing
import Text

@Suite struct JSONFeedTests {
  private static let names = Fixtures.names(in: "JSONFeeds", ending: ".json")

  @Test(arguments: names)
  func `a JSON Feed becomes its document for every chunk size`(name: String) async {
    let bytes = Fixtures.bytes("JSONFeeds/\(name).json")
    let expected = Fixtures.text("JSONFeeds/\(name).expected")
    for chunk in [max(1, bytes.count), 4096, 7, 1] {
      await Task.yield()
      #expect(FeedParser.document(from: bytes, chunk: chunk).pretty + "\n" == expected, "chunks of \(chunk)")
    }
  }

  @Test func `a truncated JSON Feed has the first episodes of the whole one`() async throws {
    let bytes = Fixtures.bytes("JSONFeeds/version-1.1.json")
    let whole = try FeedParser.feed(from: bytes, chunk: bytes.count).episodes
    for length in 0..<bytes.count {
      await Task.yield()
      guard let cut = try? FeedParser.feed(from: Array(bytes[..<length]), chunk: 4096) else { continue }
      #expect(whole.starts(with: cut.episodes), "cut at \(length)")
      #expect(cut.isIncomplete || length >= bytes.count - 1, "cut at \(length)")
    }
  }

  @Test func `plain text of a JSON Feed keeps its lines and its angle brackets`() throws {
    let bytes = feed("{\"id\":\"1\",\"content_text\":\"Why <title> matters, a<b or c>d\\n\\n00:00 Intro &amp; more\"}")
    let notes = try FeedParser.feed(from: bytes, chunk: 7).episodes.first?.content
    #expect(notes.map { PlainText.notes($0).text } == "Why <title> matters, a<b or c>d\n\n00:00 Intro & more")
  }

  // MARK: - Hostile documents

  private func feed(_ items: String) -> [UInt8] {
    Array("{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"T\",\"items\":[\(items)]}".utf8)
  }

  @Test(arguments: ["[", "{\"a\":"])
  func `too deep nesting is refused with the limit`(opening: String) {
    let error = FeedParser.refusal(feed(String(repeating: opening, count: 100_000)))
    #expect(error == FeedError(.limit, "elements nested deeper than 256"))
  }

  @Test func `of too many episodes the first are kept`() throws {
    var limits = FeedLimits()
    limits.episodes = 10
    let items = String(repeating: "{\"id\":1},", count: 11)
    let parsed = try FeedParser.feed(from: feed(items), chunk: 16 << 10, limits: limits)
    #expect(parsed.episodes.count == 10 && parsed.isIncomplete)
  }

  @Test(arguments: [1, 7, 4096, 1 << 20])
  func `of an endless document the episodes within the limit are kept`(chunk: Int) throws {
    var limits = FeedLimits()
    limits.documentBytes = 10_000
    let parsed = try FeedParser.feed(
      from: feed(String(repeating: "{\"id\":1},", count: 2000)), chunk: chunk, limits: limits)
    #expect(parsed.episodes.count == (10_000 - feed("").count + 3) / 9)
    #expect(parsed.isIncomplete)
    #expect(parsed.warnings == ["the document is larger than 10000 bytes"])
  }

  @Test(arguments: ["{}", "{\"attachments\":[{\"url\":\"a\"}]}", "{\"tags\":[\"a\",\"b\",\"c\"]}"])
  func `items that take many times their size are kept up to the limit`(item: String) throws {
    var limits = FeedLimits()
    limits.valueBytes = 10_000
    let bytes = feed(String(repeating: item + ",", count: 1000))
    let parsed = try FeedParser.feed(from: bytes, chunk: 16 << 10, limits: limits)
    #expect(parsed.episodes.count < 200 && parsed.isIncomplete)
    #expect(parsed.warnings.contains("what is kept besides its texts takes more than 10000 bytes"))
  }

  @Test(arguments: [
    "{\"id\":\"long\",\"title\":\"" + String(repeating: "x", count: 5000) + "\"}",
    "{\"id\":\"many\",\"x\":[" + String(repeating: "[],", count: 30_000) + "]}", String(repeating: "7", count: 5000),
    "{\"id\":\"deep\",\"x\":" + String(repeating: "[", count: 200) + String(repeating: "]", count: 200) + "}",
  ])
  func `an item that is too much is left out with a warning`(item: String) throws {
    var limits = FeedLimits()
    limits.textBytes = item.contains("many") ? 4 << 20 : 1000
    for chunk in [100, 1 << 20] {
      let parsed = try FeedParser.feed(
        from: feed("{\"id\":\"1\"},\(item),{\"id\":\"2\"}"), chunk: chunk, limits: limits)
      #expect(parsed.episodes.map(\.guid) == ["1", "2"])
      #expect(parsed.warnings.count == 1)
    }
  }

  @Test func `JSON that is no feed is refused before all of it was read`() throws {
    let parser = try FeedParser()
    let results = Array("{\"results\":[\(String(repeating: "{\"id\":1},", count: 200_000))".utf8)
    #expect(throws: FeedError(.notAFeed, "this is JSON")) {
      for _ in 0..<2 { try results.withUnsafeBytes(parser.parse) }
    }
  }

  @Test(
    .timeLimit(.minutes(1)),
    arguments: ["{", "[", "\"", "\\", "{\"a\":", "[[],", "\"a\",", ",", ":", "}", "]", "{\"", "\\u", "1", "\u{0}"])
  func `a pattern repeated without end is read to its end, and does not hang`(pattern: String) {
    let text = String(repeating: pattern, count: 200_000 / pattern.utf8.count)
    for bytes in [feed(text), Array("{\"\(text)".utf8), Array("{\"title\":\(text)".utf8)] {
      // A feed and an error are both fine.
      _ = try? FeedParser.feed(from: bytes, chunk: bytes.count)
      _ = try? FeedParser.feed(from: bytes, chunk: 1)
    }
  }
}
