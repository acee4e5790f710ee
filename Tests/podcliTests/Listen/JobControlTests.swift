import Glibc
import PodcastModel
import TestSupport
import Testing
import Text

@Suite struct JobControlTests {
  @Test func `stopped and sent to the background, it plays on and leaves the screen to the shell`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let sink = try PCMSink(in: stage.home)
    let podcli = builtProduct("podcli")
    let shell = try stage.home.program("/bin/bash", "--norc", "--noprofile", "--noediting", "-i").heard(by: sink)
      .on(Program.Screen()).start()
    shell.type("'\(podcli)' play 1\n")
    try await shell.wait(forScreen: "▶ 00:00:01")
    shell.type("\u{1A}")
    try await shell.wait(forScreen: "Stopped")
    shell.type("bg; echo in the ''background\n")
    try await shell.wait(forScreen: "in the background")
    let before = shell.transcript.screen.ranges(of: "▶").count
    try await sink.wait(forSeconds: sink.heard + 2)
    shell.type("echo still ''there\n")
    try await shell.wait(forScreen: "still there")
    #expect(shell.transcript.screen.ranges(of: "▶").count == before)
    shell.type("fg\n")
    try await shell.wait(for: "the line") { $0.screen.ranges(of: "▶").count > before }
    shell.type("q")
    try await shell.wait(forScreen: "go on with: podcli resume")
    shell.type("exit\n")
    _ = try await shell.end()
  }

  @Test func `after Ctrl-Z and fg the keys work as before, each of six times`() async throws {
    let stage = try Stage(seconds: 600)
    try await stage.subscribe()
    let terminal = try await TmuxScreen(in: stage.home, columns: 80, rows: 24)
    try await terminal.type("podcli play 1", "Enter")
    _ = try await terminal.shows("▶ 00:0")
    for _ in 1...6 {
      try await terminal.type("C-z")
      _ = try await terminal.shows("Stopped")
      try await terminal.type("clear; fg", "Enter")
      _ = try await terminal.shows("▶ 00:0")
      try await terminal.type("Space")
      _ = try await terminal.shows("⏸ 00:0")
      try await terminal.type("Space")
      _ = try await terminal.shows("▶ 00:0")
    }
    try await terminal.type("q")
    _ = try await terminal.shows("go on with: podcli resume")
    try await terminal.end()
  }

  @Test func `another terminal is told that the player is suspended, and how it goes on`() async throws {
    let stage = try Stage(seconds: 600)
    try await stage.subscribe()
    let terminal = try await TmuxScreen(in: stage.home, columns: 80, rows: 24)
    try await terminal.type("podcli play 1", "Enter")
    _ = try await terminal.advances()
    try await terminal.type("C-z")
    _ = try await terminal.shows("Stopped")
    #expect(try await stage.run("status").output.hasPrefix("paused\t1\t"))
    let stop = try await stage.run("stop")
    #expect(stop.status == .exited(1) && stop.error.contains("is suspended") && stop.error.contains("kill -CONT"))
    try await terminal.type("fg", "Enter")
    _ = try await terminal.shows("▶ 00:0")
    try await terminal.type("q")
    _ = try await terminal.shows("go on with: podcli resume")
    try await terminal.end()
  }

  @Test func `a screen that is stopped ends with kill`() async throws {
    let (_, screen) = try await Stage.withScreen()
    try await screen.type("C-z")
    _ = try await screen.shows("Stopped")
    try await screen.type("clear; kill %1; while jobs | grep -q podcli; do :; done; echo it is ''gone", "Enter")
    _ = try await screen.shows("it is gone")
    try await screen.end()
  }

  @Test func `a screen whose Q cannot stop a suspended player says so`() async throws {
    let stage = try Stage(seconds: 600)
    try await stage.subscribe()
    try #require(try await stage.run("play", "3", "--detach").status == .exited(0))
    let pid = try #require(JSON(parsing: try await stage.json("status"))?["pid"]?.int.map(Int32.init))
    let screen = try await TmuxScreen(in: stage.home, columns: 80, rows: 24)
    try await screen.openPodcli()
    _ = try await screen.advances()
    kill(pid, SIGSTOP)
    defer { kill(pid, SIGCONT) }
    try await screen.type("Q")
    #expect(try await !screen.shows("is suspended").contains("Stopped; go on with"))
    kill(pid, SIGCONT)
    #expect(try await stage.run("stop").status == .exited(0))
    try await screen.end()
  }
}
