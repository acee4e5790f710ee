import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher

enum StatusCommand {
  static let face = Face(
    command: Command(
      "status", synonyms: ["now", "nowplaying"], summary: "show what is playing, or what would be resumed",
      discussion: "Sees every podcli that plays from this library, whichever terminal it runs in.",
      examples: [
        Example("podcli status", "what is playing"),
        Example("podcli status --json | jq -r .episode.title", "its title, for a status bar"),
      ])
  ) { invocation, context throws(Failure) in
    try await context.withStore(.readOnly) { store in
      let status = try await PlaybackStatus.now(store, context.live)
      if context.console.isJSON { return context.printJSON(status.json) }
      let console = context.console
      console.write((console.isOutputTerminal ? status.line(width: console.width) : status.tabSeparated) + "\n")
    }
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
    var line = PlayingLine(title: "\(entry.podcast.title): \(entry.episode.title)")
    line.mode = player == nil ? .stopped : .playing
    line.position = entry.status.lastListenTime ?? .zero
    line.duration = entry.episode.duration
    return line.rendered(width: max(20, width))
  }
}
