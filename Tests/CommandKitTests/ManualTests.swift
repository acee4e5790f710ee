import CommandKit
import Testing

struct ManualTests {
  private func formatted(_ arguments: String...) throws -> Child.Result {
    try Child.run(
      ["groff", "-man", "-Kutf8", "-ww"] + arguments, environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"],
      input: Sample.program.text(of: .manual))
  }

  @Test func `the manual is roff without a complaint`() throws {
    let result = try formatted("-z")
    #expect(result.status == 0 && result.output.isEmpty, "\(result.output)")
  }

  @Test func `the manual reads well`() throws {
    let text = try formatted("-Tutf8", "-P-cbou").output
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

  @Test func `what is to be typed comes out of the formatter as it went in`() throws {
    let odd = #".dot 'quote' `tick` -dash ~tilde ^hat \ back "double""#
    let program = Program(
      "odd", version: "1", summary: "odd", topics: [], examples: [Example(odd, "odd")],
      sections: [ManualSection("json", summary: "j", [.verbatim("{\"a\": 1}\n\n.b '\\n'")])])
    let text = try Child.run(
      ["groff", "-man", "-Kutf8", "-ww", "-Tutf8", "-P-cbou"],
      environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"], input: program.text(of: .manual)
    ).output
    #expect(text.contains("           " + odd + "\n"), "\(text)")
    #expect(text.contains("           {\"a\": 1}\n\n           .b '\\n'\n"), "\(text)")
  }
}
