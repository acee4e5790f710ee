import CommandKit

/// The options that every command takes.
enum GlobalOptions {
  static let json = Flag("json", help: "answer with one JSON document on standard output")
  static let quiet = Flag("quiet", short: "q", help: "say nothing but errors")
  static let verbose = Flag(
    "verbose", short: "v", help: "say more: what did not change, and what audio libraries complain about")
  static let offline = Flag("offline", help: "open no connection")
  static let color = Option<Console.ColorChoice>("color", value: "WHEN", kind: .choice, help: "when to use colour")
  static let library = Option("library", value: "DIR", kind: .directory, help: "use the library in this folder")

  static let all: [any OptionKey] = [json, quiet, verbose, color, library, offline]
}

enum PodcliProgram {
  static let version = "1.0.0"

  static let program = Program(
    "podcli", version: version, summary: "a podcast player for the command line",
    discussion: """
      Subscribe to a feed, look at the playlist, play an episode. Whatever ends it, `podcli resume` goes on \
      where you stopped.
      """,
    topics: CommandList.topics.map { Topic($0.title, $0.faces.map(\.command)) }
      + [Topic("Help", [.help, .completions, .version])],
    options: GlobalOptions.all,
    examples: [
      Example("podcli subscribe https://example.org/feed.xml", "follow a podcast"),
      Example("podcli playlist", "show its episodes, newest first"),
      Example("podcli play 1 --resume", "play the episode with that number"),
      Example("podcli resume", "go on tomorrow where you stopped"),
    ],
    sections: ManualPages.sections)
}
