import Testing

@testable import ScreenKit

@Suite struct DisplayWidthTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("日本", 4), ("é", 1), ("e\u{301}", 1), ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("❤️", 2), ("─", 1), ("한글", 4),
    ("क्षि", 3), ("नमस्ते", 4), ("กำ", 2), ("தொ", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("👍🏽", 2), ("1\u{20E3}", 1),
  ])
  func `text is measured in cells`(text: String, cells: Int) {
    #expect(DisplayWidth.of(text) == cells)
  }

  @Test func `text is cut at a character, with an ellipsis`() {
    #expect(DisplayWidth.fitted("日本語", to: 5) == "日本…")
    #expect(DisplayWidth.fitted("日本語", to: 4) == "日…")
    #expect(DisplayWidth.fitted("word", to: 4) == "word")
    #expect(DisplayWidth.fitted("word", to: 0) == "")
  }

  @Test func `every glyph that is not looked up has one cell, and terminals disagree about the player's marks alone`() {
    for scalar in (0x20...UInt32(0x3000)).compactMap(Unicode.Scalar.init) where DisplayWidth.isSimple(String(scalar)) {
      #expect(DisplayWidth.of(Character(scalar)) == 1, "\(scalar.value)")
      let isContested = DisplayWidth.isContested(Character(scalar))
      #expect(isContested == DisplayWidth.isPlayerMark(scalar), "\(scalar.value)")
    }
    #expect(DisplayWidth.fitted("Été — naïve …", to: 6) == "Été —…")
    #expect(DisplayWidth.fitted("Été — naïve …", to: 5) == "Été…")
  }
}
