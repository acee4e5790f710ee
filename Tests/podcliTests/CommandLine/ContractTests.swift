import CommandKit
import Glibc
import PodcastModel
import PodcastStore
import TestSupport
import Testing
import Text

@testable import podcli

/// The contract with programs: the shape of every answer, and the exit status of every failure.
@Suite struct ContractTests {
  @Test func `every answer has its declared shape, without other members and without null`() async throws {
    let contract = try #require(JSON(parsing: try contents(of: Folders.fixtures + "/answers.json")))
    let shapes = Shapes(named: try #require(contract["shapes"]))
    let stage = try await stage()
    var answered: Set<String> = []
    for answer in try #require(contract["answers"]?.elements) {
      let line = try #require(answer["line"]?.text)
      let words = line.replacing("FEED", with: stage.feedURL).split(separator: " ").map(String.init)
      let outcome = try await stage.home.podcli(words + ["--json"]).in(stage.home.path)
        .setting("PODCLI_AO", "null:ao-null-untimed=yes").run()
      #expect(outcome.status == .exited(0), "\(line): \(outcome)")
      answered.insert(words[0])
      let document = try #require(JSON(parsing: outcome.output), "\(line): \(outcome.output)")
      #expect(shapes.faults(of: document, as: try #require(answer["shape"])) == [], "\(line)")
    }
    // These print a script and pages, which are no data, or need a player.
    let others = ["completions", "help", "attach"] + ControlCommands.entries.map(\.command.name)
    let commands = Program.podcli.commands.map(\.name).filter { !others.contains($0) }
    #expect(commands.filter { !answered.contains($0) } == [])
  }

