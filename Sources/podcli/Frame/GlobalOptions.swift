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
