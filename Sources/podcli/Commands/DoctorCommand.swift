import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher

enum DoctorCommand {
  private static let full = Flag("full", help: "also compare every index with what it was made from")
  private static let repair = Flag("repair", help: "make anew what can be made anew: counts, marks, the search index")

  static let face = Face(
    command: Command(
      "doctor", synonyms: ["check", "diagnose"], summary: "say why the library or the audio does not work",
      discussion: """
        Looks at the library, the disk, the settings, the audio output and the network library, changes nothing, and \
        says what to do. Its exit status is that of the first thing that is bad.
        """,
      options: [full, repair],
      examples: [
        Example("podcli doctor", "a quick look at everything"),
        Example("podcli doctor --full --repair", "a long one, after a crash of the machine"),
      ])
  ) { invocation, context throws(Failure) in
    if invocation[repair] { try await context.withStore(.readWrite) { try await $0.rebuild() } }
    let findings = await Doctor(context, isThorough: invocation[full]).findings()
    show(findings, context)
    let bad = findings.filter { $0.state == .bad }
    guard let first = bad.first else { return }
    throw Failure(
      first.code, "\(bad.count) of \(findings.count) things are bad: \(bad.map(\.name).joined(separator: ", "))")
  }

  private static func show(_ findings: [Finding], _ context: Context) {
    let console = context.console
    if console.isJSON { return context.printJSON(["findings": .array(findings.map(\.json))]) }
    for finding in findings {
      console.write(finding.rendered(Paint(console), width: console.isOutputTerminal ? console.width : nil))
    }
  }
}
