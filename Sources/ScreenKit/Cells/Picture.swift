/// A picture over an area of cells. The terminal draws it, so the cells under it are left alone; text that comes there later
/// overwrites it.
package struct PlacedPicture: Sendable {
  /// The same number is the same picture at the same size.
  package var id: Int
  package var origin: Point
  package var size: Size
  /// The bytes that draw it: those of each row, or of the first row all of them.
  package var lines: [[UInt8]]
  /// Removes it from a terminal on which text does not overwrite pictures.
  package var removal: [UInt8]

  package init(id: Int, origin: Point, size: Size, lines: [[UInt8]], removal: [UInt8] = []) {
    self.id = id
    self.origin = origin
    self.size = size
    self.lines = lines
    self.removal = removal
  }

  func isSame(as other: PlacedPicture) -> Bool { id == other.id && origin == other.origin && size == other.size }
}

extension Cells {
  /// Places a picture; one that does not fit is left out.
  package mutating func place(_ picture: PlacedPicture) {
    let columns = picture.origin.column..<(picture.origin.column + picture.size.columns)
    let rows = picture.origin.row..<(picture.origin.row + picture.size.rows)
    guard columns.lowerBound >= 0, rows.lowerBound >= 0, columns.upperBound <= size.columns,
      rows.upperBound <= size.rows
    else { return }
    for row in rows { for column in columns { cover(column, row) } }
    pictures.append(picture)
  }
}
