/// A terminal that knows what podcli's screen sends, and nothing else: positions, columns, returns, styles, erasing to the
/// end of a row, modes. It wraps no lines. Anything unknown is a fault.
package struct VirtualTerminal {
  /// One cell as it is shown.
  package struct Cell: Hashable {
    package var text = " "
    /// The parameters of its style; empty when it is plain.
    package var style: Set<Int> = []
  }

  package private(set) var rows: [[Cell]]
  package private(set) var cursor = (column: 0, row: 0)
  package private(set) var modes: [String: Bool] = [:]
  /// Sequences that were not understood.
  package private(set) var faults: [String] = []
  private let width: (Character) -> Int
  private var style: Set<Int> = []

  /// `width` tells how many cells this terminal gives a character. One that takes more than two shows the rest as `?`.
  package init(columns: Int, rows: Int, filledWith text: String = " ", width: @escaping (Character) -> Int) {
    self.rows = Array(repeating: Array(repeating: Cell(text: text), count: columns), count: rows)
    self.width = width
  }

  package var lines: [String] { rows.map { $0.map(\.text).joined() } }

  package mutating func take(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while let first = rest.first {
      if first == 0x1B {
        rest = sequence(rest)
      } else {
        let text = rest.prefix { $0 != 0x1B }
        for character in String(decoding: text, as: UTF8.self) { put(character) }
        rest = rest.dropFirst(text.count)
      }
    }
  }

  // MARK: Text

  private mutating func put(_ character: Character) {
    if character == "\r" { return cursor.column = 0 }
    let cells = width(character)
    set(String(character), cells: min(2, max(1, cells)))
    for _ in 0..<max(0, cells - 2) { set("?", cells: 1) }
  }

  private mutating func set(_ text: String, cells: Int) {
    let column = cursor.column
    guard column + cells <= rows[cursor.row].count else { return }
    for index in column..<(column + cells) { breakWide(at: index) }
    rows[cursor.row][column] = Cell(text: text, style: style)
    if cells == 2 { rows[cursor.row][column + 1] = Cell(text: "", style: style) }
    cursor.column = min(column + cells, rows[cursor.row].count - 1)
  }

  /// Half of a wide character that loses its other half is a blank.
  private mutating func breakWide(at column: Int) {
    let row = cursor.row
    if rows[row][column].text.isEmpty, column > 0 { rows[row][column - 1].text = " " }
    if column + 1 < rows[row].count, rows[row][column + 1].text.isEmpty { rows[row][column + 1].text = " " }
  }

  // MARK: Sequences

  private mutating func sequence(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let body = bytes.dropFirst(2)
    guard bytes.dropFirst().first == UInt8(ascii: "["), let end = body.firstIndex(where: { $0 >= 0x40 }) else {
      faults.append("an unknown or unfinished sequence")
      return []
    }
    let text = String(decoding: body[..<end], as: UTF8.self)
    perform(text, Character(Unicode.Scalar(bytes[end])))
    return bytes[(end + 1)...]
  }

  private mutating func perform(_ text: String, _ final: Character) {
    let numbers = text.split(separator: ";").map { Int($0) ?? -1 }
    switch final {
    case "H"
    where (1...2).contains(numbers.count) && rows.indices.contains(numbers[0] - 1)
      && rows[0].indices.contains((numbers.dropFirst().first ?? 1) - 1):
      cursor = ((numbers.dropFirst().first ?? 1) - 1, numbers[0] - 1)
    case "G" where numbers.count == 1 && rows[0].indices.contains(numbers[0] - 1): cursor.column = numbers[0] - 1
    case "m": for number in numbers.isEmpty ? [0] : numbers { restyle(number) }
    case "K" where text.isEmpty:
      breakWide(at: cursor.column)
      for column in cursor.column..<rows[cursor.row].count { rows[cursor.row][column] = Cell() }
    case "h" where text.hasPrefix("?"), "l" where text.hasPrefix("?"):
      modes[text] = final == "h"
    default: faults.append("CSI \(text) \(final)")
    }
  }

  private mutating func restyle(_ number: Int) {
    if number == 0 { return style = [] }
    if number >= 30 { style = style.filter { $0 < 30 } }
    if number != 39 { style.insert(number) }
  }
}
