import TestSupport
import Testing

@testable import ScreenKit

@Suite struct InputDecoderTests {
  private static let point = Point(column: 9, row: 4)
  static let sequences: [(String, [Input])] = [
    ("a", [.key(.character("a"))]), ("é", [.key(.character("é"))]), ("日", [.key(.character("日"))]),
    ("👍", [.key(.character("👍"))]), (" ", [.key(.character(" "))]), ("\r", [.key(Key(.enter))]),
    ("\n", [.key(Key(.enter))]), ("\t", [.key(Key(.tab))]), ("\u{7F}", [.key(Key(.backspace))]),
    ("\u{8}", [.key(Key(.backspace))]), ("\u{15}", [.key(Key(.character("u"), .control))]),
    ("\u{0}", [.key(Key(.character(" "), .control))]), ("\u{1F}", [.key(Key(.character("_"), .control))]),
    ("\u{1B}[A", [.key(Key(.up))]), ("\u{1B}OA", [.key(Key(.up))]), ("\u{1B}[B", [.key(Key(.down))]),
    ("\u{1B}OC", [.key(Key(.right))]), ("\u{1B}[D", [.key(Key(.left))]), ("\u{1B}[H", [.key(Key(.home))]),
    ("\u{1B}[4~", [.key(Key(.end))]), ("\u{1B}[5~", [.key(Key(.pageUp))]), ("\u{1B}[6~", [.key(Key(.pageDown))]),
    ("\u{1B}[1;2D", [.key(Key(.left, .shift))]), ("\u{1B}[1;5C", [.key(Key(.right, .control))]),
    ("\u{1B}[Z", [.key(Key(.tab, .shift))]), ("\u{1B}OP", [.key(Key(.function(1)))]),
    ("\u{1B}[[A", [.key(Key(.function(1)))]), ("\u{1B}[[E", [.key(Key(.function(5)))]), ("\u{1B}[[Q", []),
    ("\u{1B}[15~", [.key(Key(.function(5)))]), ("\u{1B}a", [.key(Key(.character("a"), .alt))]),
    ("\u{1B}[97;5u", [.key(Key(.character("a"), .control))]), ("\u{1B}[97;2u", [.key(.character("A"))]),
    ("\u{1B}[27;5;105~", [.key(Key(.character("i"), .control))]), ("\u{1B}[13;2u", [.key(Key(.enter, .shift))]),
    ("\u{1B}[97:65;1:1u", [.key(.character("a"))]), ("\u{1B}[57358u", []), ("\u{1B}[27u", [.key(Key(.escape))]),
    ("\u{1B}[I", [.focus(true)]), ("\u{1B}[O", [.focus(false)]),
    ("\u{1B}[<0;10;5M", [.mouse(Mouse(action: .press, point: point))]),
    ("\u{1B}[<0;10;5m", [.mouse(Mouse(action: .release, point: point))]),
    ("\u{1B}[<64;10;5M", [.mouse(Mouse(action: .wheelUp, point: point))]),
    ("\u{1B}[<65;10;5M", [.mouse(Mouse(action: .wheelDown, point: point))]),
    ("\u{1B}[<35;10;5M", []), ("\u{1B}[M *%", [.mouse(Mouse(action: .press, point: point))]),
    ("\u{1B}[200~one\ntwo\u{1B}[A\u{1B}\u{1B}[201~", [.paste("one\ntwo\u{1B}[A\u{1B}")]),
    ("\u{1B}[200~\u{1B}[201~", [.paste("")]),
    // Late answers: device attributes, a mode, a position, colours, a name, kitty's graphics.
    ("\u{1B}[?62;4;22c", [.attributes([62, 4, 22])]), ("\u{1B}[>0;276;0c", []), ("\u{1B}[?2026;2$y", []),
    ("\u{1B}[12;40R", []),
    ("\u{1B}]11;rgb:0000/0000/0000\u{7}", []), ("\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\", []),
    ("\u{1B}P>|xterm(390)\u{1B}\\", []), ("\u{1B}_Gi=31;OK\u{1B}\\", []), ("\u{1B}[?997;1n", []),
  ]

  @Test func `every sequence means the same wherever it is split`() {
    for (text, expected) in Self.sequences {
      let bytes = Array(text.utf8)
      for split in 0...bytes.count {
        var decoder = InputDecoder()
        let inputs = decoder.take(bytes[..<split]) + decoder.take(bytes[split...]) + decoder.take("x".utf8)
        #expect(inputs == expected + [.key(.character("x"))], "\(text.debugDescription) split at \(split)")
      }
    }
  }

  @Test func `all sequences in one read, and byte by byte, come apart again`() {
    let bytes = Self.sequences.flatMap { Array($0.0.utf8) }
    let expected = Self.sequences.flatMap(\.1)
    var whole = InputDecoder()
    #expect(whole.take(bytes) == expected)
    var slow = InputDecoder()
    #expect(bytes.flatMap { slow.take([$0]) } == expected)
  }

  @Test func `escape alone is a key once nothing has followed, and half a sequence is none`() {
    var decoder = InputDecoder()
    #expect(decoder.take([0x1B]) == [] && decoder.isWaiting)
    #expect(decoder.flush() == [.key(Key(.escape))] && !decoder.isWaiting)
    #expect(decoder.take([0x1B]) + decoder.take(Array("[A".utf8)) == [.key(Key(.up))])
    #expect(decoder.take(Array("\u{1B}[".utf8)) == [] && decoder.isWaiting)
    #expect(decoder.flush() == [.key(Key(.character("["), .alt))])
    #expect(decoder.take(Array("\u{1B}[1;".utf8)) == [])
    #expect(decoder.flush() == [])
    #expect(decoder.take([0x1B, 0x1B]) == [.key(Key(.escape))])
    #expect(decoder.flush() == [.key(Key(.escape))])
    // A paste goes on however long the pause.
    #expect(decoder.take(Array("\u{1B}[200~a".utf8)) == [])
    #expect(!decoder.isWaiting && decoder.flush() == [])
    #expect(decoder.take(Array("b\u{1B}[201~".utf8)) == [.paste("ab")])
  }

  @Test func `Alt with a letter that begins a string is a key, and Escape ends a string`() {
    var decoder = InputDecoder()
    for letter in "PX]^_" {
      #expect(decoder.take(Array("\u{1B}\(letter)".utf8)) == [] && decoder.isWaiting)
      #expect(decoder.flush() == [.key(Key(.character(letter), .alt))] && !decoder.isWaiting)
      #expect(decoder.take([0x6A]) == [.key(.character("j"))])
    }
    // An answer may pause.
    #expect(decoder.take(Array("\u{1B}_Gi=31".utf8)) == [] && !decoder.isWaiting && decoder.flush() == [])
    #expect(decoder.take([0x1B]) == [] && decoder.isWaiting)
    #expect(decoder.flush() == [.key(Key(.escape))])
    #expect(decoder.take([0x6A]) == [.key(.character("j"))])
    // The end of one may be lost.
    #expect(decoder.take(Array("\u{1B}Pj".utf8)) == [] && decoder.isInString)
    decoder.leaveString()
    #expect(decoder.take([0x6A]) == [.key(.character("j"))])
  }

  @Test func `of a paste the first 64 kB are kept, in one piece or many`() {
    let paste = Array(("\u{1B}[200~" + String(repeating: "x", count: 100_000) + "\u{1B}[201~").utf8)
    for size in [paste.count, 1000] {
      var decoder = InputDecoder()
      var inputs: [Input] = []
      for start in stride(from: 0, to: paste.count, by: size) { inputs += decoder.take(paste[start...].prefix(size)) }
      #expect(inputs == [.paste(String(repeating: "x", count: 65_536))])
    }
  }

  @Test func `bytes that are no UTF-8 are dropped, and the next key is read`() {
    for wrong: [UInt8] in [
      [0xFF], [0xC3], [0xE3, 0x81], [0xF0, 0x9F, 0x91], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0x80], [0xC2, 0x9B],
    ] {
      var decoder = InputDecoder()
      #expect(decoder.take(wrong + Array("x".utf8)) == [.key(.character("x"))], "\(wrong)")
    }
  }

