import CommandKit
import Glibc
import PodcastModel
import PodcastStore
import Podcatcher
import Text

// User input: command lines, filters, search words, settings.

@Sendable func fuzzCommandLine(_ bytes: [UInt8]) {
  let words = bytes.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false).map { text(Array($0)) }
  switch try? Spelling.program.parse(words) {
  case .show(let page)?: _ = Spelling.program.text(of: page, in: TextStyle(width: 80))
  case .run(let invocation)?:
    _ = (invocation[Spelling.words], invocation[Spelling.speed], invocation[Spelling.tags], invocation[Spelling.start])
    if invocation.name == "one" { _ = invocation[Spelling.episode] }
  case .candidates?, nil: break
  }
}

/// A program with one of each kind of option and argument.
private enum Spelling {
  static let quiet = Flag("quiet", short: "q", help: "say less")
  static let resume = Flag("resume", help: "go on")
  static let speed = Option("speed", short: "s", value: "X", kind: .decimal(in: -4...4), help: "how fast")
  static let count = Option("count", short: "n", value: "N", kind: .integer(in: 0...1000), help: "how many")
  static let mode = Option("mode", value: "WORD", kind: .choice(["off", "mild", "max"]), help: "how much")
  static let fields = Option("in", value: "LIST", kind: .list(["title", "notes"]), help: "where")
  static let tags = Options("tag", short: "t", value: "NAME", help: "under which name")
  static let episode = Argument("EPISODE", kind: .dynamic("episode", isSigned: true), help: "which one")
  static let start = OptionalArgument("N", kind: .integer(in: -9...9), help: "from where")
  static let words = Arguments("WORD", orNone: true, help: "which ones")

  static let program = Program(
    "fuzz", version: "1", summary: "takes anything",
    topics: [
      Topic(
        "Things",
        [
          Command("one", aliases: ["eins"], summary: "do one", arguments: [episode, start], options: [resume, speed]),
          Command("many", summary: "do many", arguments: [words], options: [count, mode, fields, tags]),
          Command(
            "group", summary: "have commands", options: [count],
            subcommands: [
              Command("list", summary: "list", options: [mode]),
              Command("add", summary: "add", arguments: [episode], options: [tags]),
            ], defaultSubcommand: "list"),
          .help, .completions, .version,
        ])
    ],
    options: [quiet])
}

@Sendable func fuzzFilter(_ bytes: [UInt8]) {
  let words = bytes.split(separator: UInt8(ascii: " ")).map { text(Array($0)) }
  guard let filter = try? EpisodeFilter(words: words) else { return }
  SmallLibrary.ask { store throws(StoreError) in
    _ = try await store.episodes(matching: filter, limit: 10)
  }
}

@Sendable func fuzzWords(_ bytes: [UInt8]) {
  let words = text(bytes)
  _ = TimeExpression(words)
  SmallLibrary.ask { store throws(StoreError) in
    _ = try await store.search(words)
    _ = try await store.search(words, in: [.title, .notes])
    do throws(SelectionError) {
      _ = try await Selection(in: store).episode(words)
    } catch {
      if case .store(let error) = error { throw error }
    }
  }
}

/// Lines of a player's socket: cuts between them must make no difference.
@Sendable func fuzzRemote(_ bytes: [UInt8]) {
  var (whole, cut) = (LineReader(), LineReader())
  let lines = whole.take(bytes)
  let size = Int(bytes.first ?? 0) % 13 + 1
  let pieces = stride(from: 0, to: bytes.count, by: size).flatMap { cut.take(bytes[$0..<min($0 + size, bytes.count)]) }
  insist(lines == pieces, "the cuts between pieces made a difference")
  for case .bytes(let line) in lines {
    let request = PlayerRequest.read(line)
    if let id = request.id { insist(JSON(parsing: id.compact) != nil, "an answer cannot be read") }
  }
}

/// Values that were read and set again must read the same.
@Sendable func fuzzConfig(_ bytes: [UInt8]) {
  let config = ConfigFile(path: SmallLibrary.folder + "/config")
  write(bytes, to: config.path)
  guard let values = try? config.values() else { return }
  _ = Settings(config: values)[SettingKeys.speed]
  do {
    for (key, value) in values { try config.set([SettingAssignment("\(key)=\(value)")]) }
    let again = try config.values()
    insist(again == values, "\(values) became \(again)")
  } catch {
    fatalError("what was read cannot be set: \(error)")
  }
}

/// Any file that a user may ask to move in from: archives, Overcast's list and others, documents, databases.
@Sendable func fuzzLibrary(_ bytes: [UInt8]) {
  let path = SmallLibrary.folder + "/moved"
  write(bytes, to: path)
  let reader = LibraryReader(Environment { _ in nil }, readsAsPlayed: true)
  _ = try? reader.read(path)
}

/// A file of another machine in the folder that is shared.
@Sendable func fuzzSync(_ bytes: [UInt8]) {
  let folder = SmallLibrary.folder + "/shared"
  mkdir(folder, 0o700)
  mkdir(folder + "/podcli-sync-1", 0o700)
  write(bytes, to: folder + "/podcli-sync-1/other.jsonl")
  SmallLibrary.sync(through: folder)
}

private func write(_ bytes: [UInt8], to path: String) {
  guard let file = fopen(path, "wb") else { fatalError("cannot write \(path)") }
  fwrite(bytes, 1, bytes.count, file)
  fclose(file)
}
