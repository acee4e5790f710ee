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
      StatusText(try await PlayerStatus.current(store, context.live.paths)).text(for: context.console)
    }
    if invocation[watch] { return try await Watch(context).show(text) }
    context.console.write(try await context.withStore(.readOnly, text))
  }
}

/// A status as `status` prints it.
struct StatusText {
  private let status: PlayerStatus

  init(_ status: PlayerStatus) { self.status = status }

  var json: JSON {
    [
      "state": JSON(status.state.rawValue), "episode": status.entry.map(EpisodeJSON.document),
      "position": status.positionOrKept.map(EpisodeJSON.seconds),
      "duration": status.durationOrAnnounced.map(EpisodeJSON.seconds), "speed": status.speed.flatMap { JSON($0) },
      "volume": status.volume.flatMap { JSON($0) },
      "chapter": status.chapter.map { ["index": JSON($0.index), "title": JSON($0.title)] },
      "sleepAt": status.sleepAt.map { JSON($0) }, "pid": JSON(status.pid),
    ]
  }

  func text(for console: Console) -> String {
    if console.isJSON { return json.compact + "\n" }
    return (console.isOutputTerminal ? line(width: console.width) : tabSeparated) + "\n"
  }

  /// State, number, podcast, title, position and length in seconds.
  var tabSeparated: String {
    guard let entry = status.entry else { return status.state.rawValue }
    let numbers = [status.positionOrKept, status.durationOrAnnounced].map { length in
      length.map { String($0.components.seconds) } ?? ""
    }
    let texts = [entry.podcast.title, entry.episode.title].map { CleanText.line($0, limit: .max) }
    return ([status.state.rawValue, String(entry.episode.id.rawValue)] + texts + numbers).joined(separator: "\t")
  }

  /// Never wider than the screen.
  func line(width: Int) -> String {
    guard let line = PlayingLine(status) else { return "Nothing is playing, and there is nothing to resume." }
    return line.rendered(width: max(20, width))
  }
}
