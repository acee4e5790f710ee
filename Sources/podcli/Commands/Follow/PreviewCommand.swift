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
      discussion: "With `--json` everything that was understood is one document on standard output.",
      arguments: [source], options: [base],
      examples: [
        Example("podcli preview https://example.org/feed.xml", "look before you subscribe"),
        Example("podcli preview feed.xml --base-url https://example.org/ --json", "a file, for a program"),
      ])
  ) { invocation, context throws(Failure) in
    let feed = try await read(invocation[source], base: invocation[base], context)
    if context.console.isJSON {
      context.printJSON(FeedDocument.json(feed).withoutUsers)
    } else {
      context.console.write(PreviewPage(width: context.console.width, now: .now).text(feed))
    }
  }

  private static func read(_ source: String, base: String?, _ context: Context) async throws(Failure) -> Feed {
    do throws(FollowError) {
      if source == "-" { return try FeedFile.feed("-", baseURL: base) }
      switch FeedAddress(source, isFile: Subscriber.localFile) {
      case .file(let path): return try FeedFile.feed(path, baseURL: base)
      case .web(let address): return try await context.live.preview(address, baseURL: base)
      case nil: throw .notAnAddress(source)
      }
    } catch {
      throw Failure(error, about: source)
    }
  }
}
