import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher

enum ExportCommand {
  private static let includePrivate = Flag(
    "include-private", help: "private feeds, too, with their secret addresses and passwords")

  static let entry = CommandEntry(
    command: Command(
      "export", summary: "write what you follow as OPML",
      discussion: "The list goes to standard output, with tags as outlines. Private feeds stay here unless asked for.",
      options: [includePrivate],
      examples: [Example("podcli export > podcasts.opml", "for another program, or another machine")])
  ) { invocation, context throws(Failure) in
    let isWanted = invocation[includePrivate]
    let export = try await context.withStore(.readOnly) { store in
      try await context.live.subscriptions(store: store).export(includingPrivate: isWanted)
    }
    if context.console.isJSON {
      let feeds = (try? SubscriptionList.feeds(in: Array(export.document.utf8))) ?? []
      context.printJSON(FeedDocument.json(outlines: feeds))
    } else {
      context.console.write(export.document)
    }
    if export.leftOut > 0 {
      let feeds = counted(export.leftOut, "private feed")
      context.console.say("\(feeds) left out; --include-private takes them along")
    }
  }
}
