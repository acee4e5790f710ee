import Glibc
import PodcastModel
import PodcastStore
import TestSupport
import Testing
import Text

@testable import podcli

/// A library with one podcast in it, made without playing a sound.
extension Stage {
  static func library(
    episodes: Int = 3, notes: [Int: String] = [:], title: String = "Sample Show"
  ) async throws -> Stage {
    let stage = try Stage(episodes: 1, seconds: 1)
    var feed = SampleFeed(title: title, episodes: episodes, mediaBase: stage.server.url("/media"), seconds: 600)
    feed.itemExtra = notes
    stage.server.serve("/feed.xml", Response.feed(feed.bytes))
    try await stage.subscribe()
    return stage
  }

  func seed(_ change: (PodcastStore) async throws -> Void) async throws {
    let store = try PodcastStoreForTests.writing(home)
    try await change(store)
    await store.close()
  }

  /// On a terminal of that width, what is left on the screen.
  func screen(_ arguments: [String], columns: Int) async throws -> String {
    let outcome = try await home.podcli(arguments).on(Program.Screen(columns: columns, rows: 24))
      .setting("PAGER", "cat").run()
    return outcome.transcript.screen.replacing("\r\n", with: "\n")
  }

  func json(_ arguments: String...) async throws -> String {
    let outcome = try await home.podcli(arguments + ["--json"]).run()
    try #require(outcome.status == .exited(0), "\(outcome)")
    return outcome.output
  }
}

func lines(_ text: String) -> [Substring] { text.split(separator: "\n") }

/// What is left when the colours are taken off.
func plain(_ text: String) -> String {
  var result = ""
  var isEscape = false
  for character in text {
    if character == "\u{1B}" { isEscape = true }
    if !isEscape { result.append(character) }
    if isEscape, character.isLetter { isEscape = false }
  }
  return result
}

@Suite struct EpisodesTests {
  @Test func `one podcast's episodes, narrowed by words`() async throws {
    let stage = try await Stage.library()
    try await stage.seed { try await $0.mark(.played, [.init(rawValue: 2)]) }
    let all = lines(try await stage.run("episodes", "sample").output)
    #expect(all.map { $0.split(separator: "\t")[2] } == ["Episode 3", "Episode 2", "Episode 1"])
    let unplayed = lines(try await stage.run("episodes", "1", "unplayed", "sort:title").output)
    #expect(unplayed.map { $0.split(separator: "\t")[0] } == ["1", "3"])
    #expect(lines(try await stage.run("playlist", "played").output).count == 1)
    #expect(lines(try await stage.run("playlist", "limit:2").output).count == 2)
    #expect(try await stage.run("playlist", "text:nowhere", "--json").output == "[]\n")
  }

  @Test func `no match is done, and says so`() async throws {
    let stage = try await Stage.library()
    let outcome = try await stage.run("playlist", "favourite")
    #expect(outcome.status == .exited(0))
    #expect(outcome.output.isEmpty)
    #expect(outcome.error == "No episode matches.\n")
  }

  @Test func `a filter that is none is refused by name with the nearest right one`() async throws {
    let outcome = try await TemporaryHome().podcli("playlist", "unplayd").run()
    #expect(outcome.status == .exited(2))
    #expect(outcome.error.contains("'unplayd' is no filter; did you mean unplayed?"))
  }

  @Test func `a podcast that is none is status 3 with the nearest`() async throws {
    let stage = try await Stage.library()
    let outcome = try await stage.run("episodes", "Sampel Show")
    #expect(outcome.status == .exited(3))
    #expect(outcome.error.contains("did you mean 'Sample Show'?"))
  }

  @Test func `a long list in another order is whole`() async throws {
    let stage = try await Stage.library(episodes: 1100)
    #expect(lines(try await stage.run("playlist", "sort:title").output).count == 1100)
    #expect(lines(try await stage.run("playlist", "unplayed").output).count == 1100)
  }
}

@Suite struct InfoTests {
  private static let notes = """
    <content:encoded xmlns:content="http://purl.org/rss/1.0/modules/content/"><![CDATA[<p>Read <a \
    href="https://example.org/x">this</a> &amp; \u{1B}[31mthat, which goes on for quite a few words beyond the edge of \
    a narrow screen.</p><ul><li>one</li></ul>]]></content:encoded>
    """

  @Test func `notes are text with links, and steer no terminal`() async throws {
    let stage = try await Stage.library(notes: [3: Self.notes.replacing("\u{1B}", with: "")])
    let output = try await stage.run("info", "3").output
    #expect(output.hasPrefix("Episode 3\nSample Show\n3 · 2024-01-03 · 10:00 · episode 3 · new\n"))
    #expect(output.contains("Read this [1] & "))
    #expect(output.contains("• one"))
    #expect(output.contains("[1] https://example.org/x"))
  }

