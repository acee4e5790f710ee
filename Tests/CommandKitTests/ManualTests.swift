import CommandKit
import TestSupport
import Testing

struct ManualTests {
  private func formatted(_ manual: String, _ options: String...) async throws -> Outcome {
    try await TestSupport.Program(
      "groff", ["-man", "-Kutf8", "-ww"] + options, environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
    ).input(manual).run()
  }

  private func text(_ manual: String) async throws -> String {
    try await formatted(manual, "-Tutf8", "-P-cbou").output
  }

  @Test func `the manual is roff without warnings`() async throws {
    let result = try await formatted(Sample.program.text(of: .manual), "-z")
    #expect(result.status == .exited(0) && result.error.isEmpty, "\(result)")
  }

  @Test func `the manual formats as expected`() async throws {
    let text = try await text(Sample.program.text(of: .manual))
    for part in [
      """
      NAME
             podcli - a podcast player
      """,
      """
      COMMANDS: LISTEN
         play [options] EPISODE
             Play an episode.

             Continues where you stopped, and says so.
      """,
      """
             -s, --speed X
                    play X times as fast
      """,
      """
                 podcli play 'late night' --start -1m
                     a minute before the end
      """,
      """
         queue [COMMAND] [options]
             Show or change what plays next.

             Alone it does queue list.

         queue list [options] [FILTER...]
      """,
      """
      FILTERS
             Every list takes filters.

             unplayed
                    not yet played
      """,
    ] { #expect(text.contains(part)) }
    #expect(!text.contains("secret") && !text.contains("debug"))
  }

  @Test func `literal text comes out of the formatter unchanged`() async throws {
    let odd = #".dot 'quote' `tick` -dash ~tilde ^hat \ back "double""#
    let program = CommandKit.Program(
      "odd", version: "1", summary: "odd", topics: [], examples: [Example(odd, "odd")],
      sections: [ManualSection("json", summary: "j", [.verbatim("{\"a\": 1}\n\n.b '\\n'")])])
    let text = try await text(program.text(of: .manual))
    #expect(text.contains("           " + odd + "\n"), "\(text)")
    #expect(text.contains("           {\"a\": 1}\n\n           .b '\\n'\n"), "\(text)")
  }
}
