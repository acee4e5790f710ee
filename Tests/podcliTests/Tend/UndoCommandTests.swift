import Glibc
import PodcastModel
import TestSupport
import Testing
import Text

@testable import PodcastStore
@testable import podcli

@Suite struct UndoCommandTests {
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
    let nothing = try await stage.run("undo")
    #expect(nothing.status == .exited(3))
    #expect(nothing.error.contains("there is nothing to undo"))
  }

  @Test func `as JSON`() async throws {
    let stage = try await Stage.library()
    _ = try await stage.run("mark", "favourite", "2")
    #expect(
      try await stage.json("undo").hasPrefix(#"{"undone":{"action":"markedFavourite","subject":"Episode 2","count":1"#))
  }
}
