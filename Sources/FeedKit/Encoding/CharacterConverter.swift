import Glibc

/// Turns bytes of another encoding into UTF-8 by the C library's `iconv`, across chunks.
final class CharacterConverter {
  private let descriptor: iconv_t
  /// A character whose bytes are not all there yet.
  private var pending: [UInt8] = []

  /// Nil when the C library does not know the encoding.
  init?(from name: String) {
    guard let descriptor = iconv_open("UTF-8", name), Int(bitPattern: descriptor) != -1 else { return nil }
    self.descriptor = descriptor
  }

  deinit { iconv_close(descriptor) }

  func convert(_ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool) -> [UInt8] {
    var input = pending
    input += bytes
    pending = []
    // No character has more than four bytes for each that it has now, and neither has what stands for a broken one.
    return [UInt8](unsafeUninitializedCapacity: input.count * 4 + 16) { output, count in
      output.withMemoryRebound(to: CChar.self) { output in
        input.withUnsafeMutableBytes { count = convert($0, isLast, into: output) }
      }
    }
  }

  /// Returns how many bytes were written.
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
      from = from?.advanced(by: isCut ? left : 1)
      left -= isCut ? left : 1
    }
    // Some encodings keep a letter back for what may come to stand upon it.
    if isLast { _ = iconv(descriptor, nil, nil, &to, &free) }
    return output.count - free
  }
}
