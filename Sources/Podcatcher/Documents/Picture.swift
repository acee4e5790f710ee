/// A picture as it is drawn: red, green and blue of each point, row by row from the top.
package struct Picture: Hashable, Sendable {
  package let width: Int
  package let height: Int
  package let pixels: [UInt8]

  /// Nil when there are not three bytes for each point.
  package init?(width: Int, height: Int, pixels: [UInt8]) {
    guard width > 0, height > 0, width <= 4096, height <= 4096, pixels.count == width * height * 3 else { return nil }
    self.width = width
    self.height = height
    self.pixels = pixels
  }
}
