import Testing
import Text

@Suite struct SHA1Tests {
  @Test func `hashes the test vectors of the standard`() {
    #expect(SHA1.hex("") == "da39a3ee5e6b4b0d3255bfef95601890afd80709")
    #expect(SHA1.hex("abc") == "a9993e364706816aba3e25717850c26c9cd0d89d")
    let long = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
    #expect(SHA1.hex(long) == "84983e441c3bd26ebaae4aa1f95129e5e54670f1")
    #expect(SHA1.hex(String(repeating: "a", count: 1_000_000)) == "34aa973cd4c4daa4f61eeb2bdbad27316534016f")
  }
}
