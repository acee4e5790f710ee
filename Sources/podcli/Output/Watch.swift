import Glibc
import PodcastModel
import PodcastStore
import Podcatcher

/// Redraws a text whenever any podcli changes the library, until a signal or a closed pipe ends it.
struct Watch: Sendable {
  enum Event: Sendable { case change, tick }

  private let context: Context
  private var console: Console { context.console }

  init(_ context: Context) { self.context = context }

  /// Draws at once, and again when the text has changed. `before` may refuse.
  func show(
    before check: (PodcastStore) async throws -> Void = { _ in },
    _ text: @Sendable (PodcastStore) async throws -> String
  ) async throws(Failure) {
    try await context.withStore(.readWrite) { store in
      try await check(store)
      var last: String?
      for await _ in try events(store, ticks: .seconds(1)) {
        draw(try await text(store), &last)
      }
    }
  }

  /// Changes of the library, and ticks for events outside it: a killed player, a reader that has gone.
  func events(_ store: PodcastStore, ticks interval: Duration) throws(StoreError) -> AsyncStream<Event> {
    let changes = try store.changes()
    let (stream, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(2))
    continuation.yield(.change)
    let listening = Task {
      for await _ in changes { continuation.yield(.change) }
    }
    let ticking = Task {
      while (try? await Task.sleep(for: interval)) != nil {
        if Self.isReaderGone { _exit(0) }
        continuation.yield(.tick)
      }
    }
    continuation.onTermination = { _ in
      listening.cancel()
      ticking.cancel()
    }
    return stream
  }

  /// Draws a text that is not the last one. Overwrites the screen line by line, so that nothing flickers.
  func draw(_ text: String, _ last: inout String?) {
    guard text != last else { return }
    last = text
    guard console.isOutputTerminal, !console.isJSON else { return console.write(text) }
    // More lines than the screen has would scroll the first ones away.
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).prefix(Console.rows() ?? .max)
    console.write("\u{1B}[H" + lines.joined(separator: "\u{1B}[K\n") + "\u{1B}[J")
  }

  private static var isReaderGone: Bool {
    var output = pollfd(fd: 1, events: 0, revents: 0)
    return poll(&output, 1, 0) > 0 && output.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0
  }
}
