import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher

enum ResumeCommand {
  private static let list = Flag("list", help: "show what could be resumed")

  static let entry = CommandEntry(
    command: Command(
      "resume", summary: "go on where you stopped",
      discussion:
        "Continues the current episode, or the one played last that was not finished. A player that is paused "
        + "goes on where it runs. A filter chooses among what was begun.",
      arguments: [FilterWords.argument], options: [list] + PlayOptions.all,
      examples: [
        Example("podcli resume", "go on"),
        Example("podcli resume --list", "see what was begun"),
        Example("podcli resume downloaded", "go on with what can be heard on a train"),
      ]),
    endsByShutdown: true
  ) { invocation, context throws(Failure) in
    let filter = try FilterWords.readUnsorted(invocation[FilterWords.argument], in: "the list of what was begun")
    if invocation[list] { return try await showCandidates(filter, context) }
    let isFiltered = !filter.conditions.isEmpty
    if !isFiltered, invocation.words(of: PlayOptions.playing).isEmpty, goesOn(context) { return }
    try await PlaySession.start(context, invocation) { store in
      if isFiltered { return (try await candidate(filter, store), .resume) }
      guard let entry = try await candidate(store) else { throw try await nothingToResume(store) }
      return (entry, .resume)
    }
  }

  /// Lets a player go on that is paused, wherever it runs.
  private static func goesOn(_ context: Context) -> Bool {
    guard let player = PlayerClient.ifReachable(context.live.paths),
      let status = try? player.ask(["status"]), PlayerStatus(document: status)?.state == .paused,
      let after = try? player.ask(["play"])
    else { return false }
    PlayerControl.show(after, after: "play", context.console)
    return true
  }

  private static func nothingToResume(_ store: PodcastStore) async throws -> Failure {
    guard let last = try await store.lastPlayed(), last.status.hasCompleted else {
      return Failure(
        .nothingToResume, "there is nothing to resume",
        hint: "start something with: podcli play EPISODE (podcli playlist shows what there is)")
    }
    let queued = try await store.queue().first
    let next = if let queued { queued } else { try await store.next(after: last.episode.id) }
    let kind = queued == nil ? "next unplayed" : "first in the queue"
    return Failure(
      .nothingToResume, "everything you began is finished, last \(last.podcast.title): \(last.episode.title)",
      hint: next.map { "\(kind): \($0.episode.title); podcli play \($0.episode.id.rawValue)" }
        ?? "podcli playlist shows what there is")
  }

  private static func candidate(_ store: PodcastStore) async throws -> EpisodeEntry? {
    if let current = try await store.current() { return current }
    return try await store.resumable(limit: 1).first
  }

  private static func candidate(_ filter: EpisodeFilter, _ store: PodcastStore) async throws -> EpisodeEntry {
    try await FilterWords.check(filter, in: store)
    guard let entry = try await begun(filter, store).first else {
      throw Failure(
        .nothingToResume, "nothing that was begun matches", hint: "podcli resume --list shows what was begun")
    }
    return entry
  }

  /// The current episode first.
  private static func begun(_ filter: EpisodeFilter, _ store: PodcastStore) async throws -> [EpisodeEntry] {
    try await store.resumable(limit: .max).matching(filter, in: store) { $0.episode.id }
  }

  private static func showCandidates(_ filter: EpisodeFilter, _ context: Context) async throws(Failure) {
    try await context.withLookup(filter) { store in
      let (limit, isFiltered) = (filter.limit ?? 20, !filter.conditions.isEmpty)
      let nothing =
        isFiltered
        ? "Nothing that was begun matches." : "There is nothing to resume. Start something with: podcli play EPISODE"
      EpisodeList(limit: limit, context, whenEmpty: nothing).print(
        isFiltered ? try await begun(filter, store) : try await store.resumable(limit: limit))
    }
  }
}
