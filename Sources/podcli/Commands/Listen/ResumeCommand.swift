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
        + "goes on where it runs.",
      arguments: [FilterWords.argument], options: [list] + PlayOptions.all,
      examples: [
        Example("podcli resume", "go on"),
        Example("podcli resume --list", "see what was begun"),
        Example("podcli resume --list podcast:daily", "of one podcast"),
      ]),
    endsByShutdown: true
  ) { invocation, context throws(Failure) in
    let filter = try FilterWords.readUnsorted(invocation[FilterWords.argument], in: "the list of what was begun")
    if invocation[list] { return try await showCandidates(filter, context) }
    guard invocation[FilterWords.argument].isEmpty else {
      throw Failure(
        .usage, "a filter chooses what --list shows, not what goes on",
        hint: "podcli resume --list FILTER, then podcli play EPISODE --resume")
    }
    if invocation.words(of: PlayOptions.playing).isEmpty, goesOn(context) { return }
    try await PlaySession.start(context, invocation) { store in
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
    let next = try await store.next(after: last.episode.id)
    return Failure(
      .nothingToResume, "everything you began is finished, last \(last.podcast.title): \(last.episode.title)",
      hint: next.map { "next unplayed: \($0.episode.title); podcli play \($0.episode.id.rawValue)" }
        ?? "podcli playlist shows what there is")
  }

  private static func candidate(_ store: PodcastStore) async throws -> EpisodeEntry? {
    if let current = try await store.current() { return current }
    return try await store.resumable(limit: 1).first
  }

  private static func showCandidates(_ filter: EpisodeFilter, _ context: Context) async throws(Failure) {
    try await context.withLookup(filter) { store in
      let (limit, isFiltered) = (filter.limit ?? 20, !filter.conditions.isEmpty)
      let begun = try await store.resumable(limit: isFiltered ? .max : limit)
      let nothing =
        isFiltered && !begun.isEmpty
        ? "Nothing that was begun matches." : "There is nothing to resume. Start something with: podcli play EPISODE"
      EpisodeList(limit: limit, context, whenEmpty: nothing).print(
        try await begun.matching(filter, in: store) { $0.episode.id })
    }
  }
}
