/// Breaks text into lines that fit.
enum TextWrap {
  /// At blanks; a word longer than a line is left whole, so that addresses can still be clicked and copied.
  /// What a line begins with, such as a bullet, its followers hang behind.
  static func wrapped(_ text: String, width: Int?) -> String {
    guard let width, width > 0 else { return text }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.flatMap { wrappedLine(String($0), width) }.joined(separator: "\n")
  }

  private static func wrappedLine(_ line: String, _ width: Int) -> [String] {
    guard DisplayWidth.of(line) > width else { return [line] }
    let hang = String(repeating: " ", count: min(hangingIndent(line), width / 2))
    var lines: [String] = []
    var current = String(line.prefix { $0 == " " })
    var isFresh = true
    for word in line.split(separator: " ") {
      let gap = isFresh ? "" : " "
      if !isFresh, DisplayWidth.of(current) + 1 + DisplayWidth.of(String(word)) > width {
        lines.append(current)
        current = hang + word
      } else {
        current += gap + word
      }
      isFresh = false
    }
    return lines + [current]
  }

  /// `  • text` and `12. text` hang behind their mark.
  private static func hangingIndent(_ line: String) -> Int {
    let blanks = line.prefix { $0 == " " }.count
    let mark = line.dropFirst(blanks).prefix { $0 != " " }
    let isMark = mark == "•" || mark.last == "." && mark.dropLast().allSatisfy(\.isNumber) && mark.count > 1
    return blanks + (isMark ? mark.count + 1 : 0)
  }
}
