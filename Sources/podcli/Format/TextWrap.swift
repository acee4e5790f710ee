import ScreenKit

/// Breaks text into lines that fit.
enum TextWrap {
  /// Breaks at blanks. A word longer than a line is left whole, so that addresses can be clicked and copied. The lines
  /// below a bullet or number are indented behind it.
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

  /// The indentation below `  • text` and `12. text`.
  private static func hangingIndent(_ line: String) -> Int {
    let blanks = line.prefix { $0 == " " }.count
    let bullet = line.dropFirst(blanks).prefix { $0 != " " }
    let isBullet =
      bullet == "•" || bullet.last == "." && bullet.dropLast().allSatisfy(\.isNumber) && bullet.count > 1
    return blanks + (isBullet ? bullet.count + 1 : 0)
  }
}
