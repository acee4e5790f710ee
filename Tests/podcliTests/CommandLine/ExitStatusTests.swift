import Glibc
import PodcastModel
import PodcastStore
import TestSupport
import Testing

@testable import podcli

/// Every exit status, from the built program.
@Suite struct ExitStatusTests {
  @Test func `a full standard output is reported`() async throws {
    let home = try TemporaryHome()
    let outcome = try await home.program("/bin/sh", "-c", "'\(builtProduct("podcli"))' config > /dev/full").run()
    #expect(outcome.status == .exited(1))
    #expect(outcome.error == "podcli: standard output cannot be written: No space left on device\n")
  }

  @Test(
    arguments: [
      (0, "playlist favourite"), (1, "subscribe SERVER/page"), (2, "playlist --nonsense"), (3, "play nothing"),
      (3, "playlist podcast:typo"), (3, "queue tag:typo"), (3, "search episode podcast:typo"),
      (0, "playlist podcast:sample"),
      (3, "resume"), (4, "subscribe SERVER/locked"), (5, "subscribe http://127.0.0.1:1/feed.xml"),
      (6, "subscribe SERVER/feed.xml SERVER/none"), (8, "play 1"),
    ] as [(Int32, String)])
  func `a command line ends with its status`(status: Int32, line: String) async throws {
    let stage = try await Stage.library()
    stage.server.serve("/page", .ok("<!doctype html><html><body>Hello</body></html>", type: "text/html"))
    stage.server.serve("/locked", .status(401))
    // Bytes that are no audio.
    stage.server.serve("/media/1.wav", .ok([UInt8](repeating: 7, count: 4000), type: "audio/wav"))
    let words = line.replacing("SERVER", with: stage.server.origin).split(separator: " ").map(String.init)
    let outcome = try await stage.home.podcli(words).run()
    #expect(outcome.status == .exited(status), "\(line): \(outcome)")
  }

  @Test func `7: another podcli plays`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let playing = try stage.home.podcli("play", "1").start()
    try await playing.wait(forError: "Playing")
    #expect(try await stage.run("play", "2").status == .exited(7))
    #expect(try await stage.run("restore", "nothing").status == .exited(7))
  }

  @Test func `8: there is no audio output`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let outcome = try await stage.home.podcli("play", "1").setting("PODCLI_AO", "alsa:audio-device=alsa/none").run()
    #expect(outcome.status == .exited(8), "\(outcome)")
  }

  @Test(
    arguments: [
      (1, "subscribe SERVER/feed.xml", "libcurl.so.4"), (1, "find linux", "libcurl.so.4"),
      (1, "download 1", "libcurl.so.4"), (1, "play 1", "libcurl.so.4"), (1, "refresh", "libcurl.so.4"),
      (8, "play 1", "libmpv.so.2"), (8, "resume", "libmpv.so.2"),
    ] as [(Int32, String, String)])
  func `a missing system library is named`(status: Int32, line: String, name: String) async throws {
    let stage = try await Stage.library()
    let store = try PodcastStoreForTests.writing(stage.home)
    try await store.savePosition(.seconds(20), of: .init(rawValue: 1), urgency: .flush)
    await store.close()
    try stage.home.write("no library", to: name)
    let words = line.replacing("SERVER", with: stage.server.origin).split(separator: " ").map(String.init)
    let outcome = try await stage.home.podcli(words).setting("LD_LIBRARY_PATH", stage.home.path).run()
    #expect(outcome.status == .exited(status), "\(outcome)")
    #expect(outcome.error.contains(name.prefix { $0 != "." } + " is not installed"))
    #expect(outcome.error.contains("sudo apt install"))
  }

  @Test func `9: the library is no library, or has no folder`() async throws {
    let home = try TemporaryHome()
    try home.write("this is a letter and not a library of podcasts", to: "library.db")
    #expect(try await home.podcli("playlist", "--library", home.path).run().status == .exited(9))
    #expect(try await home.podcli("playlist", "--library", "").run().status == .exited(2))
    #expect(try await home.podcli("history", "--library", "/proc/none").run().status != .exited(1))
    #expect(try await home.podcli("undo", "--library", "/proc/none").run().status == .exited(9))
    let restored = try await home.podcli("restore", home.path + "/library.db", "--library", "/proc/none").run()
    #expect(restored.status == .exited(9))
    #expect(restored.error.contains("another folder: --library DIR"))
  }

  @Test(arguments: [(SIGHUP, 129), (SIGINT, 130), (SIGQUIT, 131), (SIGTERM, 143)] as [(Int32, Int32)])
  func `a signal ends podcli after the position is saved`(signal: Int32, status: Int32) async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let playing = try stage.home.podcli("play", "1", "--start", "20").on(Program.Screen(streams: [.error])).start()
    try await playing.wait(forScreen: "▶ 00:00:21")
    playing.send(signal)
    #expect(try await playing.end().status == .exited(status))
    #expect(try #require(try await stage.position(of: 1)) > 20.5)
  }
}
