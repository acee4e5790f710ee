import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import Text

enum TagCommand {
  private static let podcast = Argument("PODCAST", kind: .dynamic("podcast"), help: "the podcast")
  private static let tags = Arguments("NAME", kind: .dynamic("tag"), orNone: true, help: "the tags")
  private static let remove = Flag("remove", short: "r", help: "remove the tags")

  static let entry = CommandEntry(
    command: Command(
      "tag", synonyms: ["tags", "untag"], summary: "add tags to a podcast, or remove them",
      discussion: """
        Without NAME it shows the tags. The filter word `tag:NAME` selects the episodes of all podcasts with a tag; case \
        makes no difference. `podcli undo` undoes both.
        """,
      arguments: [podcast, tags], options: [remove],
      examples: [
        Example("podcli tag daily news", "add it to the tag news"),
        Example("podcli tag daily news --remove", "take it out again"),
        Example("podcli tag daily", "the tags it has"),
      ])
  ) { invocation, context throws(Failure) in
    let (tags, removing) = (invocation[tags], invocation[remove])
    if removing, tags.isEmpty {
      throw Failure(.usage, "--remove needs a tag", hint: "podcli tag PODCAST shows the tags")
    }
    if !removing { try check(tags, example: "podcli tag PODCAST news") }
    try await context.withStore(tags.isEmpty ? .readOnly : .readWrite) { store in
      let podcast = try await context.podcast(invocation[podcast], in: store)
      if removing { try await check(tags, podcast, in: store) }
      if !tags.isEmpty { try await store.change(tags: tags, of: podcast.id, adding: !removing) }
      show(try await store.tags(of: podcast.id), of: podcast, isAnswer: tags.isEmpty, context)
    }
  }

  /// Refuses a tag without a name.
  static func check(_ tags: [String], example: String) throws(Failure) {
    guard tags.contains(where: { $0.allSatisfy(\.isWhitespace) }) else { return }
    throw Failure(.usage, "a tag without a name", hint: "for example: " + example)
  }

  private static func check(_ tags: [String], _ podcast: PodcastEntry, in store: PodcastStore) async throws {
    for tag in tags where try await !store.hasTag(tag, of: podcast.id) {
      let present = try await store.tags(of: podcast.id)
      throw Failure(
        .notFound, "\(CleanText.line(podcast.title)) has no tag '\(CleanText.line(tag))'",
        hint: present.isEmpty ? "it has none" : "it has: " + CleanText.line(present.joined(separator: ", ")))
    }
  }

  private static func show(_ tags: [String], of podcast: PodcastEntry, isAnswer: Bool, _ context: Context) {
    let console = context.console
    if console.isJSON {
      return context.printJSON([
        "podcast": EpisodeJSON.podcast(podcast.reference), "tags": .array(tags.map { JSON($0) }),
      ])
    }
    if isAnswer, !tags.isEmpty { return console.write(tags.map { CleanText.line($0) + "\n" }.joined()) }
    let list = tags.isEmpty ? "no tags" : CleanText.line(tags.joined(separator: ", "))
    console.say("\(CleanText.line(podcast.title)): \(list)")
  }
}
