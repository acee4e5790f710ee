import CommandKit

/// A small player with every form of a command line.
enum Sample {
  enum Color: String, CaseIterable, Sendable { case auto, always, never }

  static let json = Flag("json", help: "print JSON")
  static let quiet = Flag("quiet", short: "q", help: "say less")
  static let verbose = Flag("verbose", short: "v", help: "say more")
  static let color = Option<Color>("color", value: "WHEN", kind: .choice, help: "use colour")
  static let library = Option("library", value: "DIR", kind: .directory, help: "use another library")

  static let episode = Argument("EPISODE", kind: .dynamic("episode"), help: "an id, a title, or `PODCAST/latest`")
  static let episodes = Arguments("EPISODE", kind: .dynamic("episode"), help: "which episodes")
  static let filters = Arguments("FILTER", kind: .dynamic("filter"), orNone: true, help: "words that narrow the list")

  static let resume = Flag("resume", help: "continue where you stopped")
  static let restart = Flag("restart", help: "begin at the beginning")
  static let start = Option("start", value: "TIME", kind: .time, help: "begin there")
  static let speed = Option("speed", short: "s", value: "X", kind: .decimal(in: 0.25...4), help: "play X times as fast")
  static let trim = Option(
    "trim", value: "HOW", kind: .choice(["off", Choice("mild", "short pauses stay"), "max"]), help: "shorten silence")
  static let secret = Flag("secret", help: "for testing", isHidden: true)
  static let play = Command(
    "play", synonyms: ["listen"], summary: "play an episode",
    discussion: "Continues where you stopped, and says so.\n\nWith `--restart` the old position is kept as a bookmark.",
    arguments: [episode], options: [resume, restart, start, speed, trim, secret],
    examples: [
      Example("podcli play daily/latest", "the newest episode"),
      Example("podcli play 'late night' --start -1m", "a minute before the end"),
    ])

  static let limit = Option("limit", short: "n", value: "N", kind: .integer(in: 1...1000), help: "show at most N")
  static let playlist = Command(
    "playlist", aliases: ["pl"], summary: "list the episodes of every subscription",
    arguments: [filters], options: [limit, watch],
    examples: [Example("podcli playlist unplayed -n 5 --json | jq -r '.[].title'", "the titles of five")])

  static let time = OptionalArgument<Int>("TIME", kind: .time, help: "where; now when absent")
  static let note = OptionalArgument("NOTE", help: "what to remember")
  static let bookmark = Command("bookmark", summary: "remember a position", arguments: [episode, time, note])

  static let urls = Arguments("URL", help: "feeds")
  static let tags = Options("tag", value: "NAME", kind: .dynamic("tag"), help: "put it under a tag")
  static let user = Option("user", value: "NAME", help: "the name to sign in with")
  static let subscribe = Command(
    "subscribe", aliases: ["sub"], summary: "follow a podcast", arguments: [urls], options: [tags, user])

  static let file = OptionalArgument("FILE", kind: .file, help: "an OPML file, or `-`")
  static let imports = Command("import", summary: "take in OPML", arguments: [file])

  static let to = Option("to", value: "N", kind: .integer(in: -100...100), help: "the position in the queue")
  static let watch = Flag("watch", help: "keep the list up to date")
  static let queue = Command(
    "queue", summary: "show or change what plays next",
    subcommands: [
      Command("list", summary: "show the queue", arguments: [filters], options: [watch]),
      Command("add", summary: "put episodes [at] its: end", arguments: [episodes], options: [to]),
      Command("move", summary: "move episodes", arguments: [episodes, position]),
      Command("clear", summary: "empty it"),
    ], defaultSubcommand: "list")
  static let position = Argument("POSITION", kind: .integer(in: -100...100), help: "to which position")

  static let via = Option("via", value: "LIST", kind: .list(["itunes", "fyyd"]), help: "where to look")
  static let query = Arguments("QUERY", help: "what to look for")
  static let find = Command("find", summary: "search podcast directories", arguments: [query], options: [via])
  static let debug = Command("debug", summary: "look inside", isHidden: true)

  static let program = Program(
    "podcli", version: "1.2", summary: "a podcast player",
    discussion: "Follows podcasts and plays them where you stopped.",
    topics: [
      Topic("Follow", [subscribe, imports, find]),
      Topic("Listen", [play, bookmark, queue]),
      Topic("Look", [playlist]),
      Topic("Tend", [.completions, .help, .version, debug]),
    ],
    options: [json, quiet, verbose, color, library],
    examples: [Example("podcli subscribe https://example.org/feed.xml", "follow a podcast")],
    sections: [
      ManualSection(
        "filters", summary: "words that narrow a list",
        [
          .paragraph("Every list takes filters."),
          .definitions([
            Definition("`unplayed`", "not yet played"), Definition("`minutes<`N", "shorter than N minutes"),
          ]),
        ])
    ])
}

extension ValueKind where Value == Int {
  /// Seconds, or minutes with the suffix `m`.
  static var time: Self {
    ValueKind(expectation: "a time such as 90 or -1m", completion: .none, isSigned: true) { word throws(BadValue) in
      if word == "never" { throw BadValue("there is no such time") }
      return word.hasSuffix("m") ? Int(word.dropLast()).map { $0 * 60 } : Int(word)
    }
  }
}
