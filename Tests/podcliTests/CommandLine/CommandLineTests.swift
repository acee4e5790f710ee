import CommandKit
import TestSupport
import Testing
import Text

@testable import podcli

@Suite struct CommandLineTests {
  @Test func `bad usage is status 2 and one helpful line`() async throws {
    let home = try TemporaryHome()
    for arguments in [
      ["plai"], ["play", "--restart"], ["play", "1", "--restrat"], ["playlist", "-n", "x"], ["resume", "1"],
    ] {
      let outcome = try await home.podcli(arguments).run()
      #expect(outcome.status == .exited(2), "\(arguments)")
      #expect(outcome.output.isEmpty)
      #expect(outcome.error.hasPrefix("podcli: "))
    }
  }

  @Test(arguments: [
    (["preview", "nofile"], "podcli preview https://example.org/feed.xml"),
    (["subscribe", "nofile"], "podcli subscribe https://example.org/feed.xml"), (["speed"], "needs an X"),
  ]) func `an error names the command itself`(words: [String], part: String) async throws {
    let outcome = try await TemporaryHome().podcli(words).run()
    #expect(outcome.error.contains(part), "\(outcome)")
  }

  @Test func `a password in an address without a scheme is not repeated`() async throws {
    let outcome = try await TemporaryHome().podcli("subscribe", "me:secret@example.org/feed").run()
    #expect(outcome.error.contains("'example.org/feed' is neither"), "\(outcome)")
    #expect(!outcome.error.contains("secret"))
  }

  @Test func `failures are JSON on request, with nothing on standard output`() async throws {
    let outcome = try await TemporaryHome().podcli("play", "nothing", "--json").run()
    #expect(outcome.status == .exited(3))
    #expect(outcome.output.isEmpty)
    #expect(outcome.error.hasPrefix(#"{"error":{"code":"notFound","message":"#))
  }

  @Test func `P11: a closed pipe is no failure`() async throws {
    let stage = try Stage(episodes: 3, seconds: 1)
    stage.server.serve("/feed.xml", Response.feed(SampleFeed(episodes: 3000).bytes))
    try await stage.subscribe()
    let podcli = builtProduct("podcli")
    let line = "'\(podcli)' playlist | head -n 1; exit ${PIPESTATUS[0]}"
    let outcome = try await stage.home.program("/bin/bash", "-c", line).run()
    #expect(outcome.status == .exited(0))
    #expect(outcome.error.isEmpty)
    #expect(outcome.output.split(separator: "\n").count == 1)
  }

  @Test func `P12: any locale works, and so does no HOME`() async throws {
    for locale in ["de_DE.UTF-8", "C", "POSIX"] {
      let stage = try Stage(episodes: 1, seconds: 2)
      try await stage.subscribe()
      let outcome = try await stage.home.podcli("play", "1").setting("LC_ALL", locale)
        .setting("PODCLI_AO", "null:ao-null-untimed=yes").run()
      #expect(outcome.status == .exited(0))
    }
    let home = try TemporaryHome()
    let outcome = try await home.podcli("playlist").setting("HOME", nil).run()
    #expect(outcome.status == .exited(0))
  }

  @Test func `several addresses: one failure does not stop the rest`() async throws {
    let stage = try Stage(episodes: 1, seconds: 1)
    let outcome = try await stage.run("subscribe", stage.server.url("/none"), stage.feedURL)
    #expect(outcome.status == .exited(6))
    #expect(outcome.output.contains("Subscribed to Sample Show"))
    #expect(outcome.error.contains("404"))
  }

  @Test func `looking at the library opens no library that only playing or fetching needs`() async throws {
    let stage = try Stage(episodes: 1, seconds: 1)
    try await stage.subscribe()
    for arguments in [["playlist"], ["version"], ["resume", "--list"], ["status"]] {
      let outcome = try await stage.home.podcli(arguments).setting("LD_DEBUG", "files").run()
      #expect(outcome.error.contains("libsqlite3"))
      for library in ["libmpv", "libcurl", "libxml2", "libsystemd", "libpulse", "libicu"] {
        #expect(!outcome.error.contains(library), "\(arguments) opens \(library)")
      }
    }
  }

  @Test func `subscribing twice changes nothing`() async throws {
    let stage = try Stage(episodes: 2, seconds: 1)
    try await stage.subscribe()
    let before = try await stage.run("playlist", "--json").output
    let again = try await stage.run("subscribe", stage.feedURL)
    #expect(again.output == "Already subscribed to Sample Show: 2 episodes, nothing new\n")
    #expect(try await stage.run("playlist", "--json").output == before)
  }

  @Test func `--quiet shows errors only`() async throws {
    let stage = try Stage(episodes: 2, seconds: 1)
    for line in [
      "subscribe \(stage.feedURL)", "subscribe \(stage.feedURL)", "refresh", "mark played 1", "undo", "queue add 1 2",
      "queue clear", "bookmark 1 0:00", "bookmarks --remove 1", "set 1 speed=2", "config set speed=2", "download 1",
      "downloads --remove 1", "unsubscribe 1", "undo", "playlist favourite", "play 1 --no-queue",
    ] {
      let outcome = try await stage.home.podcli(line.split(separator: " ").map(String.init) + ["--quiet"])
        .setting("PODCLI_AO", "null:ao-null-untimed=yes").run()
      #expect(outcome.status == .exited(0), "\(line): \(outcome)")
      #expect(outcome.output.isEmpty && outcome.error.isEmpty, "\(line): \(outcome)")
    }
    #expect(try await stage.run("play", "nothing", "-q").error.hasPrefix("podcli: "))
    #expect(try await stage.run("refresh", "-v").error.contains("Sample Show: "))
  }

  @Test func `a mistyped title gets a suggestion`() async throws {
    let stage = try Stage(episodes: 1, seconds: 1)
    let feed = SampleFeed(episodes: 1).xml.replacing("Episode 1", with: "Counting seconds")
    stage.server.serve("/feed.xml", Response.feed(Array(feed.utf8)))
    try await stage.subscribe()
    #expect(try await stage.run("info", "cuonting seconds").error.contains("did you mean 'Counting seconds'?"))
  }

  @Test func `a secret in an address is never shown`() async throws {
    let stage = try Stage(episodes: 1, seconds: 1)
    let secret = stage.server.origin.replacing("http://", with: "http://me:hunter2@")
    let outcome = try await stage.run("subscribe", secret + "/none?token=hunter3", "--json")
    #expect(!outcome.error.contains("hunter"))
    #expect(outcome.status == .exited(5))
  }
}

@Suite struct CommandTableTests {
  @Test func `the README lists every command`() throws {
    let readme = String(decoding: try contents(of: Folders.repository + "/README.md"), as: UTF8.self)
    #expect(
      readme.contains("-->\n" + Program.podcli.commandTable + "<!--"), "`make readme` brings it up to date")
  }
}
