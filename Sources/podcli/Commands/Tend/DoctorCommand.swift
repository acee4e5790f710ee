import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import Text

enum DoctorCommand {
  private static let podcast = OptionalArgument(
    "PODCAST", kind: .dynamic("podcast"), help: "follow the way to this one's feed and newest medium")
  private static let full = Flag(
    "full", help: "also compare counts and marks with what they were made from")
  private static let fix = Flag(
    "fix",
    help: "make anew indexes, counts, marks and the search index; take in unknown downloads; take rights from others")
  /// An older name of `fix`.
  private static let repair = Flag("repair", help: "the same as --fix", isHidden: true)
  /// For podcli itself, in the background.
  private static let index = Flag("index", help: "only complete the search index", isHidden: true)

  static let entry = CommandEntry(
    command: Command(
      "doctor", synonyms: ["check", "diagnose"], summary: "say why the library, the audio or a podcast does not work",
      discussion: """
        Looks at the library, the disk, the settings, the audio output and the network library, changes nothing without --fix, \
        and says what to do. With a PODCAST it asks its feed step by step instead: name, connection, certificate, redirects, \
        answer, contents, medium. Its exit status is that of the first thing that is bad.
        """,
      arguments: [podcast], options: [full, fix, repair, index],
      examples: [
        Example("podcli doctor", "a quick look at everything"),
        Example("podcli doctor \"late night\"", "why a feed does not work"),
        Example("podcli doctor --full --fix", "a long one, after a crash of the machine"),
      ])
  ) { invocation, context throws(Failure) in
    if invocation[index] { return try await context.completeIndex() }
    if let words = invocation[podcast] { return try await examine(words, context) }
    if invocation[fix] || invocation[repair] { try await mend(context) }
    if !context.console.isVerbose { StandardError.keepLibrariesQuiet() }
    let findings = await context.live.diagnosis.findings(isThorough: invocation[full]) { () throws(StoreError) in
      try context.openLibrary(.readOnly, toleratesDamage: true, on: MainThread.executor)
    }
    try conclude(findings.map { FindingText($0) }, context)
  }

  /// Damage beyond what can be made anew is left to the findings.
  private static func mend(_ context: Context) async throws(Failure) {
    context.live.diagnosis.tightenRights()
    do throws(StoreError) {
      guard try PodcastStore.exists(at: context.live.paths.library) else { return }
      let store = try context.openLibrary(.readWrite, toleratesDamage: true)
      try await store.rebuild()
      try await store.indexForSearch()
      let adopted = try await context.live.unnamedFiles(store: store).adopt()
      if adopted > 0 { context.console.say("Taken in as downloads: \(counted(adopted, "file"))") }
      await store.close()
    } catch {
      guard error.code == .damaged else { throw Failure(error) }
    }
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
