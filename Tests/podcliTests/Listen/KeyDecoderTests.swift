import PodcastModel
import Testing

@testable import podcli

@Suite struct KeyDecoderTests {
  @Test func `letters, arrows and split sequences are decoded`() {
    var decoder = KeyDecoder()
    #expect(decoder.take(Array(" q".utf8)) == [.character(" "), .character("q")])
    #expect(decoder.take(Array("\u{1B}[A\u{1B}[B\u{1B}OC\u{1B}[D".utf8)) == [.up, .down, .right, .left])
    #expect(decoder.take(Array("é".utf8).prefix(1)) == [])
    #expect(decoder.take(Array("é".utf8).suffix(1)) == [.character("é")])
    #expect(decoder.take(Array("\u{1B}[1;5Hx".utf8)) == [.character("x")])
    #expect(decoder.take(Array("\u{1B}[A\u{1B}".utf8)) == [.up])
    #expect(decoder.take(Array("[A".utf8)) == [.up])
  }
}
