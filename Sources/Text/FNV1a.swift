/// FNV-1a with 64 bits: a hash that is the same in every process and version, for what is stored.
package enum FNV1a {
  package static func hash(_ text: some StringProtocol) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
