/// FNV-1a with 64 bits: a hash that is the same in every process and version, for what is stored.
package enum FNV1a {
  /// Not generic: a call from another module is not specialized.
  package static func hash(_ text: Substring) -> UInt64 {
    var text = text
    return text.withUTF8 { bytes in
      bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
  }
}
