private import Glibc
internal import PodcastModel
private import TestSupport

/// A part of the benchmarks, or a tool: its name, the usage of its arguments, and the function that runs it.
struct Part: Sendable {
  let name: String
  let usage: String
  let run: @Sendable ([String]) async throws -> Void
}

extension Part {
  static let all = [
    Part(name: "control", usage: "[answers] [commands] [clients]") { try await ControlBench.run($0) },
    Part(name: "follow", usage: "[many [alone]] [long] [huge]") { try await FollowBench.run($0) },
    Part(name: "listen", usage: "[start|cost|pulse|trim|loudness|told]") { try await ListenBench.run($0) },
    Part(name: "look", usage: "[ROUNDS [NAME]]") { try await LookBench.run($0) },
    Part(name: "media", usage: "[download] [start] [memory]") { try MediaBench.run($0) },
    Part(name: "parse", usage: "[ROUNDS]") { try ParseBench.run($0) },
    Part(name: "screen", usage: "[PODCASTS]") { try await ScreenBench.run($0) },
    Part(name: "store", usage: "[FOLDER [questions|listings|merge|positions]…]") { try await StoreBench.run($0) },
    Part(name: "sync", usage: "[folder] [import]") { try await SyncBench.run($0) },
  ]

  static let tools = [
    // Tools for records
    Part(name: "compare", usage: "A.json B.json") { words in
      guard words.count == 2 else { return explain() }
      let comparison = RecordComparison(old: try RecordFolder.read(words[0]), new: try RecordFolder.read(words[1]))
      for line in comparison.lines { print(line) }
    },
    Part(name: "table", usage: "RECORD.json") { words in
      guard let path = words.first else { return explain() }
      for line in ResultsTable(record: try RecordFolder.read(path)).lines { print(line) }
    },

    // Pieces of the parts, and child processes that they start
    Part(name: "disturb", usage: "…") { try await PositionBench.disturb($0) },
    Part(name: "feed", usage: "EPISODES") { GeneratedFeed.write($0) },
    Part(name: "library", usage: "FILE PODCASTS EPISODES [SEED]") { try await makeLibrary($0) },
    Part(name: "list", usage: "FILE") { try await listOnce($0) },
    Part(name: "read", usage: "[pretty]") { ReadEach.run($0) },
    Part(name: "stream", usage: "FILE [unlimited]") { ReadOne.run($0) },
  ]

  static func explain() {
    print("usage: podcli-bench [--brief] [--into FOLDER] [PART …]; without a part, each of these")
    for part in all { print("  \(part.name) \(part.usage)") }
    print("or one of")
    for tool in tools { print("  \(tool.name) \(tool.usage)") }
  }

  /// Runs each part in turn and keeps its figures as soon as it is done. Returns false if a program that was measured failed.
  static func measure(_ parts: [Part], _ words: [String], into folder: RecordFolder?) async throws -> Bool {
    let podcli = await Machine.podcli(builtProduct("podcli"))
    var record = Record(
      date: Timestamp.now.description, machine: Machine.description, versions: await Machine.versions(podcli: podcli))
    for part in parts {
      Report.begin(part.name, podcli: podcli)
      try await part.run(words)
      record.tables += Report.tables
      try folder?.keep(record)
    }
    if let folder { print("kept in \(folder.latest)") }
    return !record.hasFailures
  }
}
