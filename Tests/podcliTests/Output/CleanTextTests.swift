import PodcastModel
import Testing

@testable import podcli

@Suite struct CleanTextTests {
  @Test(arguments: [
    ("plain", "plain"), ("a\tb\nc\r\nd", "a b c d"), ("\u{1B}[31mred\u{1B}[0m", "[31mred[0m"),
    ("\u{1B}]52;c;ZXZpbA==\u{7}x", "]52;c;ZXZpbA==x"), ("a\u{9B}31mb", "a31mb"), ("a\u{202E}b\u{2066}c", "abc"),
    ("zero\u{200B}width\u{FEFF}", "zerowidth"), ("tag\u{E0041}s", "tags"), ("\u{0}\u{7F}", ""),
    ("two\u{85}lines\u{2028}more", "two lines more"),
  ])
  func `control characters and escape sequences are removed`(text: String, clean: String) {
    #expect(CleanText.line(text) == clean)
  }

  @Test(arguments: ["שלום עולם", "مرحبا", "日本語", "👩‍👩‍👧 family", "naïve café", "e\u{301}", "❤️"])
  func `honest text is unchanged`(text: String) {
    #expect(CleanText.line(text) == text)
  }

  @Test func `lines keep their indentation, up to a limit`() {
    #expect(CleanText.lines("a  b\n  • c\n\td\n\u{202E}  e") == "a  b\n  • c\n        d\ne")
    #expect(CleanText.lines("name\tsize\nlong name\t1") == "name    size\nlong name       1")
    #expect(CleanText.lines("a\tb\n  a\tb") == "a       b\n  a     b")
    #expect(CleanText.lines(String(repeating: " ", count: 100_000) + "a") == String(repeating: " ", count: 40) + "a")
  }

  @Test func `stacked combining marks are cut`() {
    let tower = "a" + String(repeating: "\u{301}", count: 50)
    #expect(CleanText.line(tower).unicodeScalars.count == 5)
  }

  @Test func `an endless title is cut`() {
    #expect(CleanText.line(String(repeating: "é", count: 1_000_000)).count == CleanText.longest)
    #expect(CleanText.line(String(repeating: "e", count: 1_000_000)).count == CleanText.longest)
  }
}
