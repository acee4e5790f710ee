import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import Text

enum ExportCommand {
  private static let includePrivate = Flag(
    "include-private", help: "private feeds, too, with their secret addresses and passwords")
  private static let portCast = Flag(
    "portcast",
    help:
      "as PortCast, which podcli and others import: with positions, marks, queue, bookmarks, tags, podcasts' settings of sound"
  )
  private static let actions = Flag("actions", help: "what was heard, as gpodder servers and Nextcloud take it")

  static let entry = CommandEntry(
    command: Command(
      "export", summary: "write what you follow as OPML, or with its state as JSON",
      discussion: """
        It goes to standard output; tags are outlines in OPML. Private feeds stay here unless asked for. The history \
        and the settings for all podcasts are in none of them: `podcli backup` copies the library with its history.
        """,
      options: [portCast, actions, includePrivate],
      examples: [
        Example("podcli export > podcasts.opml", "for another program, or another machine"),
        Example("podcli export --portcast > podcli.portcast.json", "with its state, for podcli import"),
      ])
  ) { invocation, context throws(Failure) in
    let isWanted = invocation[includePrivate]
    switch (invocation[portCast], invocation[actions]) {
    case (true, true):
      throw Failure(.usage, "export writes one of --portcast and --actions", hint: "podcli help export")
    case (true, false):
      try await write(context) { export in try await export.portCast(includingPrivate: isWanted) }
    case (false, true):
      try await write(context) { export in try await export.episodeActions(includingPrivate: isWanted) }
    case (false, false): try await writeList(includingPrivate: isWanted, context)
    }
  }

  private static func writeList(includingPrivate isWanted: Bool, _ context: Context) async throws(Failure) {
    let export = try await context.withStore(.readOnly) { store in
      try await context.live.subscriptions(store: store).export(includingPrivate: isWanted)
    }
    if context.console.isJSON {
      let feeds = (try? SubscriptionList.feeds(in: Array(export.document.utf8))) ?? []
      context.printJSON(FeedDocument.json(outlines: feeds))
    } else {
      context.console.write(export.document)
    }
    tell(export.leftOut, context)
  }

  private static func write(
    _ context: Context, _ make: (LibraryExport) async throws -> LibraryExport.Document
  ) async throws(Failure) {
    let document = try await context.withStore(.readOnly) { store in
      try await make(context.live.libraryExport(store: store))
    }
    context.console.write((context.console.isJSON ? document.json.compact : document.json.pretty) + "\n")
    tell(document.leftOutPodcasts, context)
    if document.leftOutEpisodes > 0 {
      context.console.say("\(counted(document.leftOutEpisodes, "episode")) of unknown length or date left out")
    }
  }

  private static func tell(_ leftOut: Int, _ context: Context) {
    guard leftOut > 0 else { return }
    context.console.say("\(counted(leftOut, "private feed")) left out; --include-private takes them along")
  }
}
