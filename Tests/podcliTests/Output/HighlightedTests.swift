import ScreenKit
import Testing

@testable import podcli

struct HighlightedTests {
  private static func highlighted(_ lead: String, _ match: String, _ rest: String) -> Highlighted {
    Highlighted(lead + match + rest, matches: [lead.utf8.count..<lead.utf8.count + match.utf8.count])
  }

  @Test(arguments: [20, 36, 76, 196])
  func `the first match is in the line, however wide that and the letters are`(width: Int) {
    for (letters, match) in [("word ", "match"), ("文", "東京"), ("é", "naïve"), ("", "first")] {
      let lead = "…" + String(repeating: letters, count: 60)
      let shown = Self.highlighted(lead, match, " and more of it…").withFirstMatch(within: width)
      #expect(shown.words == [match])
      let before = shown.pieces.prefix { !$0.isMatch }.map(\.text).joined()
      #expect(DisplayWidth.of(before + match) <= width, "\(before)")
      #expect(before.isEmpty || (lead.hasSuffix(before.drop { $0 == "…" }) && before.hasPrefix("…")))
    }
  }

  @Test func `a match that is in the line anyway moves nothing`() {
    let text = Self.highlighted("some words ", "match", " more")
    #expect(text.withFirstMatch(within: 17).pieces.map(\.text) == ["some words ", "match", " more"])
    #expect(text.withFirstMatch(within: 16).pieces.map(\.text) == ["…rds ", "match", " more"])
    #expect(Highlighted("no match", matches: []).withFirstMatch(within: 3).pieces.map(\.text) == ["no match"])
  }

  @Test func `of a text without a match the beginning is kept`() {
    let pieces = Highlighted("Title " + String(repeating: "x", count: 1000), matches: []).pieces
    #expect(pieces.count == 1 && pieces[0].text.hasPrefix("Title xx"))
  }

  @Test func `combining marks belong to the letter before them`() {
    let text = Self.highlighted("ฉัน", "ก", "ินข้าว")
    #expect(text.pieces.map(\.text) == ["ฉัน", "กิ", "นข้าว"] && text.words == ["กิ"])
  }

  @Test func `of what stands before a match its end is kept`() {
    let text = Self.highlighted(String(repeating: "x", count: 10_000) + " at last ", "match", "")
    #expect(text.withFirstMatch(within: 40).pieces.map(\.text) == ["…xxx at last ", "match"])
  }
}
