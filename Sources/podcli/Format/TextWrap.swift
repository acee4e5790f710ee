import ScreenKit

/// Breaks text into lines that fit.
enum TextWrap {
  /// Breaks at blanks. A word longer than a line is left whole, so that addresses can be clicked and copied. The lines
  /// below a bullet or number are indented behind it.
  static func wrapped(_ text: String, width: Int?) -> String {
    guard let width, width > 0 else { return text }
    return lines(of: text, width: width).joined(separator: "\n")
  }

  /// The same as lines, of which at least the first `count` are made.
  static func lines(of text: String, width: Int, atLeast count: Int = .max) -> [String] {
    var lines: [String] = []
    for line in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false) where lines.count < count {
      lines += wrappedLine(String(Substring(line)), width)
    }
    return lines
  }

  /// Splits bytes: a screen wraps all of its text anew for each frame, and characters take twenty times as long.
  private static func wrappedLine(_ line: String, _ width: Int) -> [String] {
    guard DisplayWidth.of(line) > width else { return [line] }
    let hang = String(repeating: " ", count: min(hangingIndent(line), width / 2))
    var lines: [String] = []
    var current = String(line.prefix { $0 == " " })
    var used = current.utf8.count
    var isFresh = true
    for word in line.utf8.split(separator: 0x20).map({ String(Substring($0)) }) {
      let cells = DisplayWidth.of(word)
      if !isFresh, used + 1 + cells > width {
        lines.append(current)
        (current, used) = (hang, hang.utf8.count)
      } else if !isFresh {
        current += " "
        used += 1
      }
      current += word
      used += cells
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
