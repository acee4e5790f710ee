import PodcastModel
import PodcastStore
import TestSupport
import Testing
import Text

@testable import podcli

@Suite struct QueueTests {
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
    #expect(try await stage.json("queue", "shuffle").hasPrefix(#"[{"id":"#))
    _ = try await stage.run("queue", "clear")
    #expect(try await ids(stage).isEmpty)
    #expect(try await stage.json("queue") == "[]\n")
  }

  @Test func `takes what other commands list, as lines and as JSON`() async throws {
    let stage = try await Stage.library()
    for list in [try await stage.run("playlist").output, try await stage.json("playlist"), "3@41:07\n 2 \n\n1\n"] {
      _ = try await stage.run("queue", "clear")
      let outcome = try await stage.home.podcli("queue", "add", "-").input(list).run()
      #expect(outcome.status == .exited(0), "\(outcome)")
      #expect(try await ids(stage) == ["3", "2", "1"])
    }
  }

  @Test func `what is no JSON is refused, and nothing on standard input is nothing to do`() async throws {
    let stage = try await Stage.library()
    let broken = try await stage.home.podcli("queue", "add", "-").input("[{\"id\":1},").run()
    #expect(broken.status == .exited(1))
    #expect(broken.error.contains("jq -c"))
    #expect(try await stage.home.podcli("queue", "add", "-").input("").run().status == .exited(0))
    let documents = "{\"id\":1}\n{\"episode\":{\"id\":2}}\n"
    _ = try await stage.home.podcli("queue", "add", "-").input(documents).run()
    #expect(try await ids(stage) == ["1", "2"])
  }

  @Test func `an empty queue says what to type, and what is not in it is not found`() async throws {
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

  @Test func `filter words narrow the queue, the history and what is found`() async throws {
    let stage = try await HistoryTests.stage()
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

@Suite struct BookmarkTests {
  @Test func `a place with a note, listed as play takes it, and removed`() async throws {
    let stage = try await Stage.library()
    let made = try await stage.run("bookmark", "2", "4:07", "the recipe")
    #expect(made.error == "Bookmarked Episode 2 at 4:07\n")
    _ = try await stage.run("bookmark", "3", "50%")
    let list = lines(try await stage.run("bookmarks").output).map {
      $0.split(separator: "\t", omittingEmptySubsequences: false)
    }
    #expect(list.map { $0[0] } == ["3@5:00", "2@4:07"])
    #expect(list[1][3] == "the recipe")
    #expect(lines(try await stage.run("bookmarks", "2").output).count == 1)
    #expect(try await stage.json("bookmarks").contains(#""position":247,"note":"the recipe""#))
    #expect(try await stage.run("bookmarks", "--remove", "2@4:08").status == .exited(3))
    #expect(try await stage.run("bookmarks", "--remove", "2@4:07").error == "Removed 1 bookmark\n")
    #expect(lines(try await stage.run("bookmarks").output).count == 1)
  }

  @Test func `half of a length that nobody knows is no place, and removes nothing`() async throws {
    let stage = try Stage(episodes: 1, seconds: 1)
    let feed = "<rss><channel><item><title>T</title></item></channel></rss>"
    stage.server.serve("/feed.xml", Response.feed(Array(feed.utf8)))
    try await stage.subscribe()
    _ = try await stage.run("bookmark", "1", "4:07")
    for line in [["bookmarks", "--remove", "1@50%"], ["bookmarks", "1@50%"], ["bookmark", "1", "50%"]] {
      let refused = try await stage.home.podcli(line).run()
      #expect(refused.status == .exited(2), "\(line): \(refused)")
      #expect(refused.error.contains("a percentage says nothing"))
    }
    #expect(try await stage.run("bookmarks").output.hasPrefix("1@4:07\t"))
  }

  @Test func `without a time it is where you are`() async throws {
    let stage = try await Stage.library()
    let nowhere = try await stage.run("bookmark", "2")
    #expect(nowhere.status == .exited(2))
    #expect(nowhere.error.contains("podcli bookmark 2 41:07"))
    try await stage.seed { try await $0.savePosition(.seconds(90), of: .init(rawValue: 2), urgency: .flush) }
    #expect(try await stage.run("bookmark", "2").error == "Bookmarked Episode 2 at 1:30\n")
    #expect(try await stage.run("bookmark", "2", "-1m", "earlier").error == "Bookmarked Episode 2 at 0:30\n")
    #expect(try await stage.run("bookmark", "2", "only a note").error == "Bookmarked Episode 2 at 1:30\n")
    #expect(try await stage.run("bookmark", "2", "11:00").status == .exited(2))
  }

  @Test func `none yet is done, and says what to type`() async throws {
    let outcome = try await TemporaryHome().podcli("bookmarks").run()
    #expect(outcome.status == .exited(0))
    #expect(outcome.error.contains("podcli bookmark EPISODE TIME"))
  }

  @Test(arguments: [40, 80])
  func `fits the screen`(columns: Int) async throws {
    let stage = try await Stage.library(title: "A podcast with a rather long title that goes on and on")
    _ = try await stage.run("bookmark", "2", "4:07", String(repeating: "a long note ", count: 20))
    let screen = plain(try await stage.screen(["bookmarks"], columns: columns))
    for line in lines(screen) { #expect(DisplayWidth.of(String(line)) <= columns) }
    #expect(screen.contains("2@4:07"))
  }
}
