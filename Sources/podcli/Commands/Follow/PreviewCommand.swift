import CommandKit
import PodcastModel
import Podcatcher

enum PreviewCommand {
  private static let source = Argument(
    "FEED", kind: .file, help: "the address of a feed, a file, or `-` for standard input")
  private static let base = Option(
    "base-url", value: "URL", help: "resolve relative addresses against this one")

  static let entry = CommandEntry(
    command: Command(
      "preview", summary: "show what a feed says without subscribing",
      discussion: """
        With `--json` everything that was understood is one document on standard output, written while the feed is \
        read: what fails in the middle leaves it unfinished.
        """,
      arguments: [source], options: [base],
      examples: [
        Example("podcli preview https://example.org/feed.xml", "look before you subscribe"),
        Example("podcli preview feed.xml --base-url https://example.org/ --json", "a file, for a program"),
      ])
  ) { invocation, context throws(Failure) in
    if context.console.isJSON {
      let document = PreviewDocument(context.console)
      document.end(try await read(invocation[source], base: invocation[base], context, document.add))
    } else {
      let feed = try await read(invocation[source], base: invocation[base], context, nil)
      context.console.write(
        PreviewPage(width: context.console.isOutputTerminal ? context.console.width : nil, now: .now).text(feed))
    }
  }

  private static func read(
    _ source: String, base: String?, _ context: Context, _ take: (@Sendable ([FeedEpisode]) -> Void)?
  ) async throws(Failure) -> Feed {
    do throws(FollowError) {
      if source == "-" { return try FeedFile.feed("-", baseURL: base, takeEpisodes: take) }
      switch FeedAddress(source, isFile: Subscriber.localFile) {
      case .file(let path): return try FeedFile.feed(path, baseURL: base, takeEpisodes: take)
      case .web(let address): return try await context.live.preview(address, baseURL: base, takeEpisodes: take)
      case nil: throw .notAnAddress(source)
      }
    } catch {
      if case .notAnAddress(let name) = error { throw Failure(notAnAddress: name, command: "preview") }
      throw Failure(error, about: source)
    }
  }
}
