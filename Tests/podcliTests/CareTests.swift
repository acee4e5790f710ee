import Glibc
import PodcastModel
import TestSupport
import Testing
import Text

@testable import PodcastStore
@testable import podcli

@Suite struct UndoTests {
  @Test func `marks, the queue, a subscription and a setting come back, the last first`() async throws {
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

@Suite struct BackupTests {
  @Test func `a backup brings back what was lost, and keeps what was there`() async throws {
    let stage = try await Stage.library()
    let file = stage.home.path + "/copy.db"
    #expect(try await stage.run("backup", file).output == file + "\n")
    _ = try await stage.run("unsubscribe", "sample", "--delete", "--yes")
    #expect(try await stage.run("playlist").output.isEmpty)
    let restored = try await stage.run("restore", file)
    #expect(restored.status == .exited(0), "\(restored)")
    #expect(restored.error.contains("library.db.before-"))
    #expect(lines(try await stage.run("playlist").output).count == 3)
  }

  @Test func `without a name it lies beside the library, and is listed`() async throws {
    let stage = try await Stage.library()
    let path = try await stage.run("backup").output
    #expect(try await stage.run("backup", "--list").output.hasPrefix(path.dropLast()))
    #expect(try await stage.json("backup", "--list").hasPrefix(#"[{"path":"#))
  }

  @Test func `a refresh makes one when a week has passed, whatever becomes of the feeds`() async throws {
    let stage = try await Stage.library()
    _ = try await stage.run("refresh")
    #expect(try await stage.run("backup", "--list").output.isEmpty)
    let store = try PodcastStoreForTests.writing(stage.home)
    try await store.makeOld()
    await store.close()
    stage.server.stop()
    let outcome = try await stage.run("refresh", "--json")
    #expect(outcome.status == .exited(5), "\(outcome)")
    #expect(lines(try await stage.run("backup", "--list").output).count == 1)
    _ = try await stage.run("refresh", "--scheduled")
    #expect(lines(try await stage.run("backup", "--list").output).count == 1)
  }

  @Test func `a file that is something else is not replaced`() async throws {
    let stage = try await Stage.library()
    let letter = try stage.home.write("Dear all", to: "letter")
    let refused = try await stage.run("backup", letter)
    #expect(refused.status == .exited(1))
    #expect(refused.error.contains("--force"))
    #expect(try contents(of: letter) == Array("Dear all".utf8))
    let restore = try await stage.run("restore", letter)
    #expect(restore.status != .exited(0))
    #expect(restore.error.contains("not touched"))
    #expect(try await stage.run("restore", "/no/such/file").status == .exited(3))
    #expect(lines(try await stage.run("playlist").output).count == 3)
    #expect(try await TemporaryHome().podcli("backup").run().status == .exited(3))
  }

  @Test func `nothing is restored under a player`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let file = stage.home.path + "/copy.db"
    _ = try await stage.run("backup", file)
    let playing = try stage.home.podcli("play", "1").start()
    try await playing.wait(forError: "Playing")
    #expect(try await stage.run("restore", file).status == .exited(7))
    playing.send(SIGTERM)
    _ = try await playing.end()
  }
}

extension PodcastStore {
  /// As if what is followed had been followed for a year.
  fileprivate func makeOld() throws(StoreError) {
    try connection.executeScript("UPDATE podcasts SET subscribed_at = subscribed_at - 31536000")
  }
}

@Suite struct DoctorTests {
  @Test func `a sound library and working audio are fine`() async throws {
    let stage = try await Stage.library()
    let outcome = try await stage.run("doctor", "--full")
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(outcome.output.contains("✔ library    \(stage.home.path)/podcli/library.db: 1 podcast, 3 episodes"))
    #expect(outcome.output.contains("✔ audio      libmpv plays to null"))
    #expect(try await stage.json("doctor").hasPrefix(#"{"findings":[{"name":"library","state":"fine","#))
    #expect(try await TemporaryHome().podcli("doctor").run().status == .exited(0))
  }

  @Test func `no audio output is bad, with what to try`() async throws {
    let outcome = try await TemporaryHome().podcli("doctor").setting("PODCLI_AO", "no-such-output").run()
    #expect(outcome.status == .exited(8))
    #expect(outcome.output.contains("✘ audio"))
    #expect(outcome.output.contains("PODCLI_AO=alsa"))
    #expect(outcome.error.contains("1 of 6 things are bad: audio"))
    let asJSON = try await TemporaryHome().podcli("doctor", "--json").setting("PODCLI_AO", "no-such-output").run()
    #expect(asJSON.status == .exited(8))
    #expect(asJSON.error.isEmpty)
    let states = JSON(parsing: asJSON.output)?["findings"]?.elements?.map { $0["state"]?.text }
    #expect(states?.count { $0 == "bad" } == 1)
  }

  @Test func `a wrong line in the settings is bad`() async throws {
    let stage = try await Stage.library()
    try stage.home.write("speed = fast\n", to: "podcli/config")
    let outcome = try await stage.run("doctor")
    #expect(outcome.status == .exited(1))
    #expect(outcome.output.contains("line 1: speed must be a number from 0.5 to 5, not 'fast'"))
  }

  @Test(arguments: [40, 80])
  func `fits the screen`(columns: Int) async throws {
    let stage = try await Stage.library()
    let screen = plain(try await stage.screen(["doctor"], columns: columns))
    for line in lines(screen) where !line.contains("/") { #expect(DisplayWidth.of(String(line)) <= columns) }
  }
}
