import Podcatcher
import ScreenKit
import Text

/// Renders a picture for a terminal, at most `rows` rows high. Pure.
struct PictureText {
  /// The ways to draw a picture on a terminal.
  enum Kind: Hashable, Sendable {
    /// Pixels by kitty's graphics protocol.
    case kitty
    /// Pixels as sixels, in 216 colours.
    case sixel
    /// Half blocks: two points to a cell, one above the other.
    case halfBlocks(Colors)
  }

  enum Colors: Sendable { case all, palette }

  static let highest = 12

  var kind: Kind
  var rows: Int
  /// The height of a cell in pixels.
  var cellHeight = 20

  func rendered(_ picture: Picture) -> String {
    switch kind {
    case .kitty: kitty(picture, "r=\(rows),") + "\n"
    case .sixel: Sixel(inPixels(picture)).text + "\n"
    case .halfBlocks(let colors): halfBlocks(picture.scaled(toHeight: rows * 2), colors)
    }
  }

  /// The same for a place on a screen, at most so many columns wide.
  func placed(_ picture: Picture, id: Int, columns: Int) -> PlacedPicture {
    var text = self
    text.rows = max(1, min(rows, columns * picture.height / (2 * picture.width)))
    // One row of a banner may be wider.
    let shown = picture.middle(ofWidth: max(1, picture.height * columns / (2 * text.rows)))
    let (size, lines, removal) = text.lines(shown, id)
    return PlacedPicture(
      id: id, origin: Point(column: 0, row: 0), size: Size(columns: min(columns, size), rows: text.rows),
      lines: lines.map { Array($0.utf8) }, removal: Array(removal.utf8))
  }

  /// The width in cells, the bytes of the rows, and those that remove it.
  private func lines(_ picture: Picture, _ id: Int) -> (width: Int, lines: [String], removal: String) {
    switch kind {
    case .kitty:
      let width = max(1, (picture.width * rows * 2 + picture.height / 2) / picture.height)
      // The cursor stays, and the picture can be named later.
      let drawing = kitty(picture, "i=\(id),p=1,C=1,c=\(width),r=\(rows),")
      return (width, [drawing], "\u{1B}_Ga=d,d=I,q=2,i=\(id)\u{1B}\\")
    case .sixel:
      let scaled = inPixels(picture)
      let cellWidth = max(1, cellHeight / 2)
      return ((scaled.width + cellWidth - 1) / cellWidth, [Sixel(scaled).text], "")
    case .halfBlocks(let colors):
      let scaled = picture.scaled(toHeight: rows * 2)
      return (scaled.width, halfBlocks(scaled, colors).split(separator: "\n").map(String.init), "")
    }
  }

  private func inPixels(_ picture: Picture) -> Picture {
    picture.scaled(toHeight: max(6, rows * cellHeight / 6 * 6))
  }

  // MARK: Kitty

  private static let chunk = 4096

  /// `q=2` turns the answers of the terminal off, as they are not read.
  private func kitty(_ picture: Picture, _ placement: String) -> String {
    var rest = Base64.encoded(picture.pixels)[...]
    var keys = "a=T,f=24,q=2,s=\(picture.width),v=\(picture.height),\(placement)"
    var text = ""
    while !rest.isEmpty {
      let piece = rest.prefix(Self.chunk)
      rest = rest.dropFirst(Self.chunk)
      text += "\u{1B}_G\(keys)m=\(rest.isEmpty ? 0 : 1);" + String(decoding: piece, as: UTF8.self) + "\u{1B}\\"
      keys = ""
    }
    return text
  }

  // MARK: Half blocks

  private func halfBlocks(_ picture: Picture, _ colors: Colors) -> String {
    stride(from: 0, to: picture.height - 1, by: 2).map { y in
      var line = ""
      var last = ""
      for x in 0..<picture.width {
        let codes =
          "38;" + Self.code(picture.point(x, y), colors) + ";48;" + Self.code(picture.point(x, y + 1), colors)
        line += codes == last ? "▀" : "\u{1B}[\(codes)m▀"
        last = codes
      }
      return line + "\u{1B}[0m\n"
    }.joined()
  }

  private static func code(_ point: Picture.Point, _ colors: Colors) -> String {
    switch colors {
    case .all: "2;\(point.red);\(point.green);\(point.blue)"
    case .palette: "5;\(Palette256.nearest(to: point))"
    }
  }
}

/// The colours that all terminals with 256 colours share: a cube of 216 and 24 greys.
enum Palette256 {
  private static let levels = [0, 95, 135, 175, 215, 255]

  static func nearest(to point: Picture.Point) -> Int {
    let steps = [point.red, point.green, point.blue].map { nearestLevel(Int($0)) }
    let inCube = Picture.Point(
      red: UInt8(levels[steps[0]]), green: UInt8(levels[steps[1]]), blue: UInt8(levels[steps[2]]))
    let step = max(0, min(23, (point.luminance - 3) / 10))
    let grey = UInt8(8 + 10 * step)
    let isGreyNearer = point.distance(to: .init(red: grey, green: grey, blue: grey)) < point.distance(to: inCube)
    return isGreyNearer ? 232 + step : 16 + 36 * steps[0] + 6 * steps[1] + steps[2]
  }

  private static func nearestLevel(_ value: Int) -> Int {
    levels.indices.min { abs(levels[$0] - value) < abs(levels[$1] - value) } ?? 0
  }
}
