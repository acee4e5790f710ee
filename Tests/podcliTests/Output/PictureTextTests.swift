import PodcastModel
import Podcatcher
import TestSupport
import Testing
import Text

@testable import podcli

@Suite struct PictureTextTests {
  /// Red and green above, blue and white below.
  private func sample() throws -> Picture {
    try #require(Picture(width: 2, height: 2, pixels: [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255]))
  }

  @Test func `half blocks have two points in a cell`() throws {
    let text = PictureText(kind: .halfBlocks(.all), rows: 1).rendered(try sample())
    #expect(text == "\u{1B}[38;2;255;0;0;48;2;0;0;255m▀\u{1B}[38;2;0;255;0;48;2;255;255;255m▀\u{1B}[0m\n")
    let few = PictureText(kind: .halfBlocks(.palette), rows: 1).rendered(try sample())
    #expect(few == "\u{1B}[38;5;196;48;5;21m▀\u{1B}[38;5;46;48;5;231m▀\u{1B}[0m\n")
  }

  @Test func `the kitty protocol has the pixels, in chunks`() throws {
    #expect(
      PictureText(kind: .kitty, rows: 3).rendered(try sample())
        == "\u{1B}_Ga=T,f=24,q=2,s=2,v=2,r=3,m=0;/wAAAP8AAAD/////\u{1B}\\\n")
    let large = try #require(Picture(width: 64, height: 64, pixels: [UInt8](repeating: 9, count: 64 * 64 * 3)))
    let pieces = PictureText(kind: .kitty, rows: 3).rendered(large).split(separator: "\u{1B}\\")
    #expect(pieces.count == 5)
    #expect(pieces.allSatisfy { $0.utf8.count < 4096 + 64 })
    #expect(pieces[1].hasPrefix("\u{1B}_Gm=1;"))
    #expect(pieces[3].hasPrefix("\u{1B}_Gm=0;"))
  }

  @Test func `a sixel picture has its size, colours and bands`() throws {
    let picture = try #require(Picture(width: 8, height: 6, pixels: [UInt8](repeating: 255, count: 8 * 6 * 3)))
    #expect(Sixel(picture).text == "\u{1B}Pq\"1;1;8;6#215;2;100;100;100#215!8~\u{1B}\\")
  }

  @Test(arguments: [
    ("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;c", PictureText.Kind.kitty), ("\u{1B}[?62;4;6c", .sixel),
  ])
  func `the answer of a terminal names its kind of picture`(answer: String, kind: PictureText.Kind) {
    #expect(PictureTerminal.kind(answering: answer) == kind)
  }

  @Test(arguments: ["", "\u{1B}[?62;c", "\u{1B}[?1;2c", "\u{1B}_Gi=31;ENOTSUPPORTED\u{1B}\\\u{1B}[?64;14c", "4c"])
  func `a terminal without pictures gets none`(answer: String) {
    #expect(PictureTerminal.kind(answering: answer) == nil)
  }
}
