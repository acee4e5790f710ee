import Testing

@testable import Text

@Suite struct JSONTests {
  @Test func `members keep their order and unknown ones are absent`() {
    let missing: String? = nil
    let value: JSON = ["b": 1, "a": JSON(missing), "c": ["x", 1.5, true]]
    #expect(value.compact == #"{"b":1,"c":["x",1.5,true]}"#)
    #expect(value.pretty == "{\n  \"b\": 1,\n  \"c\": [\n    \"x\",\n    1.5,\n    true\n  ]\n}")
  }

  @Test func `whole numbers have no fraction, impossible ones are absent`() {
    #expect(JSON.number(62).compact == "62")
    #expect(JSON(Double?.some(.nan)) == nil)
    #expect(JSON(Double?.some(.infinity)) == nil)
  }

  @Test func `characters that could harm a terminal are escaped`() {
    let text = "a\"\\\n\u{1B}[2J\u{202E}\u{9B}\u{FEFF}é\u{E0041}\u{7F}"
    #expect(JSON(text).compact == #""a\"\\\n\u001b[2J\u202e\u009b\ufeffé\udb40\udc41\u007f""#)
    #expect(JSON(parsing: JSON(text).compact)?.text == text)
  }

  @Test func `a document is read as it was written`() {
    let value: JSON = ["text": "ä😀\t", "list": [1, -2.5, JSON.null, false], "nested": ["": [:]]]
    #expect(JSON(parsing: value.compact) == value)
    #expect(JSON(parsing: value.pretty) == value)
  }

  @Test(arguments: ["", "{", "[1,,2]", "\"abc", "{\"a\" 1}", "nul", "1 2", "\"\\x\"", "\"\\u12\"", "--1", "[1]]"])
  func `malformed JSON is nil`(text: String) { #expect(JSON(parsing: text) == nil) }

  @Test func `comments are passed over, wherever blanks may be`() {
    let text = "// a list\n[1 /* one, */, \"//2\", /**/ 3] // end"
    #expect(JSON(parsing: text)?.compact == #"[1,"//2",3]"#)
    #expect(JSON(parsing: String(repeating: "//\n", count: 100_000) + "7") == 7)
    for broken in ["/", "1 /", "1 /* /", "/ /1", "[1 /]"] { #expect(JSON(parsing: broken) == nil, "\(broken)") }
  }

  @Test func `depth is limited`() {
    #expect(JSON(parsing: String(repeating: "[", count: 100_000)) == nil)
    #expect(JSON(parsing: String(repeating: "[", count: 100) + String(repeating: "]", count: 100)) != nil)
  }

  @Test func `a lone surrogate becomes a replacement character`() {
    #expect(JSON(parsing: #""a\ud83d!""#)?.text == "a\u{FFFD}!")
    #expect(JSON(parsing: #""\ud83d\ude00""#)?.text == "😀")
  }
}
