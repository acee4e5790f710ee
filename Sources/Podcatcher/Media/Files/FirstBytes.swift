private import Glibc

/// Tells by a file's first bytes that it is no media file, whatever type the server gives: a page about a lost episode
/// is no episode.
enum FirstBytes {
  static let enough = 512
  static let nothing = "nothing at all"

  /// Nil when it may be a media file.
  static func fault(_ bytes: some Collection<UInt8>) -> String? {
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.dropFirst(bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0).drop { $0 <= 32 }
    let start = String(decoding: text.prefix(16), as: UTF8.self).lowercased()
    if start.hasPrefix("<") { return "a web page or XML" }
    if start.hasPrefix("#extm3u") || start.hasPrefix("#extinf") || start.hasPrefix("[playlist]") { return "a playlist" }
    if start.hasPrefix("{") || start.hasPrefix("[") { return "JSON" }
    return isPlainText(bytes) ? "plain text" : nil
  }

  /// Among the first bytes of a media file there are always some that no text has.
  private static func isPlainText(_ bytes: some Collection<UInt8>) -> Bool {
    guard !bytes.isEmpty, bytes.allSatisfy({ $0 >= 32 && $0 != 127 || (9...13).contains($0) || $0 == 27 }) else {
      return false
    }
    // The last character may be cut.
    return (0...3).contains { String(validating: bytes.dropLast($0), as: UTF8.self) != nil }
  }

  /// Of a whole file, of which `bytes` reads so many from an offset on.
  static func fault(inWhole bytes: (_ offset: Int64, _ count: Int) -> [UInt8]) -> String? {
    var chunk = bytes(0, enough)
    if let fault = fault(chunk) { return fault }
    var offset: Int64 = 0
    while !chunk.isEmpty, offset < mostZeros {
      guard chunk.allSatisfy({ $0 == 0 }) else { return nil }
      offset += Int64(chunk.count)
      chunk = bytes(offset, 64 << 10)
    }
    return "nothing but zeros"
  }

  /// No medium begins with so many.
  private static let mostZeros: Int64 = 1 << 20

  /// Of a whole file on this machine.
  static func fault(inFile path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return fault(inWhole: { offset, count in
      [UInt8](unsafeUninitializedCapacity: count) { buffer, read in
        read = max(0, pread(file, buffer.baseAddress, count, off_t(offset)))
      }
    })
  }
}
