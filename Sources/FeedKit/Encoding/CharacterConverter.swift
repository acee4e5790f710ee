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
    var output: [UInt8] = []
    output.reserveCapacity(input.count * 3 / 2 + 16)
    var used = 0
    while used < input.count {
      let step = convertOnce(&input, from: used, into: &output)
      used += step.used
      if step.isCut {
        if isLast { append(replacement: &output) } else { pending = Array(input[used...]) }
        break
      }
      if step.isBroken {
        append(replacement: &output)
        used += 1
      }
    }
    return output
  }

  private func append(replacement output: inout [UInt8]) { output += "\u{FFFD}".utf8 }

  private func convertOnce(
    _ input: inout [UInt8], from start: Int, into output: inout [UInt8]
  ) -> (used: Int, isBroken: Bool, isCut: Bool) {
    var problem: Int32 = 0
    var used = 0
    let room = (input.count - start) * 4 + 16
    let piece = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      input.withUnsafeMutableBytes { source in
        var from: UnsafeMutablePointer<CChar>? = source.baseAddress?.advanced(by: start).assumingMemoryBound(
          to: CChar.self)
        var left = source.count - start
        let before = left
        buffer.withMemoryRebound(to: CChar.self) { target in
          var to: UnsafeMutablePointer<CChar>? = target.baseAddress
          var free = room
          if iconv(descriptor, &from, &left, &to, &free) == Int.max || free == room || left > 0 { problem = errno }
          count = room - free
        }
        used = before - left
      }
    }
    output += piece
    guard used < input.count - start else { return (used, false, false) }
    return (used, problem == EILSEQ, problem == EINVAL)
  }
}
