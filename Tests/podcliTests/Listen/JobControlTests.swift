import PodcastModel
import TestSupport
import Testing

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
}
