import Glibc
import PodcastModel
import PodcastStore
import TestSupport
import Testing
import Text

@testable import podcli

@Suite struct MarkCommandTests {
  @Test func `episodes by number need no settings, and a podcast stands for one by its setting`() async throws {
    let stage = try await Stage.library()
    try stage.home.write("trim = loud\norder = oldest\n", to: "podcli/config")
    for words in [["mark", "played", "2"], ["bookmark", "2", "1:00"], ["queue", "add", "3"]] {
      let outcome = try await stage.home.podcli(words).run()
      #expect(outcome.status == .exited(0), "\(words): \(outcome)")
    }
    let named = try await stage.run("mark", "played", "sample")
    #expect(named.status == .exited(1) && named.error.contains("line 1: trim must be"), "\(named)")
    try stage.home.write("order = oldest\n", to: "podcli/config")
    _ = try await stage.run("mark", "played", "sample")
    #expect(try await stage.status(of: 1).hasCompleted)
  }

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

  @Test func `a mark that an episode has already is told, and is nothing to undo`() async throws {
    let stage = try await Stage.library()
    _ = try await stage.run("mark", "played", "1")
    #expect(try await stage.run("mark", "played", "1").error == "Already played: Episode 1\n")
    let both = try await stage.run("mark", "played", "1", "2").error
    #expect(both == "Marked as played: 2 episodes, 1 of them already\n")
    for _ in 0..<2 { _ = try await stage.run("undo") }
    #expect(try await stage.run("playlist", "played").output.isEmpty)
  }

  @Test func `an episode that is marked as unplayed is not the current one any more, until that is undone`()
    async throws
  {
    let stage = try await Stage.library()
    try await stage.seed { store in
      for number in [1, 2] {
        let id = EpisodeID(rawValue: Int64(number))
        try await store.startPlaying(id, at: Timestamp(seconds: 1_700_000_000 + Int64(number)))
        try await store.savePosition(
          .seconds(30), of: id, urgency: .flush, at: Timestamp(seconds: 1_700_000_000 + Int64(number)))
      }
    }
    #expect(try await stage.run("mark", "unplayed", "2").status == .exited(0))
    #expect(lines(try await stage.run("resume", "--list").output).map(\.first) == ["1"])
    #expect(try await stage.library().current()?.episode.id.rawValue != 2)
    #expect(try await stage.run("undo").status == .exited(0))
    #expect(try await stage.library().current()?.episode.id.rawValue == 2)
  }

  @Test func `mark reads the list of another command`() async throws {
    let stage = try await Stage.library()
    let list = try await stage.run("playlist").output
    let outcome = try await stage.home.podcli("mark", "played", "-").input(list).run()
    #expect(outcome.error == "Marked as played: 3 episodes\n")
    #expect(try await stage.run("playlist", "unplayed").output.isEmpty)
  }

  @Test(arguments: [#"[{"title":"x"}]"#, #"{"id":null}"#, "{\"id\":1}\n{}\n"])
  func `a list without numbers stops the whole command`(list: String) async throws {
    let stage = try await Stage.library()
    let outcome = try await stage.home.podcli("mark", "played", "-").input(list).run()
    #expect(outcome.status == .exited(1) && outcome.error.contains("without the number"), "\(outcome)")
    #expect(try await stage.status(of: 1).hasCompleted == false)
  }

  @Test func `one ambiguous word stops the whole command`() async throws {
    let stage = try await Stage.library()
    let outcome = try await stage.run("mark", "played", "1", "nothing")
    #expect(outcome.status == .exited(3))
    #expect(try await stage.status(of: 1).hasCompleted == false)
    #expect(try await stage.run("mark", "plaid", "1").status == .exited(2))
  }
}
