import Glibc
import PodcastModel
import ScreenKit
import TestSupport
import Testing

@testable import podcli

/// Each page on four sizes of screen, with colours and without, in each condition, as `Fixtures/Screens/Pages` has them.
/// `PODCLI_DRAW_SCREENS=1` draws them anew: read the changes before you keep them.
@Suite struct ScreenGoldenTests {
  @Test(arguments: ScreenPage.allCases)
  func `a page looks as it was drawn`(page: ScreenPage) throws {
    for condition in ScreenSamples.Condition.allCases {
      let drawn = Self.drawn(page, condition)
      let file = Folders.fixtures + "/Screens/Pages/\(page)-\(condition).txt"
      if getenv("PODCLI_DRAW_SCREENS") != nil { try draw(drawn, to: file) }
      let expected = (try? contents(of: file)).map { String(decoding: $0, as: UTF8.self) }
      #expect(drawn == expected, "\(page), \(condition)")
    }
  }

  private static func drawn(_ page: ScreenPage, _ condition: ScreenSamples.Condition) -> String {
    var text = ""
    for size in ScreenSamples.sizes {
      let cells = ScreenDrawing.draw(ScreenSamples.state(page, size, condition))
      for usesColor in [true, false] {
        text += "=== \(size.columns)×\(size.rows)\(usesColor ? ", colour" : "")\n"
        let lines = (0..<size.rows).map { cells.styledLine($0, usesColor: usesColor) }
        text += lines.joined(separator: "\n").replacing("\u{1B}", with: "␛") + "\n"
      }
    }
    return text
  }
}
