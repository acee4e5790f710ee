import Glibc
import PodcastModel
import TestSupport
import Testing
import Text

@testable import PodcastStore
@testable import podcli

@Suite struct UndoCommandTests {
  @Test func `a mark as played that is undone brings back the position that was heard behind it`() async throws {
    let stage = try Stage(episodes: 1)
    try await stage.subscribe()
    let playing = try stage.home.podcli("play", "1", "--start", "20").start()
    try await stage.wait(forPosition: 21, of: 1)
    _ = try await stage.run("mark", "played", "1")
    let watching = try stage.home.podcli("status", "--watch", "--json").start()
    try await watching.wait(for: "a position behind the mark") { ($0.positions.last ?? 0) > 25 }
    watching.send(SIGTERM)
    playing.send(SIGTERM)
    _ = try await playing.end()
    #expect(try await stage.status(of: 1).hasCompleted)
    try #require(try await stage.run("undo").status == .exited(0))
    let status = try await stage.status(of: 1)
    #expect(try #require(status.lastListenTime?.inSeconds) > 24 && !status.hasCompleted)
  }

  @Test func `undo takes back marks, the queue, a subscription and a setting, the last one first`() async throws {
    let stage = try await Stage.library()
    _ = try await stage.run("mark", "played", "2")
    _ = try await stage.run("queue", "add", "1", "3")
    _ = try await stage.run("set", "sample", "speed=2")
    _ = try await stage.run("unsubscribe", "sample")
    for expected in [
      "Undone: unsubscribing from Sample Show\n", "Undone: setting speed\n",
      "Undone: adding to the queue: 2 episodes\n",
      "Undone: marking as played: Episode 2\n",
    ] {
      #expect(try await stage.run("undo").error == expected)
    }
    #expect(try await stage.run("queue").output.isEmpty)
    #expect(try await stage.status(of: 2).hasCompleted == false)
    #expect(lines(try await stage.run("playlist").output).count == 3)
    #expect(try await stage.run("undo").error.contains("subscribing to Sample Show cannot be undone"))
    let nothing = try await stage.run("undo")
    #expect(nothing.status == .exited(3))
    #expect(nothing.error.contains("there is nothing to undo"))
  }

  @Test func `a deletion is said not to be undone, and only the next undo goes on before it`() async throws {
    let stage = try await Stage.library()
    stage.server.serve("/gone.xml", Response.feed(SampleFeed(title: "Other", episodes: 1).bytes))
    let list = try stage.home.write(
      "<opml><body><outline type='rss' xmlUrl='\(stage.server.url("/gone.xml"))'/></body></opml>", to: "list.opml")
    _ = try await stage.run("import", list)
    let podcasts = try await stage.library().podcasts()
    let other = try #require(podcasts.first { $0.reference.feedURL.hasSuffix("/gone.xml") })
    _ = try await stage.run("unsubscribe", "sample", "--delete", "--yes")
    let first = try await stage.run("undo")
    #expect(first.status == .exited(3))
    #expect(first.error.contains("deleting Sample Show cannot be undone"))
    #expect(try await stage.library().podcasts().map(\.id) == [other.id])
    #expect(try await stage.run("undo").error.contains("importing from"))
    #expect(try await stage.library().podcasts().isEmpty)
  }

  @Test func `subscribing is said not to be undone, and only the next undo goes on before it`() async throws {
    let stage = try await Stage.library()
    _ = try await stage.run("mark", "played", "2")
    stage.server.serve("/other.xml", Response.feed(SampleFeed(title: "Other", episodes: 1).bytes))
    _ = try await stage.run("subscribe", stage.server.url("/other.xml"))
    _ = try await stage.run("subscribe", stage.server.url("/other.xml"))
    let first = try await stage.run("undo")
    #expect(first.status == .exited(3))
    #expect(first.error.contains("subscribing to Other cannot be undone\n  podcli unsubscribe leaves it again; "))
    #expect(try await stage.library().podcasts().count == 2)
    #expect(try await stage.status(of: 2).hasCompleted)
    #expect(try await stage.run("undo").error == "Undone: marking as played: Episode 2\n")
    _ = try await stage.run("unsubscribe", "other", "--delete", "--yes")
    _ = try await stage.run("subscribe", stage.server.url("/other.xml"))
    _ = try await stage.run("unsubscribe", "other", "--delete", "--yes")
    for _ in 1...2 { #expect(try await stage.run("undo").error.contains("deleting Other cannot be undone")) }
    #expect(try await stage.run("undo").error.contains("subscribing to Sample Show cannot be undone"))
  }

  @Test func `as JSON`() async throws {
    let stage = try await Stage.library()
    _ = try await stage.run("mark", "favourite", "2")
    #expect(
      try await stage.json("undo").hasPrefix(#"{"undone":{"action":"markedFavourite","subject":"Episode 2","count":1"#))
  }
}
