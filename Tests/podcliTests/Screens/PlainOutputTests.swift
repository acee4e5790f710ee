import Testing

@testable import podcli

/// The output of commands as the screen shows it.
@Suite struct PlainOutputTests {
  @Test func `escape sequences are left out, wherever the pieces end`() {
    let bytes = Array("a\u{1B}[1;31mb\u{1B}[0m\r\n\u{1B}]8;;https://x.example\u{1B}\\c\u{1B}]0;t\u{7}\td\u{8}\r\n".utf8)
    for split in 0...bytes.count {
      var output = PlainOutput()
      output.take(bytes[..<split])
      output.take(bytes[split...])
      #expect(output.text == "ab\nc  d\n", "split at \(split)")
      #expect(output.lineCount == 2 && output.lastLine == "c  d")
    }
  }

  @Test func `of a line and of a screen that are drawn again the last state is shown`() {
    var output = PlainOutput("10 %\r20 %\rdone\n")
    #expect(output.text == "done\n")
    output = PlainOutput("\u{1B}[Hold\r\nrows\r\n\u{1B}[J\u{1B}[Hnew\r\n\u{1B}[J")
    #expect(output.text == "new\n")
  }

  @Test func `the end of a long output is kept`() {
    var output = PlainOutput()
    for _ in 0..<200_000 { output.take("\r50 %, and so on".utf8) }
    output.take("\rdone\n".utf8)
    #expect(output.text == "done\n")
    for number in 0..<100_000 { output.take("line \(number) of an output\n".utf8) }
    output.take("the result".utf8)
    #expect(output.lineCount == 100_002 && output.lastLine == "the result")
    var one = PlainOutput(String(repeating: "x", count: 3 << 20) + "\n")
    #expect(one.text.utf8.count == 1 << 20 + 1)
    one.take("next\n".utf8)
    #expect(one.lastLine == "next" && one.lineCount == 2)
    #expect(output.text.hasSuffix("line 99999 of an output\nthe result") && output.text.utf8.count <= 1 << 20)
  }
}
