import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher

enum StatusCommand {
  private static let watch = Flag("watch", short: "w", help: "show it again whenever it changes")

  static let face = Face(
    command: Command(
      "status", synonyms: ["now", "nowplaying"], summary: "show what is playing, or what would be resumed",
      discussion: "Sees every podcli that plays from this library, whichever terminal it runs in.",
      options: [watch],
      examples: [
        Example("podcli status", "what is playing"),
        Example("podcli status --json | jq -r .episode.title", "its title, for a status bar"),
        Example("podcli status --watch --json", "a line for each change, for a status bar that listens"),
      ])
  ) { invocation, context throws(Failure) in
    let text: @Sendable (PodcastStore) async throws -> String = { store in
      try await PlaybackStatus.now(store, context.live).text(for: context.console)
    }
    if invocation[watch] { return try await Watch(context).show(text) }
    context.console.write(try await context.withStore(.readOnly, text))
  }
}

/// What is playing in any podcli, or would be resumed.
struct PlaybackStatus: Hashable {
  var entry: EpisodeEntry?
  /// The process that plays.
  var player: Int32?

  static func now(_ store: PodcastStore, _ live: Live) async throws(StoreError) -> PlaybackStatus {
    let holder = live.otherPlayer()
    var entry: EpisodeEntry?
    if let id = holder?.episode { entry = try await store.episode(id) }
    if entry == nil { entry = try await store.current() }
    if entry == nil { entry = try await store.resumable(limit: 1).first }
    return PlaybackStatus(entry: entry, player: holder?.pid)
  }

  var json: JSON {
    [
      "state": JSON(state), "episode": entry.map(EpisodeJSON.document),
      "position": entry?.status.lastListenTime.map(EpisodeJSON.seconds),
      "duration": entry?.episode.duration.map(EpisodeJSON.seconds), "pid": JSON(player),
    ]
  }

  func text(for console: Console) -> String {
    if console.isJSON { return json.compact + "\n" }
    return (console.isOutputTerminal ? line(width: console.width) : tabSeparated) + "\n"
  }

  private var state: String { player == nil ? "stopped" : "playing" }

  /// State, number, podcast, title, place and length in seconds.
  var tabSeparated: String {
    guard let entry else { return state }
    let numbers = [entry.status.lastListenTime, entry.episode.duration].map { length in
      length.map { String($0.components.seconds) } ?? ""
    }
    let texts = [entry.podcast.title, entry.episode.title].map { CleanText.line($0, limit: .max) }
    return ([state, String(entry.episode.id.rawValue)] + texts + numbers).joined(separator: "\t")
  }

  /// Never wider than the screen.
  func line(width: Int) -> String {
    guard let entry else { return "Nothing is playing, and there is nothing to resume." }
    var line = PlayingLine(title: entry.headline)
    line.mode = player == nil ? .stopped : .playing
    line.position = entry.status.lastListenTime ?? .zero
    line.duration = entry.episode.duration
    return line.rendered(width: max(20, width))
  }
}
