import CommandKit
import Text

/// The text that a terminal would show of a program's output, piece by piece: without escape sequences, with only the last
/// state of a line or a screen that was redrawn. Pure.
struct PlainOutput: Sendable {
  private var lines: [String] = []
  private var line: [UInt8] = []
  /// In UTF-8, of the lines that are kept.
  private var size = 0
  /// Of lines that are not empty.
  private var ended = 0
  private var mode = Mode.text
  private var parameters: [UInt8] = []

  private enum Mode { case text, returned, escape, sequence, string, stringEscape }

  /// Of more output the last lines are kept, and of a longer line its beginning.
  private static let longest = 1 << 20

  init(_ text: String = "") { take(text.utf8) }

  var text: String { (lines + [Self.clean(line)]).joined(separator: "\n") }

  /// How many lines were written that are not empty.
  var lineCount: Int { ended + (line.isEmpty ? 0 : 1) }

  /// The last line that is not empty.
  var lastLine: String { line.isEmpty ? lines.last { !$0.isEmpty } ?? "" : Self.clean(line) }

  /// The last line before the error of a command: its summary.
  var lastResult: String? {
    (lines + [Self.clean(line)]).last { !$0.isEmpty && !$0.hasPrefix("podcli: ") && !$0.hasPrefix("  ") }
  }

  mutating func take(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { take(byte) }
  }

  private mutating func take(_ byte: UInt8) {
    switch mode {
    case .text: write(byte)
    case .returned:
      // A line break of a terminal is both.
      if byte == 0x0D { return }
      if byte != 0x0A { line = [] }
      mode = .text
      write(byte)
    case .escape:
      mode = byte == UInt8(ascii: "[") ? .sequence : byte == UInt8(ascii: "]") ? .string : .text
      parameters = []
    case .sequence:
      guard (0x40...0x7E).contains(byte) else { return parameters.append(byte) }
      if byte == UInt8(ascii: "H"), parameters.isEmpty { startAnew() }
      mode = .text
    case .string: if byte == 7 { mode = .text } else if byte == 0x1B { mode = .stringEscape }
    case .stringEscape: mode = .text
    }
  }

  private mutating func write(_ byte: UInt8) {
    switch byte {
    case 0x1B: mode = .escape
    case 0x0A: endLine()
    case 0x0D: mode = .returned
    case 0x09: line += [32, 32]
    case ..<0x20, 0x7F: break
    default: if line.count < Self.longest { line.append(byte) }
    }
  }

  private mutating func endLine() {
    if !line.isEmpty { ended += 1 }
    lines.append(Self.clean(line))
    size += lines[lines.count - 1].utf8.count + 1
    line = []
    guard size > Self.longest else { return }
    // Half of them at once: removing one takes time for each that stays.
    let dropped = min(lines.count / 2 + 1, lines.count - 1)
    size -= lines[..<dropped].reduce(0) { $0 + $1.utf8.count + 1 }
    lines.removeFirst(dropped)
  }

  /// The cursor is at the first cell: the screen is drawn again.
  private mutating func startAnew() { (lines, line, size) = ([], [], 0) }

  /// Blanks align columns, so they stay.
  private static func clean(_ line: [UInt8]) -> String {
    let text = String(decoding: line, as: UTF8.self)
    if line.allSatisfy({ $0 < 0x7F }) { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.filter { !$0.isUnsafeToShow }))
  }
}
