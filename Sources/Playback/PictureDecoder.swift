internal import System

/// Turns the file of a picture into its points, by libmpv.
package enum PictureDecoder {
  /// Decodes a JPEG, PNG, GIF or WebP file, drawn as large as fits a square of that `side`. Nil for everything else,
  /// for a damaged file or one that takes too long, and where libmpv is not installed.
  package static func decode(_ file: [UInt8], fitting side: Int) async -> DecodedPicture? {
    guard isPicture(file) else { return nil }
    return await withCheckedContinuation { continuation in
      onThread {
        let picture = (try? PictureCore())?.picture(of: file, fitting: side, within: .seconds(2))
        continuation.resume(returning: picture)
      }
    }
  }

  /// By its first bytes: only a picture is handed to libmpv, which would take other files for a film or a playlist.
  static func isPicture(_ file: [UInt8]) -> Bool {
    let starts: [[UInt8]] = [
      [0xFF, 0xD8, 0xFF], [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], Array("GIF8".utf8),
    ]
    if starts.contains(where: { file.starts(with: $0) }) { return true }
    return file.starts(with: "RIFF".utf8) && file.dropFirst(8).starts(with: "WEBP".utf8)
  }
}
