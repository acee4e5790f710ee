import Glibc

/// Converts another encoding to UTF-8 with the C library's `iconv`, across chunks.
final class CharacterConverter {
  private let descriptor: iconv_t
  /// The bytes of a code unit: so many are skipped where they begin no character.
  private let unit: Int
  /// The first bytes of a character that the next chunk completes.
  private var pending: [UInt8] = []

  /// Nil when the C library does not know the encoding.
  init?(from name: String) {
    guard let descriptor = iconv_open("UTF-8", name), Int(bitPattern: descriptor) != -1 else { return nil }
    self.descriptor = descriptor
    unit = name.hasPrefix("UTF-16") || name.hasPrefix("UCS-2") ? 2 : name.hasPrefix("UTF-32") ? 4 : 1
  }

  deinit { iconv_close(descriptor) }

  func convert(_ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool) -> [UInt8] {
    var input = pending
    input += bytes
    pending = []
    // Each input byte becomes at most four bytes of output, a replacement character included.
    return [UInt8](unsafeUninitializedCapacity: input.count * 4 + 16) { output, count in
      output.withMemoryRebound(to: CChar.self) { output in
        input.withUnsafeMutableBytes { count = convert($0, isLast, into: output) }
      }
    }
  }

  /// Returns the number of bytes written.
  private func convert(
    _ source: UnsafeMutableRawBufferPointer, _ isLast: Bool, into output: UnsafeMutableBufferPointer<CChar>
  ) -> Int {
    var from = source.baseAddress?.assumingMemoryBound(to: CChar.self)
    var left = source.count
    var to = output.baseAddress
    var free = output.count
    while left > 0 {
      _ = iconv(descriptor, &from, &left, &to, &free)
      guard left > 0 else { break }
      let isCut = errno == EINVAL
      if isCut, !isLast {
        pending = Array(source[(source.count - left)...])
        break
      }
      guard isCut || errno == EILSEQ, free >= 3 else { break }
      for byte in "\u{FFFD}".utf8 {
        to?.pointee = CChar(bitPattern: byte)
        to = to?.advanced(by: 1)
      }
      free -= 3
      let skipped = isCut ? left : min(unit, left)
      from = from?.advanced(by: skipped)
      left -= skipped
    }
    // Some encodings keep a letter back for a combining accent that may follow.
    if isLast { _ = iconv(descriptor, nil, nil, &to, &free) }
    return output.count - free
  }
}
