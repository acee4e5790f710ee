import TestSupport
import Testing

@testable import ScreenKit

@Suite struct FrameWriterTests {
  /// Terminals that count clusters as podcli does, by their scalars, and always as one cell.
  private static let terminals: [@Sendable (Character) -> Int] = [
    { DisplayWidth.of($0) },
    { character in
      DisplayWidth.isContested(character)
        ? character.unicodeScalars.reduce(0) { $0 + DisplayWidth.of(Character($1)) } : DisplayWidth.of(character)
    },
    { DisplayWidth.isContested($0) ? 1 : DisplayWidth.of($0) },
  ]

  @Test(arguments: 0..<3)
  func `ten thousand random changes show the same as drawing each screen whole`(terminal: Int) async {
    var random = SeededGenerator(seed: 11 + UInt64(terminal))
    let width = Self.terminals[terminal]
    var screen = RandomScreen.next(after: nil, &random)
    var writer = FrameWriter(usesColor: true)
    var shown = VirtualTerminal(columns: screen.size.columns, rows: screen.size.rows, filledWith: "#", width: width)
    for round in 0..<10_000 {
      // The other tests share two threads with this one.
      if round % 20 == 0 { await Task.yield() }
      if round % 500 == 0 {
        screen = RandomScreen.next(after: nil, &random)
        writer = FrameWriter(usesColor: true)
        shown = VirtualTerminal(
          columns: screen.size.columns, rows: screen.size.rows, filledWith: "#", width: width)
      } else {
        screen = RandomScreen.next(after: screen, &random)
      }
      shown.take(writer.frame(for: screen))
      var whole = VirtualTerminal(
        columns: screen.size.columns, rows: screen.size.rows, filledWith: "@", width: width)
      var fresh = FrameWriter(usesColor: true)
      whole.take(fresh.frame(for: screen))
      guard shown.rows == whole.rows, shown.cursor == whole.cursor, shown.faults.isEmpty else {
        Issue.record(
          "round \(round): \(shown.faults)\n\(shown.lines.joined(separator: "\n"))\n---\n\(whole.lines.joined(separator: "\n"))"
        )
        return
      }
    }
  }

  @Test func `a terminal that agrees about widths shows each row as it was written`() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<1000 {
      let screen = RandomScreen.next(after: nil, &random)
      var writer = FrameWriter(usesColor: false)
      var terminal = VirtualTerminal(columns: screen.size.columns, rows: screen.size.rows, width: Self.terminals[0])
      terminal.take(writer.frame(for: screen))
      for row in 0..<screen.size.rows where screen.pictures.isEmpty {
        // The third cell of a syllable is shown so.
        var line = terminal.lines[row].filter { $0 != "?" }
        while line.last == " " { line.removeLast() }
        #expect(line == screen.line(row))
      }
    }
  }

  @Test func `a picture is drawn once, and removed where it moves or goes`() {
    func screen(_ row: Int?, _ text: String) -> Cells {
      var screen = Cells(size: Size(columns: 20, rows: 6))
      screen.write(text, at: Point(column: 0, row: 5))
      guard let row else { return screen }
      let lines = [Array("draw".utf8)]
      let (origin, size) = (Point(column: 2, row: row), Size(columns: 4, rows: 2))
      screen.place(PlacedPicture(id: 7, origin: origin, size: size, lines: lines, removal: Array("remove".utf8)))
      return screen
    }
    var writer = FrameWriter(usesColor: true)
    for (row, text, isDrawn, isRemoved) in [
      (0, "a", true, false), (0, "b", false, false), (2, "b", true, true), (nil, "b", false, true),
      (nil, "c", false, false),
    ] as [(Int?, String, Bool, Bool)] {
      let frame = String(decoding: writer.frame(for: screen(row, text)), as: UTF8.self)
      #expect(frame.contains("draw") == isDrawn && frame.contains("remove") == isRemoved, "\(frame)")
    }
  }

  @Test func `an unchanged screen sends nothing, a changed clock a few bytes, and more is one synchronized frame`() {
    var screen = Cells(size: Size(columns: 80, rows: 24))
    screen.write("▶ 00:41:07 ━━━━━━━━╸──────── -00:42:33  1.4×", at: Point(column: 0, row: 22))
    screen.cursor = Point(column: 0, row: 3)
    var writer = FrameWriter(usesColor: true)
    #expect(!writer.frame(for: screen).isEmpty)
    #expect(writer.frame(for: screen).isEmpty)
    screen.write("8", at: Point(column: 9, row: 22))
    screen.write("2", at: Point(column: 36, row: 22))
    let frame = String(decoding: writer.frame(for: screen), as: UTF8.self)
    #expect(frame == "\u{1B}[23;10H8\u{1B}[37G2\u{1B}[4H")
    #expect(writer.frame(for: screen).isEmpty)
    screen.write(String(repeating: "all of a row ", count: 6), at: Point(column: 0, row: 2))
    let whole = String(decoding: writer.frame(for: screen), as: UTF8.self)
    #expect(whole.hasPrefix("\u{1B}[?2026h") && whole.hasSuffix("\u{1B}[?2026l"))
  }

  @Test func `a lit word that moves on sends the two words, and of their styles and places only what is new`() {
    func screen(lit words: Range<Int>) -> Cells {
      var screen = Cells(size: Size(columns: 80, rows: 24))
      screen.write("one two three", .bold, at: Point(column: 10, row: 3))
      screen.restyle(row: 3, words) { $0.with(.underline) }
      screen.cursor = Point(column: 0, row: 3)
      return screen
    }
    var writer = FrameWriter(usesColor: true)
    _ = writer.frame(for: screen(lit: 10..<13))
    let frame = writer.frame(for: screen(lit: 14..<17)).filter { $0 != 0x1B }
    #expect(String(decoding: frame, as: UTF8.self) == "[11G[1mone [4mtwo[m\r")
  }

  @Test(arguments: [true, false])
  func `any style after any other is shown as that style alone`(usesColor: Bool) {
    let styles = (0..<16).flatMap { attributes in
      [Style.Color.standard, .red, .gray].map { Style(Style.Attributes(rawValue: attributes), $0) }
    }
    for first in styles {
      for second in styles {
        var (frame, alone): ([UInt8], [UInt8]) = ([], [])
        first.append(to: &frame, after: nil, usesColor: usesColor)
        second.append(to: &frame, after: first, usesColor: usesColor)
        second.append(to: &alone, after: nil, usesColor: usesColor)
        var (shown, wanted) = (
          VirtualTerminal(columns: 1, rows: 1) { _ in 1 }, VirtualTerminal(columns: 1, rows: 1) { _ in 1 }
        )
        shown.take(frame + [0x78])
        wanted.take(alone + [0x78])
        #expect(shown.rows == wanted.rows && shown.faults.isEmpty)
      }
    }
  }

  @Test func `without colours no frame has one, and attributes stay`() {
    var screen = Cells(size: Size(columns: 20, rows: 2))
    screen.write("red", Style([.bold], .red), at: Point(column: 0, row: 0))
    var plain = FrameWriter(usesColor: false)
    #expect(String(decoding: plain.frame(for: screen), as: UTF8.self).contains("\u{1B}[0;1mred"))
    var colored = FrameWriter(usesColor: true)
    #expect(String(decoding: colored.frame(for: screen), as: UTF8.self).contains("\u{1B}[0;1;31mred"))
  }

  @Test func `text is cut at the edge, a wide glyph never in half, and control characters are left out`() {
    var screen = Cells(size: Size(columns: 5, rows: 1))
    #expect(screen.write("日本語", at: Point(column: 0, row: 0)) == 4)
    #expect(screen.line(0) == "日本")
    screen.write("x", at: Point(column: 1, row: 0))
    #expect(screen.line(0) == " x本")
    screen.write("\u{1B}[2J\u{9B}a", at: Point(column: 0, row: 0))
    #expect(screen.line(0) == "[2Ja")
    screen.write("é", at: Point(column: 9, row: 0))
    screen.write("é", at: Point(column: 0, row: 7))
    screen.write("é", at: Point(column: 0, row: 0), width: -3)
    #expect(screen.line(0) == "[2Ja")
  }
}

