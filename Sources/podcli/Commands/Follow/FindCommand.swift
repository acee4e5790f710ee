import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import ScreenKit
import Text

enum FindCommand {
  private static let words = Arguments("QUERY", kind: .text, help: "what it is called or about")
  private static let via = Option<[String]>(
    "via", value: "LIST", kind: .list(DirectoryName.allCases.map { Choice($0.rawValue) }),
    help: "the directories to ask")
  private static let number = Option<Int>(
    "subscribe", value: "N", kind: .integer(in: 1...1000), help: "follow the N-th result")
  private static let limit = Option<Int>(
    "limit", short: "n", value: "N", kind: .integer(in: 1...1000), help: "show the first N results (20)")

  static let entry = CommandEntry(
    command: Command(
      "find", synonyms: ["discover", "lookup"], summary: "look for podcasts in directories",
      discussion: """
        Asks Apple, fyyd and gpodder.net at once, and the Podcast Index when `podcli config` knows your key for it. \
        A feed that several have is shown once.
        """,
      arguments: [words], options: [via, number, limit],
      examples: [
        Example("podcli find late night linux", "what is there"),
        Example("podcli find late night linux --subscribe 1", "follow the first"),
      ])
  ) { invocation, context throws(Failure) in
    let query = invocation[words].joined(separator: " ")
    let results = try await search(query, invocation[via], context)
    guard let number = invocation[number] else {
      return show(Array(results.prefix(invocation[limit] ?? 20)), context)
    }
    guard results.indices.contains(number - 1) else {
      throw Failure(
        .notFound, "'\(query)' has only \(counted(results.count, "result"))", hint: "podcli find shows them")
    }
    try await SubscribeCommand.subscribe(to: results[number - 1].feedURL, context)
  }

  // MARK: Searching

  private static func search(
    _ query: String, _ wanted: [String]?, _ context: Context
  ) async throws(Failure) -> [DirectoryEntry] {
    let directories = context.live.directories
    let names = wanted.map { $0.compactMap(DirectoryName.init(rawValue:)) } ?? directories.usable
    if names.contains(.podcastindex), !directories.usable.contains(.podcastindex) {
      throw Failure(
        .credentials, "the Podcast Index wants a key of your own",
        hint: "podcli config set podcastindex-key=KEY podcastindex-pass=SECRET")
    }
    let answers = await directories.search(query, inAllOf: names)
    let failures = answers.compactMap { name, answer -> (DirectoryName, FollowError)? in
      if case .failure(let error) = answer { (name, error) } else { nil }
    }
    for (name, error) in failures where failures.count < names.count {
      let failure = failure(error, of: name, called: "the directory")
      context.console.say(CleanText.line("\(name.rawValue): \(failure.message)"))
    }
    if let (name, error) = failures.first, failures.count == names.count {
      throw failure(error, of: name, called: "the directory \(name.rawValue)")
    }
    return Directories.merged(answers.compactMap { try? $0.1.get() })
  }

  private static func failure(_ error: FollowError, of directory: DirectoryName, called name: String) -> Failure {
    let hint =
      switch error {
      case .status(401) where directory == .podcastindex, .status(403) where directory == .podcastindex:
        "look at your key: podcli config get podcastindex-key"
      default: "try again later, or ask others with --via"
      }
    return Failure(error, called: name, hint: hint)
  }

  // MARK: Showing

  private static func show(_ results: [DirectoryEntry], _ context: Context) {
    let console = context.console
    if console.isJSON {
      context.printJSON(.array(results.map(document)))
    } else if results.isEmpty {
      console.say("No directory knows such a podcast.")
    } else {
      for (index, result) in results.enumerated() {
        console.write(console.isOutputTerminal ? line(index + 1, result, console) : tabSeparated(index + 1, result))
      }
      if console.isOutputTerminal { console.say("Follow one with: podcli find QUERY --subscribe N") }
    }
  }

  private static func document(_ result: DirectoryEntry) -> JSON {
    [
      "title": JSON(result.title), "author": JSON(result.author),
      "feedURL": JSON(SafeAddress.withoutUser(result.feedURL)),
      "episodes": JSON(result.episodes), "link": JSON(result.website.map(SafeAddress.withoutUser)),
      "via": JSON(result.directories.map(\.rawValue)),
    ]
  }

  private static func tabSeparated(_ number: Int, _ result: DirectoryEntry) -> String {
    let fields = [
      String(number), result.title, result.author ?? "", SafeAddress.withoutUser(result.feedURL),
      result.episodes.map { String($0) } ?? "", result.directories.map(\.rawValue).joined(separator: ","),
    ]
    return TabSeparated.line(fields)
  }

  private static func line(_ number: Int, _ result: DirectoryEntry, _ console: Console) -> String {
    let author = result.author.map { " by " + CleanText.line($0) } ?? ""
    let count = result.episodes.map { ", " + counted($0, "episode") } ?? ""
    let first = DisplayWidth.column(String(number), 3, alignedRight: true) + " " + CleanText.line(result.title)
    return DisplayWidth.fitted(first + author + count, to: console.width) + "\n"
      + DisplayWidth.fitted("    " + CleanText.line(SafeAddress.withoutUser(result.feedURL)), to: console.width) + "\n"
  }
}
