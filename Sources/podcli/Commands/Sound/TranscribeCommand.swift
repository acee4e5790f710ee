import CommandKit
import Dispatch
import Glibc
import PodcastModel
import PodcastStore
import Podcatcher
import Synchronization
import Text

enum TranscribeCommand {
  private static let episodes = EpisodeWords.argument(
    "which ones, or filter words; none: all that wait", orFilters: true, orNone: true)
  private static let again = Flag("again", help: "also where there is a transcript")
  /// For podcli itself, after downloads: those that are wanted, and all that wait, without a word.
  private static let background = Flag("background", help: "those that auto-transcribe asks for", isHidden: true)

  static let entry = CommandEntry(
    command: Command(
      "transcribe", summary: "make transcripts with a program of your own",
      discussion: """
        `podcli config set transcriber='PROGRAM …'` names it, with `{wav}` for the sound (WAV, 16 kHz, mono) and `{out}` \
        for the path of the result without its ending: WebVTT, SubRip or JSON. It runs without a shell, at the lowest \
        priority, and in a folder of its own, which goes away. Episodes have to be on this machine, a network is not \
        needed. With whisper.cpp: `podcli config set transcriber='whisper-cli -m MODEL -f {wav} -ovtt -of {out}'`.

        The transcript is searched like a publisher's, which takes its place as soon as there is one.

        What is interrupted goes on with `podcli transcribe` alone, which also tries again what failed. \
        `podcli set PODCAST auto-transcribe=on` transcribes downloads that have no transcript.
        """,
      arguments: [episodes], options: [again, background],
      examples: [
        Example("podcli transcribe 142", "one episode"),
        Example("podcli transcribe", "all that wait"),
      ]),
    endsByShutdown: true
  ) { invocation, context throws(Failure) in try await run(invocation, context) }

  private static func run(_ invocation: Invocation, _ context: Context) async throws(Failure) {
    let words = invocation[episodes]
    if !context.console.isVerbose { StandardError.keepLibrariesQuiet() }
    try await context.withStore(.readWrite) { store in
      let ended = TranscribedList(context.console)
      let transcriber = context.live.transcriber(store: store, report: ended.take)
      Signals.watchAlways(Signals.ending, on: DispatchQueue(label: "signals")) { signal in
        transcriber.stop()
        ended.clear()
        _exit(128 + signal)
      }
      if invocation[background] {
        await transcriber.transcribeQueue(adding: words.compactMap { Int64($0) }.map { EpisodeID(rawValue: $0) })
      } else if words.isEmpty {
        try await transcriber.transcribeQueue()
        try ended.show(context)
      } else {
        let entries = try await EpisodeWords.entriesOrMatches(words, in: store, context)
        if entries.isEmpty, !context.console.isJSON { return context.console.say("No episode matches.") }
        try await transcriber.transcribe(entries, again: invocation[again])
        try ended.show(context)
      }
    }
  }
}

/// The episodes that were transcribed, and how far the one is that is transcribed now.
private final class TranscribedList: Sendable {
  private let console: Console
  private let progress: ProgressLine
  private let ended = Mutex<(documents: [JSON], failures: [Failure])>(([], []))

  init(_ console: Console) {
    self.console = console
    progress = ProgressLine(console, total: 1, unit: "episodes")
  }

  func clear() { progress.clear() }

  @Sendable func take(_ report: Transcriber.Report) {
    switch report {
    case .waiting: progress.say("Another podcli makes transcripts; waiting for it")
    case .sound(let entry, let heard): progress.show("\(ClockText.short(heard)) of the sound  \(entry.headline)")
    case .running(let entry, let time): progress.show("transcribing for \(ClockText.short(time))  \(entry.headline)")
    case .ended(let entry, .success(let transcript)):
      progress.clear()
      ended.withLock { $0.documents.append(Self.document(entry, transcript)) }
      if !console.isJSON { console.write("\(CleanText.line(entry.headline)): \(Self.words(transcript))\n") }
    case .ended(let entry, .failure(let error)):
      progress.clear()
      let failure = Failure(error, about: entry)
      let isFirst = ended.withLock { ended in
        ended.failures.append(failure)
        return ended.failures.count == 1
      }
      // The first is told at the end, where it is the only one.
      if !console.isJSON, !isFirst { console.say(failure.line) }
    }
  }

  func show(_ context: Context) throws(Failure) {
    let (documents, failures) = ended.withLock { $0 }
    if console.isJSON, failures.isEmpty || !documents.isEmpty { context.printJSON(.array(documents)) }
    if !console.isJSON, documents.isEmpty, failures.isEmpty { console.say("Nothing waits to be transcribed.") }
    guard let first = failures.first else { return }
    guard failures.count + documents.count > 1 else { throw first }
    let count = failures.count + documents.count
    throw Failure(
      documents.isEmpty ? first.code : .partial, "\(failures.count) of \(count) were not transcribed: \(first.message)",
      hint: first.hint)
  }

  private static func document(_ entry: EpisodeEntry, _ transcript: TranscribedEpisode) -> JSON {
    [
      "id": JSON(entry.episode.id.rawValue), "title": JSON(entry.episode.title), "segments": JSON(transcript.segments),
      "end": transcript.end.map(EpisodeJSON.seconds), "made": JSON(transcript.isNew),
    ]
  }

  /// `312 passages up to 1:02:03`
  private static func words(_ transcript: TranscribedEpisode) -> String {
    let end = transcript.end.map { " up to " + ClockText.short($0) } ?? ""
    return counted(transcript.segments, "passage") + end + (transcript.isNew ? "" : ", there already")
  }
}
