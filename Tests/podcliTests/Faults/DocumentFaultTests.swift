import PodcastModel
import TestSupport
import Testing

/// Broken and hostile documents.
@Suite struct DocumentFaultTests {
  private func preview(_ text: String) async throws -> Outcome {
    try await TemporaryHome().podcli("preview", "-", "--json").input(text).run()
  }

  private static let laughs =
    "<!ENTITY a0 \"ha\">"
    + (1...20).map { "<!ENTITY a\($0) \"\(String(repeating: "&a\($0 - 1);", count: 10))\">" }.joined()

  @Test(arguments: [
    "<!DOCTYPE rss [\(laughs)]><rss><channel><title>x&a20;</title></channel></rss>",
    "<!DOCTYPE rss [<!ENTITY a \"&b;\"><!ENTITY b \"&a;\">]><rss><channel><title>x&a;</title></channel></rss>",
    "<!DOCTYPE rss [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><rss><channel><title>x&e;</title></channel></rss>",
    "<!DOCTYPE rss SYSTEM \"file:///etc/passwd\"><rss><channel><title>x</title></channel></rss>",
    "<!DOCTYPE rss [<!ENTITY % p SYSTEM \"file:///etc/passwd\"> %p;]><rss><channel><title>x</title></channel></rss>",
    "<rss xmlns:xi=\"http://www.w3.org/2001/XInclude\"><channel><title>x</title><xi:include href=\"/etc/passwd\" parse=\"text\"/></channel></rss>",
  ])
  func `X1: entities and inclusions are inert`(text: String) async throws {
    let outcome = try await preview(text)
    #expect(outcome.status == .exited(0) || outcome.status == .exited(1))
    #expect(!outcome.output.contains("root:"))
    #expect(outcome.output.utf8.count < 10_000)
  }

  @Test(arguments: [
    "<rss><channel><title>A & B</title><item><title>1</title></item></channel></rss>",
    "<rss><channel><title>A</title><item><title>1</item></channel></rss>",
    "junk <rss><channel><title>A</title><item><title>1</title></item></channel></rss>",
    "<rss><channel><title>A</title><item><title>1</title></item><item><title>2</tit",
    "<rss><channel><title>A</title><item><title>1<br>x</title></item></channel></rss> trailing",
  ])
  func `X3: whole items of a damaged feed are kept`(text: String) async throws {
    let outcome = try await preview(text)
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(outcome.output.contains(#""episodes":[{"#))
  }

  @Test(arguments: [("iso-8859-1", [UInt8(0xE9)]), ("windows-1252", [0xE9]), ("utf-8", [0xC3, 0xA9])])
  func `X4: encodings are read`(name: String, letter: [UInt8]) async throws {
    var bytes = Array("<?xml version=\"1.0\" encoding=\"\(name)\"?><rss><channel><title>caf".utf8)
    bytes += letter + Array("</title></channel></rss>".utf8)
    let outcome = try await TemporaryHome().podcli("preview", "-", "--json").input(.bytes(bytes)).run()
    #expect(outcome.output.contains(#""title":"café""#))
  }
}
