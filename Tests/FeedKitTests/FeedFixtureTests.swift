import FeedKit
import PodcastModel
import Testing
import Text

@Suite struct FeedFixtureTests {
  static let names = Fixtures.names(in: "Feeds", ending: ".xml")

  @Test func `there are fixtures`() { #expect(Self.names.count > 50) }

  @Test(arguments: names)
  func `a feed becomes its document for every chunk size`(name: String) async {
    let bytes = Fixtures.bytes("Feeds/\(name).xml")
    let expected = Fixtures.text("Feeds/\(name).json")
    for chunk in [max(1, bytes.count), 4096, 7, 1] {
      // The other tests share two threads with this one.
      await Task.yield()
      #expect(FeedParser.document(from: bytes, chunk: chunk).pretty + "\n" == expected, "chunks of \(chunk)")
    }
  }

  @Test(arguments: ["rss-2.0", "podcasting-2.0", "atom-1.0"])
  func `a truncated feed has the first episodes of the whole one`(name: String) async throws {
    let bytes = Fixtures.bytes("Feeds/\(name).xml")
    let whole = try FeedParser.feed(from: bytes, chunk: bytes.count).episodes
    for length in 0..<bytes.count {
      await Task.yield()
      guard let cut = try? FeedParser.feed(from: Array(bytes[..<length]), chunk: 4096) else { continue }
      #expect(whole.starts(with: cut.episodes), "cut at \(length)")
      // A document without the line break behind its last end tag is complete.
      #expect(cut.isIncomplete || length >= bytes.count - 2, "cut at \(length)")
    }
  }

  @Test(arguments: [("ISO-8859-2", "Ł"), ("windows-1251", "Ј"), ("utf-8", "£"), ("no-such-thing", "£"), (nil, "£")])
  func `the HTTP header names the encoding where the document does not`(charset: String?, letter: String) throws {
    let bytes = Array("<rss><channel><title>".utf8) + [0xA3] + Array("</title></channel></rss>".utf8)
    #expect(try FeedParser.feed(from: bytes, charset: charset).title == letter)
  }

  /// The parser once crashed on these, or read them differently by chunk size.
  @Test(arguments: Fixtures.names(in: "Fuzzed", ending: ".xml"))
  func `a document found by fuzzing is parsed the same for every chunk size`(name: String) {
    let bytes = Fixtures.bytes("Fuzzed/\(name).xml")
    let whole = FeedParser.document(from: bytes, chunk: bytes.count)
    for chunk in 1...13 { #expect(FeedParser.document(from: bytes, chunk: chunk) == whole, "chunks of \(chunk)") }
  }
}
