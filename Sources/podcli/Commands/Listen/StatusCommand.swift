import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import System
import Text

enum StatusCommand {
  private static let watch = Flag("watch", short: "w", help: "show it again whenever it changes")
  private static let line = Option<Int>(
    "line", value: "COLUMNS", implied: 0, kind: .integer(in: 1...10_000),
    help: "one line for a status bar, no wider than that")

  static let entry = CommandEntry(
    command: Command(
      "status", synonyms: ["now", "nowplaying"], summary: "show what is playing, or what would be resumed",
      discussion: "Sees every podcli that plays from this library, whichever terminal it runs in: whether it plays, is "
        + "paused or waits for the network, and where it is.",
      options: [watch, line],
      examples: [
        Example("podcli status", "what is playing"),
        Example("podcli status --json | jq -r .episode.title", "its title"),
        Example("podcli status --line=60", "a line for a status bar"),
        Example("podcli status --watch --json", "a line for each change, for a status bar that listens"),
      ])
  ) { invocation, context throws(Failure) in
    let line = invocation[line]
    let text: @Sendable (StatusText) -> String = { status in
      status.text(for: context.console, asLine: line.map { $0 > 0 ? $0 : context.console.width })
    }
    if invocation[watch] { return try await StatusWatch(context).show(text) }
    if let status = askPlayer(context) { return context.console.write(text(status)) }
    context.console.write(
      try await context.withStore(.readOnly) { store in
        text(StatusText(try await PlayerStatus.current(store, context.live.paths)))
      })
  }

  /// Nil where no player answers; the library and the player's file tell the rest.
  private static func askPlayer(_ context: Context) -> StatusText? {
    guard let document = try? PlayerClient.ifReachable(context.live.paths)?.ask(["status"]) else { return nil }
    return StatusText(document: document)
  }
}

/// Follows the status: from the player's socket, within milliseconds; without a player, from the library.
private struct StatusWatch {
  private let context: Context
  private let watch: Watch

  init(_ context: Context) {
    self.context = context
    watch = Watch(context)
  }

  func show(_ text: @escaping @Sendable (StatusText) -> String) async throws(Failure) {
    try await context.withStore(.readWrite) { store in
      var last: String?
      for await _ in try watch.events(store, ticks: .seconds(1)) {
        for await document in followed() { watch.draw(text(StatusText(document: document)), &last) }
        let status = try await PlayerStatus.current(store, context.live.paths)
        watch.draw(text(StatusText(status)), &last)
      }
    }
  }

  /// The statuses of the player that runs, until its end.
  private func followed() -> AsyncStream<JSON> {
    AsyncStream(bufferingPolicy: .bufferingNewest(16)) { continuation in
      guard let client = PlayerClient.ifReachable(context.live.paths),
        let first = try? client.ask(["watch", "1"])
      else { return continuation.finish() }
      continuation.yield(first)
      onThread {
        while let status = client.nextStatus() { continuation.yield(status) }
        continuation.finish()
      }
    }
  }
}