  @Test func `each control word answers with the status of the player`() async throws {
    let contract = try #require(JSON(parsing: try contents(of: Folders.fixtures + "/answers.json")))
    let shapes = Shapes(named: try #require(contract["shapes"]))
    let stage = try Stage()
    try await stage.subscribe()
    try await stage.seed { try await $0.setChapters([Chapter(start: 0, title: "Start")], of: .init(rawValue: 1)) }
    let playing = try stage.home.podcli("play", "1").start()
    try await stage.wait(forStatus: #""chapter":{"index":1"#, #""socket""#)
    let lines = [
      "chapter 1", "pause", "play", "toggle", "resume", "seek 20", "speed 1.4", "volume 80", "trim mild", "boost on",
      "sleep 30m", "next", "previous", "open 2", "status", "stop",
    ]
    for line in lines {
      let outcome = try await stage.home.podcli(line.split(separator: " ").map(String.init) + ["--json"]).run()
      #expect(outcome.status == .exited(0), "\(line): \(outcome)")
      let document = try #require(JSON(parsing: outcome.output), "\(line): \(outcome)")
      #expect(shapes.faults(of: document, as: "playerStatus") == [], "\(line)")
    }
    #expect(
      Set(ControlCommands.entries.map(\.command.name)).subtracting(lines.map { String($0.prefix { $0 != " " }) }) == [])
    #expect(try await playing.end().status == .exited(0))
  }

  @Test(arguments: ["status", "playlist"])
  func `--watch prints one document a line, of the same shape`(command: String) async throws {
    let contract = try #require(JSON(parsing: try contents(of: Folders.fixtures + "/answers.json")))
    let shapes = Shapes(named: try #require(contract["shapes"]))
    let shape = try #require(contract["answers"]?.elements?.first { $0["line"]?.text == command }?["shape"])
    let stage = try await stage()
    let watching = try stage.home.podcli(command, "--watch", "--json").start()
    try await watching.wait(forOutput: "\n")
    _ = try await stage.run("mark", "played", "1", "2", "3")
    try await watching.wait(for: "a second line") { lines($0.output).count > 1 }
    watching.send(SIGTERM)
    for line in lines(try await watching.end().output) {
      #expect(shapes.faults(of: try #require(JSON(parsing: String(line))), as: shape) == [], "\(line)")
    }
  }

  private func stage() async throws -> Stage {
    let stage = try await HistoryCommandTests.stage()
    try await stage.seed { store in
      try await store.setTranscript([TranscriptSegment(start: 1, end: 2, text: "welcome")], of: .init(rawValue: 1))
      try await store.setChapters([Chapter(start: 0, title: "Start")], of: .init(rawValue: 3))
      try await store.savePosition(.seconds(90), of: .init(rawValue: 2), urgency: .flush)
    }
    let results = #"{"results":[{"collectionName":"Sample Show","feedUrl":"\#(stage.feedURL)"}]}"#
    stage.server.serve("/search", .ok(results, type: "text/javascript"))
    let tone = Response.resource(Tone(seconds: 1).wav, type: "audio/wav", etag: "\"1\"")
    stage.server.serveOthers { $0.path.hasPrefix("/media/") ? tone.answering($0) : .status(404) }
    _ = try await stage.run("config", "set", "itunes-url=\(stage.server.origin)")
    try stage.home.write(try await stage.run("export").transcript.outputBytes, to: "list.opml")
    return stage
  }

  @Test(arguments: [
    ("playlist --library library.txt", 9), ("restore library.txt", 9), ("backup library.txt", 1),
    ("chapters library.txt", 1), ("playlist nonsense", 2),
    ("mark played", 2), ("config set speed=9", 2), ("bookmark 1 99:00:00", 2), ("search", 2), ("info nothing", 3),
    ("episodes nothing", 3), ("queue remove 1", 3), ("undo", 3), ("mark played 99", 3), ("restore nowhere", 3),
    ("transcript 1 --offline", 5),
  ])
  func `each failure has its status, a message and an empty standard output`(line: String, status: Int32) async throws {
    let stage = try await Stage.library(notes: [
      1: "<podcast:transcript url=\"http://127.0.0.1:9/t.vtt\" type=\"text/vtt\"/>"
    ])
    try stage.home.write("no library", to: "library.txt")
    let words = line.split(separator: " ").map(String.init)
    let outcome = try await stage.home.podcli(words).in(stage.home.path).run()
    #expect(outcome.status == .exited(status), "\(outcome)")
    #expect(outcome.output.isEmpty)
    #expect(outcome.error.hasPrefix("podcli: "))
    let asJSON = try await stage.home.podcli(words + ["--json"]).in(stage.home.path).run()
    #expect(asJSON.output.isEmpty)
    #expect(JSON(parsing: asJSON.error)?["error"]?["message"]?.text != nil)
  }

  @Test func `a library that is no library is status 9`() async throws {
    for line in ["playlist", "queue", "search x", "history", "undo", "backup"] {
      let home = try TemporaryHome()
      try home.write("this is a letter and not a library of podcasts", to: "library.db")
      let outcome = try await home.podcli(line.split(separator: " ").map(String.init) + ["--library", home.path]).run()
      #expect(outcome.status == .exited(9), "\(line): \(outcome)")
    }
  }
}

/// Shapes of JSON: `text`, `number`, `flag`, `date` or a name, with `?` where it may be missing; lists and objects of such.
private struct Shapes {
  private let named: JSON

  init(named: JSON) { self.named = named }

  func faults(of value: JSON, as shape: JSON, at path: String = "") -> [String] {
    if let name = shape.text { return faults(of: value, named: String(name.prefix { $0 != "?" }), path) }
    if let element = shape.elements?.first {
      guard let values = value.elements else { return ["\(path) is no list"] }
      return values.flatMap { faults(of: $0, as: element, at: path + "[]") }
    }
    guard case .object(let expected) = shape, case .object(let members) = value else { return ["\(path) is no object"] }
    let names = members.map(\.name)
    let missing = expected.filter { $0.value.text?.hasSuffix("?") != true && !names.contains($0.name) }
    return missing.map { "\(path).\($0.name) is missing" }
      + members.flatMap { member in
        guard let shape = shape[member.name] else { return ["\(path).\(member.name) is not expected"] }
        return faults(of: member.value, as: shape, at: "\(path).\(member.name)")
      }
  }

  private func faults(of value: JSON, named name: String, _ path: String) -> [String] {
    let isRight =
      switch name {
      case "text": value.text != nil
      case "number": value.double != nil
      case "flag": value.flag != nil
      case "date": value.text?.hasSuffix("Z") == true && value.text?.utf8.count == 20
      default: true
      }
    if let shape = named[name] { return faults(of: value, as: shape, at: path) }
    return isRight ? [] : ["\(path) is no \(name): \(value.compact)"]
  }
}
