import Glibc
import PodcastModel
import PodcastStore
import TestSupport
import Testing

@Suite struct AutoplayTests {
  private func play(_ stage: Stage, _ arguments: String...) async throws -> Outcome {
    try await stage.home.podcli(["play"] + arguments).setting("PODCLI_AO", "null:ao-null-untimed=yes").run()
  }

  @Test func `the next newer unplayed episode of the podcast plays, up to the last one`() async throws {
    let stage = try Stage(episodes: 3, seconds: 3)
    try await stage.subscribe()
    let outcome = try await play(stage, "Sample Show/2")
    #expect(outcome.status == .exited(0))
    #expect(
      outcome.error.contains("Playing Sample Show: Episode 2\nFinished Episode 2\nPlaying Sample Show: Episode 3"))
    let newest = try await stage.library().playlist()
    #expect(newest.map(\.status.hasCompleted) == [true, true, false])
  }

  @Test func `where everything is finished, resume names the first of the queue`() async throws {
    let stage = try Stage(episodes: 3, seconds: 3)
    try await stage.subscribe()
    _ = try await stage.run("config", "set", "autoplay=off")
    try #require(try await play(stage, "1").status == .exited(0))
    #expect(try await stage.run("resume").error.contains("next unplayed: Episode 2; podcli play 2"))
    _ = try await stage.run("queue", "add", "3")
    let outcome = try await stage.run("resume")
    #expect(outcome.status == .exited(3), "\(outcome)")
    #expect(outcome.error.contains("first in the queue: Episode 3; podcli play 3"), "\(outcome)")
  }

  @Test func `the queue comes first, and finished episodes leave it`() async throws {
    let stage = try Stage(episodes: 3, seconds: 3)
    try await stage.subscribe()
    let list = try await stage.library().playlist()
    let store = try PodcastStoreForTests.writing(stage.home)
    try await store.enqueue([list[2].episode.id])
    await store.close()
    let outcome = try await play(stage, "Sample Show/1")
    #expect(outcome.error.contains("Finished Episode 3\nPlaying Sample Show: Episode 1"))
    #expect(try await stage.library().queue().isEmpty)
  }

  @Test func `without saving, each episode of the queue plays once`() async throws {
    let stage = try Stage(episodes: 4, seconds: 3)
    try await stage.subscribe()
    for number in 2...4 { _ = try await stage.run("queue", "add", "Sample Show/\(number)") }
    _ = try await stage.run("config", "set", "autoplay=queue")
    let outcome = try await play(stage, "Sample Show/1", "--no-save")
    #expect(outcome.status == .exited(0), "\(outcome)")
    for number in 1...4 {
      #expect(
        outcome.error.split(separator: "Playing Sample Show: Episode \(number)", omittingEmptySubsequences: false).count
          == 2)
    }
    #expect(try await stage.library().queue().count == 3, "\(outcome)")
  }

  @Test(arguments: ["0:02.9", "100%", "0:09"])
  func `--until a position at the end, or behind it, stops there`(position: String) async throws {
    let stage = try Stage(episodes: 3, seconds: 3)
    try await stage.subscribe()
    _ = try await stage.run("queue", "add", "Sample Show/1")
    let outcome = try await play(stage, "Sample Show/2", "--until", position)
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(try await stage.library().playlist().map(\.status.lastPlayedAt).count { $0 != nil } == 1)
    #expect(try await stage.library().queue().count == 1)
  }

  @Test func `--no-queue stops after the episode, and a bookmark of the sleep timer is kept`() async throws {
    let stage = try Stage(episodes: 2, seconds: 3)
    try await stage.subscribe()
    let outcome = try await play(stage, "Sample Show/2", "--no-queue")
    #expect(!outcome.error.contains("Episode 2\nPlaying"))
    let asleep = try await stage.home.podcli("play", "Sample Show/1", "--sleep", "1").run()
    #expect(asleep.status == .exited(0))
    #expect(asleep.error.contains("Good night"))
    let bookmarks = try await stage.library().bookmarks()
    #expect(bookmarks.map(\.bookmark.note) == ["sleep timer"])
    #expect(try await stage.library().playlist().first?.status.hasCompleted == false)
  }

  @Test func `listened episodes are in the history`() async throws {
    let stage = try Stage(episodes: 1, seconds: 4)
    try await stage.subscribe()
    _ = try await stage.home.podcli("play", "1", "--speed", "2").run()
    let session = try #require(try await stage.library().history().first?.session)
    #expect(session.listened.inSeconds > 1 && session.listened.inSeconds < 3)
    #expect(session.savedBySpeed.inSeconds > 1)
    #expect(session.endedAt != nil)
  }
}
