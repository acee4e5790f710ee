import PodcastModel
import PodcastStore
import Podcatcher

/// Prints each segment of a transcript when it is spoken, as long as another podcli plays the episode.
struct TranscriptFollower: Sendable {
  private let context: Context

  init(_ context: Context) { self.context = context }

  func run(_ words: String) async throws(Failure) {
    try await context.withStore(.readWrite) { store in
      let entry = try await context.episode(words, in: store).entry
      let id = entry.episode.id
      let said = try await context.live.sideDocuments(store: store).transcript(of: id)
      let segments = said.heard(by: try await store.anchors(of: id))
      guard segments.contains(where: { $0.start != nil }) else {
        guard !segments.isEmpty else { throw Failure(.notFound, "this episode has no transcript") }
        throw Failure(
          .notFound, "this episode has no transcript with times", hint: "podcli transcript \(id.rawValue) shows all")
      }
      if context.live.otherPlayer()?.episode != id {
        context.console.say("Waiting until \(entry.headline) plays: podcli play \(id.rawValue)")
      }
      try await follow(id, segments, store)
    }
  }

  /// Waits for a player to begin, and ends with it.
  private func follow(_ id: EpisodeID, _ segments: [TranscriptSegment], _ store: PodcastStore) async throws {
    var shown: Int?
    var hasPlayed = false
    for await _ in try Watch(context).events(store, ticks: .seconds(1)) {
      let isPlaying = context.live.otherPlayer()?.episode == id
      if isPlaying, let position = try await position(of: id, store)?.inSeconds {
        let current = segments.lastIndex { ($0.start ?? .infinity) <= position }
        if let current, current != shown { show(segments[next(after: shown, current, segments)...current]) }
        shown = current
      }
      if hasPlayed, !isPlaying { return }
      hasPlayed = isPlaying
    }
  }

  /// As the player tells it: it may save its position seldom, or not at all.
  private func position(of id: EpisodeID, _ store: PodcastStore) async throws(StoreError) -> Duration? {
    if let status = PlayerStatus.ofPlayer(context.live.paths), status.episode == id { return status.position }
    return try await store.episode(id)?.status.lastListenTime
  }

  /// The next segment to print: up to five are made up for; after a jump only the current one is printed, with those that
  /// begin at the same time.
  private func next(after shown: Int?, _ current: Int, _ segments: [TranscriptSegment]) -> Int {
    guard let shown, shown < current, current - shown <= 5 else {
      return segments[..<current].lastIndex { $0.start != segments[current].start }.map { $0 + 1 } ?? 0
    }
    return shown + 1
  }

  private func show(_ segments: ArraySlice<TranscriptSegment>) {
    let console = context.console
    let page = TranscriptPage(width: console.width, paint: Paint(console))
    for segment in segments {
      if console.isJSON {
        context.printJSON(TranscriptPage.json(segment))
      } else {
        console.write(console.isOutputTerminal ? page.rendered([segment]) : TranscriptPage.tabSeparated([segment]))
      }
    }
  }
}
