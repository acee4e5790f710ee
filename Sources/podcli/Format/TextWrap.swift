import ScreenKit

/// Breaks text into lines that fit.
enum TextWrap {
  /// Breaks at blanks. A word longer than a line is left whole, so that addresses can be clicked and copied. The lines
  /// below a bullet or number are indented behind it.
  static func wrapped(_ text: String, width: Int?) -> String {
    guard let width, width > 0 else { return text }
    return lines(of: text, width: width).joined(separator: "\n")
  }

  /// The same as lines, of which at least the first `count` are made. Takes bytes: a screen wraps all of its text anew for
  /// each frame, and characters take twenty times as long.
  static func lines(of text: String, width: Int, atLeast count: Int = .max) -> [String] {
    var lines: [String] = []
    for line in Array(text.utf8).split(separator: 0x0A, omittingEmptySubsequences: false) where lines.count < count {
      lines += wrappedLine(line, width)
    }
    return lines
  }

  private static func wrappedLine(_ line: ArraySlice<UInt8>, _ width: Int) -> [String] {
    guard cells(of: line) > width else { return [String(decoding: line, as: UTF8.self)] }
    let hang = hang(line, width / 2)
    var lines: [String] = []
    var current = Array(line.prefix { $0 == 0x20 }.prefix(width / 2))
    var used = current.count
    var isFresh = true
    for word in line.split(separator: 0x20) {
      let cells = cells(of: word)
      if !isFresh, used + 1 + cells > width {
        lines.append(String(decoding: current, as: UTF8.self))
        (current, used) = (hang, hang.count)
      } else if !isFresh {
        current.append(0x20)
        used += 1
      }
      current += word
      used += cells
      isFresh = false
    }
    return lines + [String(decoding: current, as: UTF8.self)]
  }

  private static func cells(of text: ArraySlice<UInt8>) -> Int {
    text.allSatisfy { $0 < 0x80 } ? text.count : DisplayWidth.of(String(decoding: text, as: UTF8.self))
  }

  /// The beginning of the lines below: the marks of a quotation again, and blanks.
  private static func hang(_ line: ArraySlice<UInt8>, _ most: Int) -> [UInt8] {
    var (marks, rest): ([UInt8], ArraySlice<UInt8>) = ([], line)
    while rest.starts(with: "> ".utf8) {
      marks += "> ".utf8
      rest = rest.dropFirst(2)
    }
    let hang = marks + [UInt8](repeating: 0x20, count: hangingIndent(rest))
    return hang.count <= most ? hang : Array(hang.prefix(most))
  }

  /// The indentation below `  • text` and `12. text`.
  private static func hangingIndent(_ line: ArraySlice<UInt8>) -> Int {
    let blanks = line.prefix { $0 == 0x20 }.count
    let bullet = String(decoding: line.dropFirst(blanks).prefix { $0 != 0x20 }, as: UTF8.self)
    let isBullet =
      bullet == "•" || bullet.last == "." && bullet.dropLast().allSatisfy(\.isNumber) && bullet.count > 1
    return blanks + (isBullet ? bullet.count + 1 : 0)
  }
}
