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
}
