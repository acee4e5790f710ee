/// FNV-1a with 64 bits: a hash that is the same in every process and version, for what is stored.
package enum FNV1a {
  /// The hash of no bytes.
  package static let start: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Not generic: a call from another module is not specialized. `start`: the hash of what stands before.
  package static func hash(_ bytes: UnsafeBufferPointer<UInt8>, from start: UInt64 = start) -> UInt64 {
    bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  package static func hash(_ text: Substring, from start: UInt64 = start) -> UInt64 {
    var text = text
    return text.withUTF8 { hash($0, from: start) }
  }

  /// Its digits, sixteen of them.
  package static func digits(_ hash: UInt64) -> String {
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
