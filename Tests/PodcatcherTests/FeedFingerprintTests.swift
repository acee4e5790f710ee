import Testing

@testable import Podcatcher

@Suite struct FeedFingerprintTests {
  private static let long = String(repeating: "<item><title>a</title></item>\n", count: 2000)

  private func fingerprint(_ text: String, inPiecesOf size: Int = 1 << 20) -> Int64 {
    var fingerprint = FeedFingerprint()
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: size) {
      bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { fingerprint.add($0) }
    }
    return fingerprint.value
  }

  private func feed(
    made: String = "Mon", items: String = "<item/>", end: String = "", before: String = "<title>a</title>"
  ) -> String {
    "<rss><channel>\(before)<lastBuildDate>\(made)</lastBuildDate>\(items)</channel></rss>\(end)"
  }

  @Test(arguments: ["<item/>", long], [1, 7, 1000, 1024, 4096, 17_000])
  func `does not depend on the chunks`(items: String, size: Int) {
    let text = feed(items: items, end: "<!-- made in 3 ms -->")
    #expect(fingerprint(text, inPiecesOf: size) == fingerprint(text))
  }

  @Test(arguments: ["<item/>", long], [1000, 1 << 20])
  func `does not depend on the time of making`(items: String, size: Int) {
    let plain = fingerprint(feed(items: items))
    let others = [
      feed(made: "Tuesday", items: items), feed(items: items, end: "\n<!-- made in 3 ms -->"),
      feed(made: "", items: items, end: "<!-- a --> <!--b-->\n"),
    ]
    for other in others { #expect(fingerprint(other, inPiecesOf: size) == plain) }
  }

  @Test(arguments: ["<item/>", long])
  func `every other difference changes it`(items: String) {
    let others = [
      feed(items: items), feed(items: items, before: "<title>b</title>"), feed(items: items + "<item/>"),
      feed(items: "<item>-->" + items), feed(items: items + "<!-- within -->"), feed(items: items, end: "<?a?>"),
      feed(items: items, before: "<item/><title>a</title>"),
      feed(made: "Tue", items: items, before: "<item/><title>a</title>"), feed(made: "<b>", items: items),
    ]
    #expect(Set(others.map { fingerprint($0) }).count == others.count)
  }

  @Test(arguments: ["", "-->", "<!---->", "<lastBuildDate>", "<updated>a", "<", " \n"])
  func `is defined for fragments`(text: String) {
    #expect(fingerprint(text, inPiecesOf: 1) == fingerprint(text))
  }
}
