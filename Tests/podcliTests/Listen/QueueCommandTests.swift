import PodcastModel
import PodcastStore
import ScreenKit
import TestSupport
import Testing
import Text

@testable import podcli

@Suite struct QueueCommandTests {
  private func ids(_ stage: Stage) async throws -> [String] {
    lines(try await stage.run("queue").output).map { String($0.split(separator: "\t")[0]) }
  }

  @Test func `add, next, move, remove, clear`() async throws {
    let stage = try await Stage.library(episodes: 4)
    let added = try await stage.run("queue", "add", "1", "2", "3")
    #expect(added.error == "Added: 3 episodes (3 episodes in the queue, 30 min to hear)\n")
    #expect(added.output.isEmpty)
    _ = try await stage.run("queue", "next", "4")
    #expect(try await ids(stage) == ["4", "1", "2", "3"])
    _ = try await stage.run("queue", "move", "3", "2")
    #expect(try await ids(stage) == ["4", "3", "1", "2"])
    #expect(try await stage.run("queue", "rm", "1").error.hasPrefix("Removed: Episode 1"))
    let shuffled = try await stage.run("queue", "shuffle", "--json")
    #expect(shuffled.output.hasPrefix(#"[{"id":"#) && shuffled.error.isEmpty)
    _ = try await stage.run("queue", "clear")
    #expect(try await ids(stage).isEmpty)
    #expect(try await stage.json("queue") == "[]\n")
  }

  @Test func `an episode that is not queued is named, and none is removed`() async throws {
    let stage = try await Stage.library()
    _ = try await stage.run("queue", "add", "1", "2")
    let refused = try await stage.run("queue", "remove", "1", "3")
    #expect(refused.status == .exited(3) && refused.error.contains("not in the queue: Episode 3"), "\(refused)")
    #expect(try await ids(stage) == ["1", "2"])
  }

  @Test func `an episode that is named several times is added once`() async throws {
    let stage = try await Stage.library()
    #expect(
      try await stage.run("queue", "add", "1", "1", "1").error.hasPrefix("Added: Episode 1 (1 episode in the queue"))
  }

  @Test func `queue reads lists of other commands, as lines and as JSON`() async throws {
    let stage = try await Stage.library()
    for list in [try await stage.run("playlist").output, try await stage.json("playlist"), "3@41:07\n 2 \n\n1\n"] {
      _ = try await stage.run("queue", "clear")
      let outcome = try await stage.home.podcli("queue", "add", "-").input(list).run()
      #expect(outcome.status == .exited(0), "\(outcome)")
      #expect(try await ids(stage) == ["3", "2", "1"])
    }
  }

  @Test func `broken JSON is refused, and an empty standard input changes nothing`() async throws {
    let stage = try await Stage.library()
    let broken = try await stage.home.podcli("queue", "add", "-").input("[{\"id\":1},").run()
    #expect(broken.status == .exited(1))
    #expect(broken.error.contains("jq -c"))
    #expect(try await stage.home.podcli("queue", "add", "-").input("").run().status == .exited(0))
    let documents = "{\"id\":1}\n{\"episode\":{\"id\":2}}\n"
    _ = try await stage.home.podcli("queue", "add", "-").input(documents).run()
    #expect(try await ids(stage) == ["1", "2"])
  }

  @Test func `an empty queue gives a hint, and an episode outside it is not found`() async throws {
    let stage = try await Stage.library()
    let empty = try await stage.run("queue")
    #expect(empty.status == .exited(0))
    #expect(empty.error.contains("podcli queue add EPISODE"))
    #expect(try await stage.run("queue", "remove", "1").status == .exited(3))
    #expect(try await stage.run("queue", "move", "1", "2").status == .exited(3))
    #expect(try await stage.run("queue", "move", "1", "0").status == .exited(2))
    #expect(try await stage.run("queue", "add").status == .exited(2))
  }

  @Test(arguments: [40, 80])
  func `fits the screen`(columns: Int) async throws {
    let stage = try await Stage.library(title: "日本語のとても長い番組のタイトル、そしてまだまだ続く")
    _ = try await stage.run("queue", "add", "1", "2")
    let screen = plain(try await stage.screen(["queue"], columns: columns))
    #expect(lines(screen).count == 3)
    for line in lines(screen) { #expect(DisplayWidth.of(String(line)) <= columns) }
  }

  @Test func `filter words narrow the queue, the history and search results`() async throws {
    let stage = try await HistoryCommandTests.stage()
    _ = try await stage.run("queue", "add", "3", "1", "2")
    try await stage.seed { try await $0.mark(.favourite, [.init(rawValue: 1), .init(rawValue: 2)]) }
    func numbers(_ words: String...) async throws -> [Substring] {
      lines(try await stage.home.podcli(words).run().output).map { $0.prefix { $0.isWholeNumber } }
    }
    #expect(try await numbers("queue", "favourite") == ["1", "2"])
    #expect(try await numbers("queue", "list", "favourite", "limit:1") == ["1"])
    #expect(try await numbers("history", "podcast:sample", "favourite", "limit:2") == ["2", "2"])
    #expect(try await numbers("search", "episode", "--filter", "favourite").sorted() == ["1", "2"])
    #expect(try await numbers("search", "episode", "minutes<1").isEmpty)
    for words in [["queue", "list", "sort:title"], ["search", "minutes<1"], ["search", "x", "--filter", "favorit"]] {
      #expect(try await stage.home.podcli(words).run().status == .exited(2), "\(words)")
    }
  }
}
