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
    let width = invocation[line].map { $0 > 0 ? $0 : context.console.width }
    let text: @Sendable (StatusText) -> String = { $0.text(for: context.console, asLine: width) }
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

  /// What a player says until its end; nothing where none runs.
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

/// A status as `status` and the control words print it.
struct StatusText {
  private let status: PlayerStatus?
  private let document: JSON
  private let showsSound: Bool

  init(_ status: PlayerStatus) {
    self.status = status
    document = status.document
    showsSound = false
  }

  /// A status from a player's socket. `showsSound`: its line tells the volume and the filters.
  init(document: JSON, showsSound: Bool = false) {
    status = PlayerStatus(document: document)
    self.document = document
    self.showsSound = showsSound
  }

  /// `width` asks for a line of at most that many columns, wherever it goes.
  func text(for console: Console, asLine width: Int? = nil) -> String {
    if console.isJSON { return document.compact + "\n" }
    if let width { return line(width: width, orElse: "") + "\n" }
    guard console.isOutputTerminal else { return tabSeparated + "\n" }
    let nothing = "Nothing is playing, and there is nothing to resume."
    return line(width: max(20, console.width), orElse: nothing) + "\n"
  }

  /// State, number, podcast, title, position and length in seconds.
  private var tabSeparated: String {
    guard let status, let entry = status.entry else { return document["state"]?.text ?? "" }
    let numbers = [status.positionOrKept, status.durationOrAnnounced].map { length in
      length.map { String($0.components.seconds) } ?? ""
    }
    let texts = [entry.podcast.title, entry.episode.title].map { CleanText.line($0, limit: .max) }
    return ([status.state.rawValue, String(entry.episode.id.rawValue)] + texts + numbers).joined(separator: "\t")
  }

  private func line(width: Int, orElse nothing: String) -> String {
    guard let status, var line = PlayingLine(status) else { return nothing }
    if showsSound { line.note = status.soundText ?? line.note }
    return line.rendered(width: width)
  }
}

extension PlayerStatus {
  /// `volume 80 %, trim mild, boost on`
  var soundText: String? {
    guard let volume, let trim, let boost else { return nil }
    return PlayingLine.soundText(volume: volume, trim: trim, boost: boost)
  }
}