  @Test(arguments: [40, 80])
  func `fits the screen`(columns: Int) async throws {
    let stage = try await Stage.library(notes: [3: Self.notes.replacing("\u{1B}", with: "")])
    let screen = plain(try await stage.screen(["info", "3"], columns: columns))
    for line in lines(screen) where !line.contains("://") { #expect(DisplayWidth.of(String(line)) <= columns) }
    #expect(screen.contains("Episode 3"))
  }

  @Test func `a title shows the podcast, a number the episode, an option settles it`() async throws {
    let stage = try await Stage.library()
    #expect(try await stage.run("info", "sample show").output.hasPrefix("Sample Show\n1 · 3 episodes · 3 unplayed"))
    #expect(try await stage.run("info", "1").output.hasPrefix("Episode 1\n"))
    #expect(try await stage.run("info", "1", "--podcast").output.hasPrefix("Sample Show\n"))
    #expect(try await stage.run("info", "sample/latest").output.hasPrefix("Episode 3\n"))
    #expect(try await stage.run("info", "nothing").status == .exited(3))
  }

  @Test func `as JSON it is an episode and more`() async throws {
    let stage = try await Stage.library()
    let document = try await stage.json("info", "3")
    #expect(document.hasPrefix(#"{"id":3,"guid":"sampleshow-3","podcast":{"id":1,"title":"Sample Show""#))
    #expect(document.contains(#""text":"About episode 3.""#))
    #expect(try await stage.json("info", "sample").contains(#""episodes":3,"unplayed":3"#))
  }
}

@Suite struct MarkTests {
  @Test func `played and unplayed, favourite and not`() async throws {
    let stage = try await Stage.library()
    let outcome = try await stage.run("mark", "played", "1", "sample/latest")
    #expect(outcome.status == .exited(0))
    #expect(outcome.error == "Marked as played: 2 episodes\n")
    #expect(try await stage.status(of: 3).hasCompleted)
    _ = try await stage.run("mark", "unplayed", "3")
    #expect(try await stage.status(of: 3).hasCompleted == false)
    #expect(try await stage.json("mark", "favourite", "2").contains(#""favourite":true"#))
    #expect(try await stage.json("mark", "unfavorite", "2").contains(#""favourite":false"#))
  }

  @Test func `what one command lists another takes`() async throws {
    let stage = try await Stage.library()
    let list = try await stage.run("playlist").output
    let outcome = try await stage.home.podcli("mark", "played", "-").input(list).run()
    #expect(outcome.error == "Marked as played: 3 episodes\n")
    #expect(try await stage.run("playlist", "unplayed").output.isEmpty)
  }

  @Test func `one that is not clear stops all of them`() async throws {
    let stage = try await Stage.library()
    let outcome = try await stage.run("mark", "played", "1", "nothing")
    #expect(outcome.status == .exited(3))
    #expect(try await stage.status(of: 1).hasCompleted == false)
    #expect(try await stage.run("mark", "plaid", "1").status == .exited(2))
  }
}

@Suite struct StatusTests {
  @Test func `nothing yet, then what would be resumed`() async throws {
    let stage = try await Stage.library()
    let nothing = try await stage.run("status")
    #expect(nothing.status == .exited(0))
    #expect(nothing.output == "stopped\n")
    try await stage.seed { try await $0.savePosition(.seconds(90), of: .init(rawValue: 2), urgency: .flush) }
    #expect(try await stage.run("status").output == "stopped\t2\tSample Show\tEpisode 2\t90\t600\n")
    let document = try await stage.json("status")
    #expect(document.hasPrefix(#"{"state":"stopped","episode":{"id":2,"#))
    #expect(document.contains(#""position":90,"duration":600}"#))
  }

  @Test func `another podcli that plays is seen`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let playing = try stage.home.podcli("play", "1").start()
    try await playing.wait(forError: "Playing")
    let watching = try stage.home.podcli("status", "--watch").start()
    try await watching.wait(forOutput: "playing\t1\tSample Show\tEpisode 1\t")
    watching.send(SIGTERM)
    #expect(try await stage.json("status").contains("\"pid\":\(playing.pid)}"))
    playing.send(SIGTERM)
    _ = try await playing.end()
    #expect(try await stage.run("status").output.hasPrefix("stopped"))
  }

  @Test(arguments: [40, 80])
  func `fits the screen`(columns: Int) async throws {
    let stage = try await Stage.library()
    try await stage.seed { try await $0.savePosition(.seconds(90), of: .init(rawValue: 2), urgency: .flush) }
    let screen = try await stage.screen(["status"], columns: columns)
    #expect(screen.hasPrefix("■ 00:01:30"))
    #expect(DisplayWidth.of(String(lines(screen)[0])) <= columns)
  }
}
