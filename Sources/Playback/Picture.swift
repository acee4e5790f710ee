internal import System

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

  /// Decodes a JPEG, PNG, GIF or WebP file, drawn as large as fits a square of that `side`. Nil for everything else,
  /// for what is damaged or takes too long, and where libmpv is not installed.
  package static func decoded(from file: [UInt8], fitting side: Int) async -> Picture? {
    guard isPicture(file) else { return nil }
    return await withCheckedContinuation { continuation in
      onThread {
        let picture = (try? PictureCore())?.picture(of: file, fitting: side, within: .seconds(2))
        continuation.resume(returning: picture)
      }
    }
  }

  /// By its first bytes: what is no picture is not handed to a decoder that would take it for a film or a list.
  static func isPicture(_ file: [UInt8]) -> Bool {
    let starts: [[UInt8]] = [
      [0xFF, 0xD8, 0xFF], [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], Array("GIF8".utf8),
    ]
    if starts.contains(where: { file.starts(with: $0) }) { return true }
    return file.starts(with: "RIFF".utf8) && file.dropFirst(8).starts(with: "WEBP".utf8)
  }
}
