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
  func `nothing that steers a terminal comes through`(text: String, clean: String) {
    #expect(CleanText.line(text) == clean)
  }

  @Test(arguments: ["שלום עולם", "مرحبا", "日本語", "👩‍👩‍👧 family", "naïve café", "e\u{301}", "❤️"])
  func `honest text stays`(text: String) {
    #expect(CleanText.line(text) == text)
  }

  @Test func `a tower of marks is cut`() {
    let tower = "a" + String(repeating: "\u{301}", count: 50)
    #expect(CleanText.line(tower).unicodeScalars.count == 5)
  }

  @Test func `an endless title is cut`() {
    #expect(CleanText.line(String(repeating: "é", count: 1_000_000)).count == CleanText.longest)
    #expect(CleanText.line(String(repeating: "e", count: 1_000_000)).count == CleanText.longest)
  }
}

@Suite struct DisplayWidthTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("日本", 4), ("é", 1), ("e\u{301}", 1), ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("❤️", 2), ("─", 1), ("한글", 4),
  ])
  func `counts cells`(text: String, cells: Int) {
    #expect(DisplayWidth.of(text) == cells)
  }

  @Test func `cuts at a character and says so`() {
    #expect(DisplayWidth.fitted("日本語", to: 5) == "日本…")
    #expect(DisplayWidth.fitted("日本語", to: 4) == "日…")
    #expect(DisplayWidth.fitted("word", to: 4) == "word")
    #expect(DisplayWidth.fitted("word", to: 0) == "")
  }
}

@Suite struct PlayingLineTests {
  private var line: PlayingLine {
    var line = PlayingLine(title: "Late Night Linux: Episode 312")
    line.mode = .playing
    line.position = .seconds(2467)
    line.duration = .seconds(5020)
    line.speed = 1.4
    line.chapter = .init(index: 2, count: 9, title: "Sponsor")
    return line
  }

  @Test func `shows place, bar, what remains, speed, chapter and title`() {
    let text = line.rendered(width: 120)
    #expect(text.hasPrefix("▶ 00:41:07 ━"))
    #expect(text.contains(" -00:42:33  1.4×  ch 3/9 Sponsor  Late Night Linux: Episode 312"))
  }

  @Test(arguments: 1...220)
  func `is never wider than the terminal`(width: Int) {
    #expect(DisplayWidth.of(line.rendered(width: width)) <= width)
  }

  @Test func `an unknown length shows as such`() {
    var line = line
    line.duration = nil
    #expect(line.rendered(width: 120).contains(" --  1.4×"))
  }
}

@Suite struct KeyDecoderTests {
  @Test func `letters, arrows and what is cut in two`() {
    var decoder = KeyDecoder()
    #expect(decoder.take(Array(" q".utf8)) == [.character(" "), .character("q")])
    #expect(decoder.take(Array("\u{1B}[A\u{1B}[B\u{1B}OC\u{1B}[D".utf8)) == [.up, .down, .right, .left])
    #expect(decoder.take(Array("é".utf8).prefix(1)) == [])
    #expect(decoder.take(Array("é".utf8).suffix(1)) == [.character("é")])
    #expect(decoder.take(Array("\u{1B}[1;5Hx".utf8)) == [.character("x")])
    #expect(decoder.take(Array("\u{1B}[A\u{1B}".utf8)) == [.up])
    #expect(decoder.take(Array("[A".utf8)) == [.up])
  }
}

@Suite struct SafeAddressTests {
  @Test(arguments: [
    ("https://example.org/feed", "https://example.org/feed"),
    ("https://me:pass@example.org/feed", "https://example.org/feed"),
    ("https://example.org/feed?token=1", "https://example.org/feed?…"),
    ("https://a@b@example.org/x@y?z", "https://example.org/x@y?…"),
  ])
  func `hides what is secret`(address: String, shown: String) {
    #expect(SafeAddress.shown(address) == shown)
  }
}
