import CommandKit
import Glibc
import PodcastModel
import PodcastStore
import TestSupport
import Testing

@testable import podcli

/// Every example can be typed as it is written, in a library with a few podcasts.
@Suite struct ExampleTests {
  @Test func `a command is found by its name without the others`() {
    for command in Program.podcli.commands { #expect(CommandList.command(named: command.name)?.name == command.name) }
  }

  @Test(arguments: [40, 80]) func `the title of each help page fits the screen`(width: Int) {
    for command in Program.podcli.commands {
      let page = Program.podcli.text(of: .help(path: [command.name], .short), in: TextStyle(width: width))
      let title = page.split(separator: "\n").prefix { !$0.hasPrefix(" ") }
      #expect(!title.isEmpty && title.allSatisfy { $0.count <= width }, "\(title)")
    }
  }

  @Test func `every example of the help, the manual and the README runs`() async throws {
    let lines = Examples.inHelp + Examples.inManual + (try Examples.inReadme())
    try #require(lines.count > 80)
    let home = try await ExampleHome()
    for line in lines {
      let fault = try await home.fault(ofRunning: line)
      #expect(fault == nil, "\(line)\n\(fault ?? "")")
    }
  }
}

private enum Examples {
  static var inHelp: [String] {
    let program = Program.podcli
    return program.examples.map(\.line) + program.commands.flatMap(lines)
  }

  private static func lines(of command: Command) -> [String] {
    command.examples.map(\.line) + command.subcommands.flatMap(lines)
  }

  static var inManual: [String] {
    Program.podcli.sections.flatMap(\.blocks).flatMap { block in
      if case .examples(let examples) = block { examples.map(\.line) } else { [] as [String] }
    }
  }

  /// Whether the line controls a player, which has to be there.
  static func needPlayer(_ line: String) -> Bool {
    ControlCommands.entries.contains { (line + " ").hasPrefix("podcli \($0.command.name) ") }
  }

  /// Indented lines that call podcli; the lines of a session begin with `$`.
  static func inReadme() throws -> [String] {
    let readme = String(decoding: try contents(of: Folders.repository + "/README.md"), as: UTF8.self)
    return readme.split(separator: "\n").compactMap { line in
      guard line.hasPrefix("    ") else { return nil }
      let line = line.dropFirst(4)
      if line.hasPrefix("podcli ") { return String(line) }
      return line.hasPrefix("$ podcli ") ? String(line.dropFirst(2)) : nil
    }
  }
}

/// A home with everything that the examples mention. Each line runs in a copy of it.
private struct ExampleHome {
  private let stage: Stage
  private let origin: String

  init() async throws {
    stage = try Stage(episodes: 1, seconds: 1)
    origin = stage.server.origin
    try await serve()
    try await follow()
    try await fill()
    try await writeFiles()
  }

  private func serve() async throws {
    let server = stage.server
    let file = stage.home.path + "/long.mp3"
    let made = try await stage.home.program(
      "ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "anullsrc=r=8000:cl=mono", "-t", "2500", "-b:a", "8k", file
    ).run()
    try #require(made.status == .exited(0), "\(made)")
    let tone = Response.resource(try contents(of: file), type: "audio/mpeg", etag: "\"1\"")
    server.serveOthers { request in
      request.path.hasPrefix("/media/") ? tone.answering(request) : .status(404)
    }
    @Sendable func feed(_ title: String, _ count: Int, _ seconds: Int = 2500) -> Response {
      Response.feed(SampleFeed(title: title, episodes: count, mediaBase: server.url("/media"), seconds: seconds).bytes)
    }
    server.serve("/daily.xml", feed("The Daily", 130))
    server.serve("/new.xml", feed("The Daily", 130))
    server.serve("/late.xml", feed("Late Night Linux", 30))
    for name in ["feed.xml", "a.xml", "b.xml", "c.xml"] { server.serve("/" + name, feed("Show \(name)", 2, 600)) }
    server.serve("/feed") { request in
      request.header("authorization") == nil ? .status(401) : feed("Members", 2)
    }
    server.serve(
      "/search",
      .ok(
        #"{"results":[{"collectionName":"Late Night Linux","feedUrl":"\#(server.url("/late.xml"))"}]}"#,
        type: "text/javascript"))
  }

