import PodcastModel
import PodcastStore
import TestSupport
import Testing
import Text

@Suite struct ServerCommandTests {
  private let stage: Stage
  private let server: PodcastServer

  init() throws {
    stage = try Stage(episodes: 3, seconds: 60)
    server = try PodcastServer(.opodsync)
  }

  private func logIn(_ password: String = PodcastServer.password) async throws -> Outcome {
    let arguments = ["sync", "login", server.url, "--user", "alice", "--password-stdin"]
    return try await stage.home.podcli(arguments).input(password + "\n").run()
  }

  /// Repeats the command until it holds: a sync that follows a command is broken off where it takes long.
  private func repeating(
    _ what: String, _ command: () async throws -> Outcome, until holds: () async throws -> Bool
  ) async throws {
    let deadline = Deadline()
    repeat {
      if deadline.hasPassed { throw Overdue(what) }
      let outcome = try await command()
      #expect(outcome.status == .exited(0), "\(outcome)")
    } while try await !holds()
  }

  @Test func `logs in with a password from standard input, syncs, and says so`() async throws {
    server.subscribe(stage.feedURL)
    let login = try await logIn()
    #expect(login.status == .exited(0))
    #expect(login.error == "Logged in at \(server.url) as alice. Now: podcli sync\n")
    let sync = try await stage.run("sync")
    #expect(sync.status == .exited(0))
    #expect(sync.error == "Synced with \(server.url): 1 podcast more\n")
    #expect(try await stage.run("sync").error == "Synced with \(server.url): nothing new\n")
    #expect(try await stage.library().podcasts().map(\.reference.feedURL) == [stage.feedURL])
  }

  @Test func `a signal at the question for a password leaves the terminal as it was`() async throws {
    let podcli = builtProduct("podcli")
    let login = "'\(podcli)' sync login \(server.url) --user alice"
    let script = "trap : INT; before=$(stty -g); \(login); echo $?; [ \"$(stty -g)\" = \"$before\" ] && echo same"
    let shell = try stage.home.program("/bin/bash", "-c", script).on(Program.Screen()).start()
    try await shell.wait(forScreen: "Password: ")
    shell.type("\u{3}")
    #expect(try await shell.end().transcript.screen.hasSuffix("130\r\nsame\r\n"))
  }

  @Test func `no output has the password in it`() async throws {
    let word = "pw-hunter2"
    var said = ""
    for outcome in [try await logIn(word), try await logIn()] { said += outcome.output + outcome.error }
    for arguments in [
      ["sync"], ["sync", "--json"], ["sync", "status"], ["sync", "status", "--json"], ["sync", "log"],
    ] {
      let outcome = try await stage.home.podcli(arguments).run()
      said += outcome.output + outcome.error
    }
    #expect(!said.contains(word) && !said.contains("\"secret\""))
    for address in ["http://alice:pw-hunter2@127.0.0.1:1", "alice:pw-hunter2@127.0.0.1"] {
      let refused = try await stage.run("sync", "login", address)
      #expect(refused.status == .exited(2))
      #expect(!(refused.output + refused.error).contains(word), "\(refused)")
    }
  }

  @Test func `a wrong password is status 4, a server that is not there status 5, and a refused step status 6`()
    async throws
  {
    #expect(try await logIn("wrong").status == .exited(4))
    #expect(try await stage.run("sync").status == .exited(3))
    #expect(try await logIn().status == .exited(0))
    try await stage.subscribe()
    _ = try await stage.run("mark", "played", "1")
    server.fail(.page, at: "/subscriptions/", method: "GET")
    let partial = try await stage.run("sync")
    #expect(partial.status == .exited(6))
    #expect(partial.error.contains("1 episode sent"))
    server.fail(.status(401), times: 100)
    let refused = try await stage.run("sync")
    #expect(refused.status == .exited(4))
    #expect(!refused.error.contains("Synced") && refused.error.split(separator: "podcli: ").count == 1, "\(refused)")
    #expect(refused.error.contains("podcli sync login"))
    server.stop()
    let failed = try await stage.run("sync", "--json")
    #expect(failed.status == .exited(5))
    #expect(failed.output.isEmpty && failed.error.contains("\"code\":\"network\""))
  }

  @Test func `a refresh syncs, and succeeds when the server does not`() async throws {
    #expect(try await logIn().status == .exited(0))
    try await stage.subscribe()
    #expect(server.subscriptions.isEmpty)
    try await repeating("the subscription", { try await stage.run("refresh", "--force") }) {
      server.subscriptions == [stage.feedURL]
    }
    _ = try await stage.run("config", "set", "sync=manual")
    _ = try await stage.run("mark", "played", "2")
    #expect(try await stage.run("refresh", "--force").status == .exited(0))
    #expect(server.actions.isEmpty)
    _ = try await stage.run("config", "set", "sync=auto")
    server.fail(.status(500), times: 1000)
    try await repeating("the server's failure", { try await stage.run("refresh", "--force") }) {
      try await stage.run("sync", "status", "--json").output.contains("answered with status 500")
    }
    #expect(try await stage.run("sync", "log").output.contains("answered with status 500"))
    #expect(try await stage.run("doctor").output.contains("answered with status 500"))
  }

  @Test func `a player that stops tells the server where`() async throws {
    #expect(try await logIn().status == .exited(0))
    try await stage.subscribe()
    _ = try await stage.run("sync")
    try await repeating(
      "the position", { try await stage.run("play", "1", "--start", "10", "--until", "45", "--speed", "4") }
    ) { !server.actions.isEmpty }
    let sent = try #require(server.actions.first)
    let position = try #require(sent["position"]?.int)
    #expect((42...46).contains(position))
  }

  @Test(arguments: ["auto", "manual"])
  func `of a mark and a later listening on a phone the listening counts, whenever the mark is sent`(sync: String)
    async throws
  {
    #expect(try await logIn().status == .exited(0))
    _ = try await stage.run("config", "set", "sync=\(sync)")
    try await stage.subscribe()
    _ = try await stage.run("sync")
    _ = try await stage.run("mark", "played", "1")
    let marked = Timestamp.now
    // Times of servers are whole seconds.
    while Timestamp.now.seconds < marked.seconds + 2 { _ = try await stage.run("status") }
    server.report([
      "podcast": JSON(stage.feedURL), "episode": JSON(stage.server.url("/media/1.wav")), "guid": "sampleshow-1",
      "device": "phone", "action": "play", "timestamp": JSON(String(Timestamp.now.description.dropLast())),
      "started": 0, "position": 30, "total": 60,
    ])
    _ = try await stage.run("sync")
    let status = try await stage.status(of: 1)
    #expect(status.lastListenTime == .seconds(30) && !status.hasCompleted, "\(status)")
  }

  @Test func `logs out, and forgets the server`() async throws {
    #expect(try await logIn().status == .exited(0))
    #expect(try await stage.run("sync", "logout").error.hasPrefix("Logged out at \(server.url)"))
    #expect(try await stage.run("sync", "logout").status == .exited(3))
    #expect(try await logIn().status == .exited(0))
    let document = try JSON(parsing: await stage.run("sync", "logout", "--json").output)
    #expect(document?["loggedOut"]?.text == server.url)
    let asked = server.requests.count
    #expect(try await stage.run("sync").status == .exited(3))
    #expect(server.requests.count == asked)
  }
}
