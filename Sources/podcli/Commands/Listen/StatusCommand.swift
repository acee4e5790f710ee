import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import Text

enum StatusCommand {
  private static let watch = Flag("watch", short: "w", help: "show it again whenever it changes")

  static let entry = CommandEntry(
    command: Command(
      "status", synonyms: ["now", "nowplaying"], summary: "show what is playing, or what would be resumed",
      discussion: "Sees every podcli that plays from this library, whichever terminal it runs in: whether it plays, is "
        + "paused or waits for the network, and where it is.",
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
  /// What it says of itself.
  var state: PlayerState?

  static func now(_ store: PodcastStore, _ live: Live) async throws(StoreError) -> PlaybackStatus {
    let holder = live.otherPlayer()
    var entry: EpisodeEntry?
    if let id = holder?.episode { entry = try await store.episode(id) }
    if entry == nil { entry = try await store.current() }
    if entry == nil { entry = try await store.resumable(limit: 1).first }
    let state = holder.flatMap { live.state(of: $0) }
    return PlaybackStatus(entry: entry, player: holder?.pid, state: state?.episode == entry?.episode.id ? state : nil)
  }

  var json: JSON {
    [
      "state": JSON(mode), "episode": entry.map(EpisodeJSON.document), "position": position.map(EpisodeJSON.seconds),
      "duration": duration.map(EpisodeJSON.seconds), "speed": state.flatMap { JSON($0.speed) },
      "volume": state.flatMap { JSON($0.volume) },
      "chapter": state?.chapter.map { ["index": JSON($0.index), "title": JSON($0.title)] },
      "sleepAt": state?.sleepAt.map { JSON($0) }, "pid": JSON(player),
    ]
  }

  func text(for console: Console) -> String {
    if console.isJSON { return json.compact + "\n" }
    return (console.isOutputTerminal ? line(width: console.width) : tabSeparated) + "\n"
  }

  private var mode: String { player == nil ? "stopped" : state?.mode.rawValue ?? "playing" }
  private var position: Duration? { state?.position ?? entry?.status.lastListenTime }
  private var duration: Duration? { state?.duration ?? entry?.episode.duration }

  /// State, number, podcast, title, place and length in seconds.
  var tabSeparated: String {
    guard let entry else { return mode }
    let numbers = [position, duration].map { length in
      length.map { String($0.components.seconds) } ?? ""
    }
    let texts = [entry.podcast.title, entry.episode.title].map { CleanText.line($0, limit: .max) }
    return ([mode, String(entry.episode.id.rawValue)] + texts + numbers).joined(separator: "\t")
  }

  private var lineMode: PlayingLine.Mode {
    guard player != nil else { return .stopped }
    switch state?.mode {
    case .paused: return .paused
    case .buffering: return .buffering
    case .playing, nil: return .playing
    }
  }

  /// Never wider than the screen.
  func line(width: Int) -> String {
    guard let entry else { return "Nothing is playing, and there is nothing to resume." }
    var line = PlayingLine(title: entry.headline)
    line.mode = lineMode
    line.position = position ?? .zero
    line.duration = duration
    line.speed = state?.speed ?? 1
    return line.rendered(width: max(20, width))
  }
}