  private func follow() async throws {
    for name in ["daily", "late", "feed", "a", "b", "c"] {
      _ = try await must("subscribe", stage.server.url("/\(name).xml"), "--tag", "news")
    }
    _ = try await must("subscribe", stage.server.url("/feed"), "--user", "me", "--password-stdin", input: "secret\n")
    for key in ["itunes-url", "fyyd-url", "gpodder-url"] { _ = try await must("config", "set", "\(key)=\(origin)") }
  }

  /// Fills episode 142, which most examples mention.
  private func fill() async throws {
    let id = EpisodeID(rawValue: 142)
    try await stage.seed { store in
      try await store.setTranscript(
        [
          TranscriptSegment(start: 0, end: 5, text: "the rust compiler is fast"),
          TranscriptSegment(start: 2400, end: 2500, text: "the garbage collector is never in time"),
        ], of: id)
      try await store.addBookmark(at: .seconds(2467), in: id)
      try await store.setChapters([Chapter(start: 0, title: "Start")], of: id)
      try await store.startPlaying(id, at: .now)
      try await store.savePosition(.seconds(90), of: id, urgency: .flush)
    }
    _ = try await must("download", "142", "1")
    _ = try await must("queue", "add", "142", "143", "1")
  }

  private func writeFiles() async throws {
    let home = stage.home
    try home.write(SampleFeed(mediaBase: origin).bytes, to: "feed.xml")
    try home.write(#"{"version":"1.2.0","chapters":[{"startTime":0,"title":"First"}]}"#, to: "chapters.json")
    try home.write("WEBVTT\n\n00:01.000 --> 00:02.500\nwelcome\n", to: "talk.vtt")
    try home.write("secret\n", to: "FILE")
    try home.write(try await must("export").transcript.outputBytes, to: "podcasts.opml")
    _ = try await must("backup", home.path + "/podcli.db")
    try await share()
  }

  /// With a machine that is no more. The lines run in copies of this home, which share nothing by themselves.
  private func share() async throws {
    let folder = stage.home.path + "/Sync"
    mkdir(folder, 0o700)
    _ = try await must("config", "set", "sync=manual")
    _ = try await must("sync", "folder", folder)
    try stage.home.write(
      """
      {"podcli-sync":1,"device":"0f3c9a1be2d47586","enc":"none"}
      {"k":"device","r":{"name":[1,"old laptop"],"seen":[1,"2026-01-01"]}}

      """, to: "Sync/podcli-sync-1/0f3c9a1be2d47586.jsonl")
    _ = try await must("sync")
  }

  private func must(_ arguments: String..., input: String = "") async throws -> Outcome {
    let outcome = try await stage.home.podcli(arguments).input(input).run()
    try #require(outcome.status == .exited(0), "\(arguments) \(outcome)")
    return outcome
  }

  // MARK: Running

  /// Nil when the line did what its example says.
  func fault(ofRunning line: String) async throws -> String? {
    let home = try await copy()
    if line.hasSuffix("--follow") { return try await faultOfFollowing(line, home) }
    if line.contains("--watch") { return try await faultOfWatching(line, home) }
    if line.hasSuffix("--detach") { return try await faultOfDetaching(line, home) }
    if line == "podcli attach" { return try await faultOfAttaching(line, home) }
    if Examples.needPlayer(line) { return try await faultOfControlling(line, home) }
    let resumes = line.hasPrefix("podcli resume") && !line.contains("--list")
    if line.contains("podcli play ") || resumes { return try await faultOfPlaying(line, home) }
    if line.hasSuffix("--start-anew") { try damageLibrary(home) }
    let outcome = try await shell(line, home).run()
    return outcome.status == .exited(0) ? nil : "\(outcome)"
  }

  private func damageLibrary(_ home: TemporaryHome) throws {
    for suffix in ["-wal", "-shm"] { unlink(home.path + "/podcli/library.db" + suffix) }
    try home.write("no library", to: "podcli/library.db")
  }

  private func copy() async throws -> TemporaryHome {
    let home = try TemporaryHome()
    _ = try await home.program("/bin/cp", "-r", stage.home.path + "/.", home.path).run()
    return home
  }

  private func shell(_ line: String, _ home: TemporaryHome) -> TestSupport.Program {
    let host = String(origin.dropFirst("http://".count))
    let here = line.replacing("https://example.org", with: origin).replacing(" example.org", with: " http://\(host)")
      .replacing("/media/player", with: home.path + "/player")
    let programs = builtProduct("podcli").split(separator: "/").dropLast().joined(separator: "/")
    return home.program("/bin/bash", "-c", "set -euo pipefail; " + here).in(home.path)
      .setting("PATH", "/\(programs):/usr/bin:/bin").setting("PAGER", "cat")
  }

  /// In a home in which an episode plays.
  private func faultOfControlling(_ line: String, _ home: TemporaryHome) async throws -> String? {
    let playing = try home.podcli("play", "142").start()
    let watching = try home.podcli("status", "--watch", "--json").start()
    try await watching.wait(forOutput: #""chapter":{"#)
    watching.send(SIGTERM)
    if line == "podcli previous" { _ = try await home.podcli("next").run() }
    let outcome = try await shell(line, home).run()
    playing.send(SIGTERM)
    _ = try await playing.end()
    return outcome.status == .exited(0) ? nil : "\(outcome)"
  }

  private func faultOfDetaching(_ line: String, _ home: TemporaryHome) async throws -> String? {
    let outcome = try await shell(line, home).run()
    let stopped = try await home.podcli("stop").run()
    return [outcome, stopped].allSatisfy { $0.status == .exited(0) } ? nil : "\(outcome), \(stopped)"
  }

  private func faultOfAttaching(_ line: String, _ home: TemporaryHome) async throws -> String? {
    let playing = try home.podcli("play", "142").start()
    try await playing.wait(forError: "Resuming")
    let attached = try shell(line, home).on(TestSupport.Program.Screen()).start()
    try await attached.wait(forScreen: "▶")
    attached.type("q")
    let outcome = try await attached.end()
    playing.send(SIGTERM)
    _ = try await playing.end()
    return outcome.status == .exited(0) ? nil : "\(outcome)"
  }

  private func faultOfPlaying(_ line: String, _ home: TemporaryHome) async throws -> String? {
    let playing = try shell(line, home).on(TestSupport.Program.Screen()).start()
    try await playing.wait(forScreen: "▶")
    playing.type("q")
    let outcome = try await playing.end()
    // Where no sound came yet, `resume` knows nothing of it.
    let stopped = ["resume", "play "].contains { outcome.transcript.screen.contains("go on with: podcli \($0)") }
    return outcome.status == .exited(0) && stopped ? nil : "\(outcome)"
  }

  private func faultOfWatching(_ line: String, _ home: TemporaryHome) async throws -> String? {
    let watching = try shell(line, home).on(TestSupport.Program.Screen()).start()
    try await watching.wait(for: "something on the screen") { $0.screenBytes.count > 20 }
    watching.type("\u{3}")
    return try await watching.end().status == .exited(0) ? "it ended by itself" : nil
  }

  private func faultOfFollowing(_ line: String, _ home: TemporaryHome) async throws -> String? {
    let playing = try home.podcli("play", "142", "--restart").start()
    let watching = try home.podcli("status", "--watch", "--json").start()
    try await watching.wait(forOutput: #""isCurrentlyPlaying":true"#)
    watching.send(SIGTERM)
    let following = try shell(line, home).start()
    try await following.wait(forOutput: "the rust compiler is fast")
    playing.send(SIGTERM)
    let outcome = try await following.end()
    return outcome.status == .exited(0) ? nil : "\(outcome)"
  }
}
