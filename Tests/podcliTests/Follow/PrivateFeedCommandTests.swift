import Glibc
import PodcastModel
import PodcastStore
import TestSupport
import Testing

@Suite struct PrivateFeedCommandTests {
  private let stage: Stage

  init() throws {
    stage = try Stage(episodes: 1, seconds: 1)
    let feed = Response.feed(SampleFeed(title: "Secret", episodes: 1).bytes)
    // me:hunter2
    stage.server.serve("/private") { request in
      request.header("Authorization") == "Basic bWU6aHVudGVyMg=="
        ? feed : Response.status(401).header("WWW-Authenticate", "Basic realm=\"x\"")
    }
    stage.server.serve("/t0k3n/feed", feed)
  }

  /// The output of every command about the podcast, in every form.
  private func everythingSaid() async throws -> String {
    var said = ""
    for arguments in [
      ["podcasts"], ["podcasts", "--json"], ["playlist", "--json"], ["refresh"], ["refresh", "--force", "--json"],
      ["info", "Secret"], ["info", "Secret", "--json"], ["podcasts", "--verbose"], ["doctor", "Secret"], ["export"],
    ] {
      let outcome = try await stage.home.podcli(arguments).run()
      said += outcome.output + outcome.error
    }
    return said
  }

  @Test func `401 is status 4 with a hint about credentials`() async throws {
    let outcome = try await stage.run("subscribe", stage.server.url("/private"))
    #expect(outcome.status == .exited(4))
    #expect(outcome.error.contains("--user NAME --password-stdin"))
  }

  @Test func `C1: a password comes from standard input, works at every refresh, and is never shown`() async throws {
    let arguments = ["subscribe", stage.server.url("/private"), "--user", "me", "--password-stdin"]
    let outcome = try await stage.home.podcli(arguments).input("hunter2\n").run()
    #expect(outcome.output == "Subscribed to Secret: 1 episode\n")
    #expect(try await stage.run("refresh").status == .exited(0))
    #expect(!(try await everythingSaid()).contains("hunter2"))
    try expectPrivateFiles()
    let wrong = try await stage.home.podcli(arguments).input("wrong\n").run()
    #expect(wrong.status == .exited(4))
    #expect(try await stage.run("refresh").status == .exited(0))
  }

  @Test func `C1: user and password are removed from an address`() async throws {
    let address = stage.server.url("/private").replacing("http://", with: "http://me:hunter2@")
    #expect(try await stage.run("subscribe", address).output == "Subscribed to Secret: 1 episode\n")
    #expect(try await stage.run("subscribe", address).output.hasPrefix("Already subscribed"))
    #expect(try await stage.library().podcasts().map(\.reference.feedURL) == [stage.server.url("/private")])
    #expect(!(try await everythingSaid()).contains("hunter2"))
  }

  @Test func `C1: a secret address works and is never shown`() async throws {
    let address = stage.server.url("/t0k3n/feed")
    for begin in ["Subscribed", "Already subscribed"] {
      let outcome = try await stage.run("subscribe", address, "--private")
      #expect(outcome.output.hasPrefix(begin))
      #expect(!(outcome.output + outcome.error).contains("t0k3n"))
    }
    #expect(try await stage.run("refresh").status == .exited(0))
    #expect(!(try await everythingSaid()).contains("t0k3n"))
    try expectPrivateFiles()
    stage.server.stop()
    let failed = try await stage.run("refresh", "--json")
    #expect(failed.status == .exited(5))
    #expect(!(failed.output + failed.error + (try await everythingSaid())).contains("t0k3n"))
  }

  @Test func `H5: credentials never go to another host`() async throws {
    let other = try LoopbackServer(host: "127.0.0.2")
    other.serve("/feed", Response.feed(SampleFeed(episodes: 1).bytes))
    stage.server.serve("/away", Response.redirect(to: other.url("/feed"), status: 301))
    let arguments = ["subscribe", stage.server.url("/away"), "--user", "me", "--password-stdin"]
    let outcome = try await stage.home.podcli(arguments).input("hunter2\n").run()
    #expect(outcome.status == .exited(0))
    _ = try await stage.run("refresh", "--force")
    #expect(stage.server.requests.first?.header("Authorization") != nil)
    #expect(other.requests.count == 2)
    #expect(other.requests.allSatisfy { $0.header("Authorization") == nil })
  }

  @Test func `an empty password and a lone --password-stdin are bad usage`() async throws {
    let empty = try await stage.home.podcli("subscribe", "h.example", "--user", "me", "--password-stdin").input("")
      .run()
    #expect(empty.status == .exited(2))
    #expect(try await stage.run("subscribe", "h.example", "--password-stdin").status == .exited(2))
  }

  private func expectPrivateFiles() throws {
    var status = stat()
    for name in ["secrets", "library.db"] {
      #expect(stat(stage.home.path + "/podcli/" + name, &status) == 0)
      #expect(status.st_mode & 0o077 == 0, "\(name)")
    }
  }
}
