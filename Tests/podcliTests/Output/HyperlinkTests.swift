import PodcastModel
import TestSupport
import Testing
import Text

@testable import podcli

@Suite struct HyperlinkTests {
  @Test(arguments: ["javascript:alert(1)", "https://e.org/\u{1B}\\x", "https://e.org/ü", "file:///etc/passwd"])
  func `only plain web addresses are linked`(address: String) {
    #expect(Hyperlink.text("title", to: address) == "title")
  }

  @Test func `titles are links only on terminals that support them`() async throws {
    let stage = try await Stage.library(notes: [3: "<link>https://example.org/3</link>"])
    for (wanted, isLinked) in [("1", true), ("0", false)] {
      let outcome = try await stage.home.podcli("playlist").on(Program.Screen()).setting("FORCE_HYPERLINK", wanted)
        .run()
      let link = "\u{1B}]8;;https://example.org/3\u{1B}\\Episode 3\u{1B}]8;;\u{1B}\\"
      #expect(outcome.transcript.screen.contains(link) == isLinked)
    }
    let piped = try await stage.home.podcli("playlist").setting("FORCE_HYPERLINK", "1").run()
    #expect(!piped.output.contains("\u{1B}"))
  }
}
