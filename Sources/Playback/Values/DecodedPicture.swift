/// A picture as libmpv drew it: red, green and blue of each point, row by row from the top.
package struct DecodedPicture: Hashable, Sendable {
  /// In points.
  package var width: Int
  /// In points.
  package var height: Int
  /// Three bytes for each point.
  package var pixels: [UInt8]
}
