import Glibc
import PodcastModel
import PodcastStore
import TestSupport
import Testing
import Text

@testable import podcli

/// A library with one podcast, made without audio.
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

  /// The final screen of a terminal with that width.
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

/// The text without escape sequences.
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
