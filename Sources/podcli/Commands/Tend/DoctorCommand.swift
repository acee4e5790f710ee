import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import Text

enum DoctorCommand {
  private static let podcast = OptionalArgument(
    "PODCAST", kind: .dynamic("podcast"), help: "follow the way to this one's feed and newest medium")
  private static let full = Flag("full", help: "also compare every index with what it was made from")
  private static let repair = Flag("repair", help: "make anew what can be made anew: counts, marks, the search index")

  static let entry = CommandEntry(
    command: Command(
      "doctor", synonyms: ["check", "diagnose"], summary: "say why the library, the audio or a podcast does not work",
      discussion: """
        Looks at the library, the disk, the settings, the audio output and the network library, changes nothing, and \
        says what to do. With a PODCAST it asks its feed step by step instead: name, connection, certificate, redirects, \
        answer, contents, medium. Its exit status is that of the first thing that is bad.
        """,
      arguments: [podcast], options: [full, repair],
      examples: [
        Example("podcli doctor", "a quick look at everything"),
        Example("podcli doctor \"late night\"", "why a feed does not work"),
        Example("podcli doctor --full --repair", "a long one, after a crash of the machine"),
      ])
  ) { invocation, context throws(Failure) in
    if let words = invocation[podcast] { return try await examine(words, context) }
    if invocation[repair] { try await context.withStore(.readWrite) { try await $0.rebuild() } }
    if !context.console.isVerbose { StandardError.keepLibrariesQuiet() }
    let findings = await context.live.diagnosis.findings(isThorough: invocation[full]) { () throws(StoreError) in
      try context.openLibrary(.readOnly, on: MainThread.executor)
    }
    try conclude(findings.map { FindingText($0) }, context)
  }

  private static func examine(_ words: String, _ context: Context) async throws(Failure) {
    let podcast = try await context.withStore(.readOnly) { store in try await context.podcast(words, in: store) }
    let findings: [FeedFinding]
    do throws(NetworkFailure) {
      findings = try await context.live.feedDiagnosis.findings(podcast)
    } catch {
      throw Failure(error, about: podcast.title)
    }
    try conclude(findings.map { FindingText($0, of: podcast) }, context)
  }

  private static func conclude(_ findings: [FindingText], _ context: Context) throws(Failure) {
    show(findings, context)
    let bad = findings.filter { $0.state == .bad }
    guard let first = bad.first else { return }
    var failure = Failure(
      first.code, "\(bad.count) of \(findings.count) things are bad: \(bad.map(\.name).joined(separator: ", "))")
    failure.isTold = context.console.isJSON
    throw failure
  }

  private static func show(_ findings: [FindingText], _ context: Context) {
    let console = context.console
    if console.isJSON { return context.printJSON(["findings": .array(findings.map(\.json))]) }
    for finding in findings {
      console.write(finding.rendered(Paint(console), width: console.isOutputTerminal ? console.width : nil))
    }
  }
}
