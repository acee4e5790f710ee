import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import Text

enum TranscriptCommand {
  private static let source = SideDocumentSource.argument("transcript")
  private static let at = Option<TimeExpression>("at", value: "TIME", kind: .time, help: "begin at this position")
  static let follow = Flag("follow", short: "f", help: "show what is being said while another podcli plays it")

  static let entry = CommandEntry(
    command: Command(
      "transcript", summary: "show what is said in an episode",
      discussion: """
        The transcript the feed links to, which is fetched, kept and searched from then on. In a pipe one stretch a \
        line: time, speaker, text.
        """,
      arguments: [source], options: [at, follow],
      examples: [
        Example("podcli transcript 142 --at 41:07", "from there on"),
        Example("podcli transcript @current --follow", "read along"),
        Example("podcli transcript talk.vtt --json", "a file, for a program"),
      ])
  ) { invocation, context throws(Failure) in
    let source = invocation[source]
    if invocation[follow] { return try await TranscriptFollower(context).run(source) }
    if SideDocumentSource.isFile(source) {
      let segments = SideDocuments.transcript(in: try SideDocumentSource.bytes(source))
      guard !segments.isEmpty else {
        throw Failure(
          .failed, "\(source) has no transcript that podcli can read",
          hint: "it reads WebVTT, SubRip, JSON, HTML and text")
      }
      return show(from(try position(invocation[at], nil), segments), isMadeHere: false, context)
    }
    try await context.withIndexedStore { store in
      let choice = try await context.episode(source, in: store)
      let id = choice.entry.episode.id
      let said = try await context.live.sideDocuments(store: store).transcript(of: id)
      let segments = said.heard(by: try await store.anchors(of: id))
      let isMadeHere = try await store.isTranscriptMadeHere(of: id)
      show(from(try position(invocation[at] ?? choice.start, choice.entry), segments), isMadeHere: isMadeHere, context)
    }
  }

  private static func position(_ time: TimeExpression?, _ entry: EpisodeEntry?) throws(Failure) -> Duration? {
    try time?.position(in: entry, example: "--at 41:07")
  }

  /// The segment spoken at the position, and all behind it.
  static func from(_ position: Duration?, _ segments: [TranscriptSegment]) -> [TranscriptSegment] {
    guard let seconds = position?.inSeconds else { return segments }
    let first = segments.lastIndex { ($0.start ?? .infinity) <= seconds }
    return first.map { Array(segments[$0...]) } ?? segments
  }

  private static func show(_ segments: [TranscriptSegment], isMadeHere: Bool, _ context: Context) {
    let console = context.console
    if console.isJSON {
      return context.printJSON([
        "segments": .array(segments.map(TranscriptPage.json)), "generated": isMadeHere ? true : nil,
      ])
    }
    guard !segments.isEmpty else { return console.say("This episode has no transcript.") }
    if isMadeHere { console.say("Made on this machine by podcli transcribe: words and names may be wrong.") }
    guard console.isOutputTerminal else { return console.write(TranscriptPage.tabSeparated(segments)) }
    Pager.show(TranscriptPage(width: console.width, paint: Paint(console)).rendered(segments), console)
  }
}
