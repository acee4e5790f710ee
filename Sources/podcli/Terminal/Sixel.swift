import Podcatcher

/// Encodes a picture in sixels, in 216 colours with error diffusion. Pure.
struct Sixel {
  private let width: Int
  private let height: Int
  private let colors: [UInt8]
  private static let steps = 6

  init(_ picture: Picture) {
    width = picture.width
    height = picture.height
    colors = Self.diffused(picture)
  }

  var text: String {
    let bands = stride(from: 0, to: height, by: 6).map(band)
    return "\u{1B}Pq\"1;1;\(width);\(height)" + palette + bands.joined(separator: "-") + "\u{1B}\\"
  }

  /// The used colours, in percent.
  private var palette: String {
    Set(colors).sorted().map { color in
      let shares = [Int(color) / 36, Int(color) / 6 % 6, Int(color) % 6].map { String($0 * 20) }
      return "#\(color);2;" + shares.joined(separator: ";")
    }.joined()
  }

  /// A band of six rows: a line for each of its colours.
  private func band(_ top: Int) -> String {
    let rows = top..<min(top + 6, height)
    let used = Set(rows.flatMap { colors[($0 * width)..<(($0 + 1) * width)] }).sorted()
    return used.map { color in "#\(color)" + line(of: color, rows) }.joined(separator: "$")
  }

  private func line(of color: UInt8, _ rows: Range<Int>) -> String {
    var text = ""
    var (run, last): (Int, UInt8) = (0, 0)
    for column in 0..<width {
      var bits: UInt8 = 0
      for (bit, row) in rows.enumerated() where colors[row * width + column] == color { bits |= 1 << bit }
      if run > 0, bits != last {
        text += Self.repeated(last, run)
        run = 0
      }
      (run, last) = (run + 1, bits)
    }
    return text + Self.repeated(last, run)
  }

  private static func repeated(_ bits: UInt8, _ count: Int) -> String {
    let character = String(UnicodeScalar(63 + bits))
    return count > 3 ? "!\(count)\(character)" : String(repeating: character, count: count)
  }

  /// Floyd–Steinberg dithering.
  private static func diffused(_ picture: Picture) -> [UInt8] {
    var values = picture.pixels.map { Int($0) }
    var colors: [UInt8] = []
    let width = picture.width
    for row in 0..<picture.height {
      for column in 0..<width {
        var color = 0
        for channel in 0..<3 {
          let index = (row * width + column) * 3 + channel
          let wanted = max(0, min(255, values[index]))
          let step = (wanted * (steps - 1) + 127) / 255
          color = color * steps + step
          let miss = wanted - step * 255 / (steps - 1)
          if column + 1 < width { values[index + 3] += miss * 7 / 16 }
          guard row + 1 < picture.height else { continue }
          if column > 0 { values[index + (width - 1) * 3] += miss * 3 / 16 }
          values[index + width * 3] += miss * 5 / 16
          if column + 1 < width { values[index + (width + 1) * 3] += miss / 16 }
        }
        colors.append(UInt8(color))
      }
    }
    return colors
  }
}

extension Picture {
  struct Point: Hashable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8

    var luminance: Int { (Int(red) * 3 + Int(green) * 6 + Int(blue)) / 10 }

    func distance(to other: Point) -> Int {
      let parts = [(red, other.red), (green, other.green), (blue, other.blue)].map { Int($0) - Int($1) }
      return parts.reduce(0) { $0 + $1 * $1 }
    }
  }

  func point(_ x: Int, _ y: Int) -> Point {
    let index = (y * width + x) * 3
    return Point(red: pixels[index], green: pixels[index + 1], blue: pixels[index + 2])
  }

  /// Without what is left and right of the middle, where it is wider.
  func middle(ofWidth most: Int) -> Picture {
    guard width > most else { return self }
    let left = (width - most) / 2
    let kept = (0..<height).flatMap { row -> ArraySlice<UInt8> in
      let start = (row * width + left) * 3
      return pixels[start..<start + most * 3]
    }
    return Picture(width: most, height: height, pixels: kept) ?? self
  }

  /// Scales by averaging the points of each area.
  func scaled(toHeight newHeight: Int) -> Picture {
    let newWidth = max(1, (width * newHeight + height / 2) / height)
    var result: [UInt8] = []
    result.reserveCapacity(newWidth * newHeight * 3)
    for y in 0..<newHeight {
      let rows = Self.span(y, of: newHeight, over: height)
      for x in 0..<newWidth {
        let columns = Self.span(x, of: newWidth, over: width)
        for channel in 0..<3 {
          var sum = 0
          for row in rows { for column in columns { sum += Int(pixels[(row * width + column) * 3 + channel]) } }
          result.append(UInt8(sum / (rows.count * columns.count)))
        }
      }
    }
    return Picture(width: newWidth, height: newHeight, pixels: result) ?? self
  }

  private static func span(_ index: Int, of count: Int, over length: Int) -> Range<Int> {
    let start = index * length / count
    return start..<max(start + 1, (index + 1) * length / count)
  }
}