/// Screens of random text in all kinds of glyphs; the next one differs from the last in some rows.
enum RandomScreen {
  private static let glyphs = [
    "a", "b", " ", " ", "é", "日", "本", "👩‍👩‍👧", "👍🏽", "❤️", "1️⃣", "क्षि", "🫨", "🇩🇪", "▶", "━", "e\u{301}", "한", "●",
  ]
  private static let styles = [Style.plain, .plain, .bold, .dim, Style([.reverse]), Style([], .green)]

  /// One of three pictures, somewhere.
  private static func place(on screen: inout Cells, _ random: inout SeededGenerator) {
    let id = Int.random(in: 0..<3, using: &random)
    let size = Size(columns: id + 1, rows: 2)
    guard size.columns <= screen.size.columns, size.rows <= screen.size.rows else { return }
    let origin = Point(
      column: .random(in: 0...(screen.size.columns - size.columns), using: &random),
      row: .random(in: 0...(screen.size.rows - size.rows), using: &random))
    let line = Array(repeating: UInt8(ascii: "P") + UInt8(id), count: size.columns)
    screen.place(PlacedPicture(id: id, origin: origin, size: size, lines: [line, line]))
  }

  /// No text is written in the last columns, so many as `margin`.
  static func next(after last: Cells?, _ random: inout SeededGenerator, margin: Int = 0) -> Cells {
    // A screen with pictures is drawn anew each time, and the pictures last.
    let hadPictures = last?.pictures.isEmpty == false
    var screen =
      (hadPictures ? last.map { Cells(size: $0.size) } : last)
      ?? Cells(size: Size(columns: .random(in: 1...40, using: &random), rows: .random(in: 1...6, using: &random)))
    screen.cursor = Point(
      column: .random(in: 0..<screen.size.columns, using: &random),
      row: .random(in: 0..<screen.size.rows, using: &random))
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in glyphs.randomElement(using: &random) ?? "a" }
      let column = Int.random(in: 0..<screen.size.columns, using: &random)
      screen.write(
        text.joined(), styles.randomElement(using: &random) ?? .plain,
        at: Point(column: column, row: .random(in: 0..<screen.size.rows, using: &random)),
        width: screen.size.columns - margin - column)
    }
    if Int.random(in: 0..<4, using: &random) == 0 { place(on: &screen, &random) }
    return screen
  }
}
