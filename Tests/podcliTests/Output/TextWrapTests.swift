import ScreenKit
import Testing

@testable import podcli

@Suite struct TextWrapTests {
  @Test(arguments: [
    ("one two three\n\n four", 8, ["one two", "three", "", " four"]),
    ("  • four five six", 8, ["  • four", "    five", "    six"]),
    ("12. one two", 7, ["12. one", "   two"]),
    ("> one two", 6, ["> one", "> two"]), ("> > • one two", 14, ["> > • one two"]),
    ("> > • one two three", 14, ["> > • one two", "> >   three"]),
    ("a https://long.example/x b", 6, ["a", "https://long.example/x", "b"]),
    ("日本 語の 文", 5, ["日本", "語の", "文"]),
    ("één twee  drie", 8, ["één twee", "drie"]),
    ("ab cd ef", 7, ["ab cd", "ef"]), ("ab cd ef", 8, ["ab cd ef"]), ("ab cd ef gh", 8, ["ab cd ef", "gh"]),
    ("", 5, [""]),
  ])
  func `text breaks at blanks, behind its indentation, by the cells that it takes`(
    text: String, width: Int, lines: [String]
  ) {
    #expect(TextWrap.lines(of: text, width: width) == lines)
    #expect(TextWrap.wrapped(text, width: width) == lines.joined(separator: "\n"))
  }

  @Test func `an indentation leaves half of the width to the words`() {
    let text = String(repeating: " ", count: 40) + "firstword second third"
    #expect(TextWrap.lines(of: text, width: 30).joined().split(separator: " ") == ["firstword", "second", "third"])
    #expect(TextWrap.lines(of: text, width: 30).allSatisfy { $0.count <= 30 })
  }

  @Test func `on the screen a word that is longer than a line goes on in the next`() {
    #expect(ScreenText.wrapped("see https://e.org/a/b/c", width: 9) == ["see", "https://e", ".org/a/b/", "c"])
    #expect(ScreenText.wrapped("音楽の本", width: 5) == ["音楽", "の本"])
  }

  @Test func `of a long text only the paragraphs are wrapped that are asked for`() {
    let text = (0..<100).map { "paragraph \($0) of many" }.joined(separator: "\n")
    let all = TextWrap.lines(of: text, width: 12)
    let some = TextWrap.lines(of: text, width: 12, atLeast: 5)
    #expect(some.count == 6 && all.starts(with: some) && all.count == 200)
  }
}
