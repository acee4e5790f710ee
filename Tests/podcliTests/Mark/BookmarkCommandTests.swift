import PodcastModel
import PodcastStore
import ScreenKit
import TestSupport
import Testing
import Text

@testable import podcli

@Suite struct BookmarkCommandTests {
  @Test func `a bookmark with a note is listed with its reference for play, and removed`() async throws {
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
    #expect(try await stage.home.podcli("bookmarks", "--remove", "-").input("").run().status == .exited(0))
    #expect(try await stage.home.podcli("bookmarks", "--remove", "-").input("2@4:08").run().status == .exited(3))
    #expect(try await stage.run("bookmark", "2@4:08", "4:09").status == .exited(2))
    let mistyped = try await stage.run("bookmark", "2", "4:99")
    #expect(mistyped.status == .exited(2) && mistyped.error.contains("'4:99' is no time"), "\(mistyped)")
    #expect(try await stage.run("bookmarks", "--remove", "2@4:07").error == "Removed 1 bookmark\n")
    #expect(lines(try await stage.run("bookmarks").output).count == 1)
  }

  @Test func `- names episodes for bookmarks, and one for a command that takes one`() async throws {
    let stage = try await Stage.library()
    for words in [["bookmark", "1", "1:00"], ["bookmark", "2", "2:00"], ["queue", "add", "1", "2", "3"]] {
      _ = try await stage.home.podcli(words).run()
    }
    let shown = try await stage.home.podcli("bookmarks", "-").input("1\n2\n").run()
    #expect(lines(shown.output).count == 2, "\(shown)")
    let removed = try await stage.home.podcli("bookmarks", "--remove", "-").input("1\n").run()
    #expect(removed.error == "Removed 1 bookmark\n")
    _ = try await stage.run("bookmark", "2", "3:00")
    let kept = try await stage.json("bookmarks", "2@2:00")
    let one = try await stage.home.podcli("bookmarks", "--remove", "-", "--json").input(kept).run()
    #expect(JSON(parsing: one.output)?.elements?.map { $0["position"] } == [120], "\(one)")
    let moved = try await stage.home.podcli("queue", "move", "-", "1").input("3\tSample Show\n").run()
    let first = lines(try await stage.run("queue").output)[0]
    #expect(moved.status == .exited(0) && first.hasPrefix("3\t"), "\(moved)")
    for list in ["", "1\n2\n"] {
      let refused = try await stage.home.podcli("queue", "move", "-", "1").input(list).run()
      #expect(refused.status == .exited(2) && refused.error.contains("one EPISODE is wanted"), "\(refused)")
    }
  }

  @Test func `a percentage of an unknown length is no position, and removes nothing`() async throws {
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

  @Test func `without a time the bookmark is at the saved position`() async throws {
    let stage = try await Stage.library()
    let nowhere = try await stage.run("bookmark", "2")
    #expect(nowhere.status == .exited(2))
    #expect(nowhere.error.contains("podcli bookmark 2 41:07"))
    try await stage.seed { try await $0.savePosition(.seconds(90), of: .init(rawValue: 2), urgency: .flush) }
    #expect(try await stage.run("bookmark", "2").error == "Bookmarked Episode 2 at 1:30\n")
    #expect(try await stage.run("bookmark", "2", "-1m", "earlier").error == "Bookmarked Episode 2 at 0:30\n")
    #expect(try await stage.run("bookmark", "2", "only a note").error == "Bookmarked Episode 2 at 1:30\n")
    // A feed is often wrong about the length, but hardly by so much; the file is right.
    #expect(try await stage.run("bookmark", "2", "11:00").status == .exited(0))
    #expect(try await stage.run("bookmark", "2", "41:00").status == .exited(2))
    try await stage.seed { try await $0.setMediaDuration(.seconds(650), of: .init(rawValue: 2)) }
    #expect(try await stage.run("bookmark", "2", "11:00").error.contains("it is 10:50 long"))
  }

  @Test func `an empty list is success with a hint`() async throws {
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
