import TestSupport
import Testing

extension Stage {
  /// A stage with a podcast, and the screen open in a terminal of this size.
  static func withScreen(
    columns: Int = 80, rows: Int = 24, seconds: Int = 60
  ) async throws -> (Stage, TmuxScreen) {
    let stage = try Stage(seconds: seconds)
    try await stage.subscribe()
    let screen = try await TmuxScreen(in: stage.home, columns: columns, rows: rows)
    try await screen.openPodcli()
    return (stage, screen)
  }
}

extension TmuxScreen {
  func openPodcli() async throws {
    try await type("podcli", "Enter")
    _ = try await shows("the screen") { $0.contains("1 Home") && $0.contains("Episode 3") }
  }

  /// Pauses what is shown to play, and puts it at 0:05, so that the machine's speed does not matter.
  func pausesAtFive(_ stage: Stage) async throws {
    try await type("Space")
    _ = try await shows("⏸ 00:0")
    try #require(try await stage.run("seek", "5").status == .exited(0))
    _ = try await shows("⏸ 00:00:0")
  }
}
