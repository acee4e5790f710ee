import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher

enum PlayCommand {
  private static let resume = Flag("resume", help: "go on where you stopped, from the start when no position is kept")
  private static let restart = Flag("restart", help: "from the start, whatever position is kept")
  private static let start = Option<TimeExpression>(
    "start", value: "TIME", kind: .time, help: "from this position: 41:07, 90s or 50%")

  static let entry = CommandEntry(
    command: Command(
      "play", summary: "play an episode, or go on",
      discussion: """
        Goes on where you stopped. The position is saved every second and once more at the end, whatever ends it: \
        `q`, Ctrl-C, a closed terminal or a signal. Of several that `-` reads, the first plays and the others are put \
        before the queue. A start far from where you stopped leaves a bookmark there. With `--detach` a process of its \
        own plays, which a closed terminal does not end.
        """,
      arguments: [PlayOptions.episode], options: [resume, restart, start] + PlayOptions.all,
      examples: [
        Example("podcli play 142 --resume", "the episode with that number, where you stopped"),
        Example("podcli play \"late night/latest\"", "the newest of a podcast"),
        Example("podcli play 142 --start 41:07", "from a time of your own"),
        Example("podcli play 142 --detach", "in the background, until podcli stop"),
        Example(
          "podcli playlist unplayed 'minutes<20' limit:3 | podcli play -", "three short ones, one after the other"),
      ]),
    endsByShutdown: true
  ) { invocation, context throws(Failure) in
    guard let words = invocation[PlayOptions.episode] else { return try goOn(invocation, context) }
    if let start = invocation[PlayOptions.background] {
      return try await BackgroundPlayer.play(EpisodeID(rawValue: Int64(words) ?? 0), from: start, context, invocation)
    }
    // Before the player lock is taken: what writes the list may be another podcli that plays.
    let names = try Reference.read([words], as: .episode)
    let unplayable = PlaySession.Unplayable()
    try await PlaySession.start(context, invocation, unplayable) { store in
      let choices = try await EpisodeWords.choices(named: names, in: store, context)
      if words == "-" { StandardInput.giveWayToKeys() }
      if choices.count > 1 { unplayable.expect(choices.map(\.entry.episode.id)) }
      guard let choice = choices.first else {
        throw Failure(.notFound, "standard input names no episode", hint: "podcli playlist prints what `-` reads")
      }
      let start = try startPosition(invocation, choice, Settings(config: context.config()))
      if choices.count > 1, !invocation[PlayOptions.noQueue] {
        try await lineUp(choices.dropFirst(), isSaving: !invocation[PlayOptions.noSave], store, context.console)
      }
      // With `--no-save` the position stays, and the library may be one that cannot be written.
      if !invocation[PlayOptions.noSave] { await keepAsBookmark(choice.entry, leftFor: start, store) }
      return (choice.entry, start)
    }
  }

  private static func lineUp(
    _ choices: ArraySlice<Selection.Choice>, isSaving: Bool, _ store: PodcastStore, _ console: Console
  ) async throws {
    do throws(StoreError) {
      try await store.enqueue(choices.map(\.entry.episode.id), at: .next)
    } catch {
      guard !isSaving, error.isAboutWriting else { throw error }
      return console.say("Only the first is played: the library cannot be written, so nothing can be queued")
    }
    console.say("Lined up \(counted(choices.count, "more episode"))")
    if choices.contains(where: { $0.start != nil }) {
      console.say("The time behind an episode counts only for the one that plays now")
    }
  }

  private static func goOn(_ invocation: Invocation, _ context: Context) throws(Failure) {
    let isBare = invocation.words(of: [resume, restart, start] + PlayOptions.all).isEmpty
    guard isBare else {
      throw Failure(
        .usage, "play needs an EPISODE here",
        hint: "for example: podcli play 142 --resume; podcli resume goes on with the last one")
    }
    try PlayerControl.send(["play"], context)
  }

  /// Starting over, or far away, must not lose the old position. A library that is locked or full does not silence the
  /// episode.
  private static func keepAsBookmark(
    _ entry: EpisodeEntry, leftFor start: Listener.Start, _ store: PodcastStore
  ) async {
    guard let kept = entry.status.lastListenTime, kept > .zero else { return }
    let note: String
    switch start {
    case .resume: return
    case .at(let position):
      guard isFar(position, from: kept) else { return }
      note = "before starting at \(ClockText.short(position))"
    case .beginning: note = "before starting over"
    }
    let bookmarks = (try? await store.bookmarks(of: entry.episode.id)) ?? []
    // One of an attempt that failed.
    guard !bookmarks.contains(where: { $0.position == kept }) else { return }
    _ = try? await store.addBookmark(at: kept, note: note, in: entry.episode.id)
  }

  private static func isFar(_ position: Duration, from kept: Duration) -> Bool {
    position > kept + .seconds(60) || position < kept - .seconds(60)
  }

  private static func startPosition(
    _ invocation: Invocation, _ choice: Selection.Choice, _ settings: Settings
  ) throws -> Listener.Start {
    // `EPISODE --resume` works with every EPISODE, and goes on at the position that one has behind `@`.
    let options = [invocation[start] != nil, invocation[restart], invocation[resume]].count(where: \.self)
    guard options <= 1, choice.start == nil || options == 0 || invocation[resume] else {
      throw Failure(
        .usage, "two positions to start at", hint: "give one of EPISODE@TIME, --start TIME, --restart and --resume")
    }
    if let time = invocation[start] ?? choice.start {
      return .at(try time.position(in: choice.entry, example: "--start 41:07"))
    }
    let isResuming = invocation[resume] || settings[SettingKeys.resume] == .always
    return invocation[restart] || !isResuming ? .beginning : .resume
  }
}