  @Test func `a megabyte of random bytes and of random sequences leaves a decoder that reads on`() {
    var random = SeededGenerator(seed: 3)
    let pieces = Self.sequences.map { Array($0.0.utf8) } + [[0x1B], [0x5B], Array("\u{1B}[200~".utf8)]
    for isStructured in [false, true] {
      var decoder = InputDecoder()
      var sent = 0
      while sent < 1 << 20 {
        var bytes = isStructured ? pieces.randomElement(using: &random) ?? [] : []
        if !isStructured { bytes = (0..<64).map { _ in .random(in: 0...255, using: &random) } }
        if Int.random(in: 0..<4, using: &random) == 0 {
          bytes = Array(bytes.prefix(.random(in: 0...4, using: &random)))
        }
        sent += max(1, bytes.count)
        for case .paste(let text) in decoder.take(bytes) { #expect(text.utf8.count <= 3 * 65_536) }
        if Int.random(in: 0..<9, using: &random) == 0 { _ = decoder.flush() }
      }
      _ = decoder.take(Array("\u{1B}[201~\u{1B}\\".utf8)) + decoder.flush()
      #expect(decoder.take(Array("q".utf8)) == [.key(.character("q"))])
    }
  }

  @Test func `keys have the names that tables use`() {
    let names = [
      Key(.character(" ")).name, Key(.left, .shift).name, Key(.character("u"), .control).name, Key(.pageDown).name,
      Key.character("é").name,
    ]
    #expect(names == ["space", "shift-left", "^u", "pageDown", "é"])
  }
}
