/// Bytes → lines of at most 64 KiB, of a player's answers 512 KiB. Pure; keeps an unfinished line for the next bytes.
package struct LineReader {
  static let longest = 64 << 10
  static let longestAnswer = 512 << 10

  /// A line that has ended, or is too long.
  package enum Line: Hashable {
    /// Without its end, and not empty.
    case bytes([UInt8])
    /// Reported once, as soon as it is known; the rest of the line is passed over.
    case tooLong
  }

  private var pending: [UInt8] = []
  private var isSkipping = false
  private let longest: Int

  package init() { longest = Self.longest }

  /// For a player's answers, which name the episode with all its texts.
  init(longest: Int) { self.longest = longest }

  /// The lines that end in these bytes.
  package mutating func take(_ bytes: some Collection<UInt8>) -> [Line] {
    var lines: [Line] = []
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      append(rest[..<end], &lines)
      finish(&lines)
      rest = rest[rest.index(after: end)...]
    }
    append(rest, &lines)
    return lines
  }

  /// The line that the end of the input ends, as `printf` without a line break writes it.
  mutating func end() -> [Line] {
    var lines: [Line] = []
    finish(&lines)
    return lines
  }

  private mutating func append(_ bytes: some Collection<UInt8>, _ lines: inout [Line]) {
    guard !isSkipping else { return }
    if pending.count + bytes.count <= longest { return pending.append(contentsOf: bytes) }
    lines.append(.tooLong)
    pending = []
    isSkipping = true
  }

  private mutating func finish(_ lines: inout [Line]) {
    if pending.last == UInt8(ascii: "\r") { pending.removeLast() }
    if !isSkipping, !pending.isEmpty { lines.append(.bytes(pending)) }
    pending = []
    isSkipping = false
  }
}
