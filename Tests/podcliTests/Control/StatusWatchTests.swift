import Glibc
import ScreenKit
import TestSupport
import Testing

@testable import podcli

/// `status --watch` and `status --line`, for status bars.
@Suite struct StatusWatchTests {
  @Test func `status --watch follows from player to player`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let watching = try stage.home.podcli("status", "--watch").start()
    try await watching.wait(forOutput: "stopped\n")
    for number in 1...2 {
      let playing = try stage.home.podcli("play", "\(number)", "--paused").start()
      try await watching.wait(forOutput: "paused\t\(number)\t")
      _ = try await stage.run("play")
      // After a quarter of a second that was heard, the episode is the current one.
      try await watching.wait(forOutput: "playing\t\(number)\tSample Show\tEpisode \(number)\t1\t")
      playing.send(number == 1 ? SIGKILL : SIGTERM)
      _ = try await playing.end()
      try await watching.wait(forOutput: "stopped\t\(number)\t")
    }
    watching.send(SIGTERM)
  }

  @Test func `a line for a status bar fits, in a pipe as on a terminal`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    #expect(try await stage.run("status", "--line").output == "\n")
    let playing = try stage.home.podcli("play", "1", "--start", "30", "--paused").start()
    try await stage.wait(forStatus: #""state":"paused","episode""#, #""position":30,"#)
    let line = try await stage.run("status", "--line=60").output
    #expect(line == "⏸ 00:00:30 ━━━━━───── -00:00:30  Sample Show: Episode 1\n")
    for columns in [1, 5, 12, 30] {
      let line = try await stage.run("status", "--line=\(columns)").output
      #expect(DisplayWidth.of(String(line.dropLast())) <= columns && line.hasSuffix("\n"), "\(line)")
    }
    #expect(DisplayWidth.of(try await stage.run("status", "--line").output) <= 81)
    let watching = try stage.home.podcli("status", "--watch", "--line=30").start()
    try await watching.wait(forOutput: "⏸ 00:00:30 ")
    _ = try await stage.run("seek", "40")
    try await watching.wait(forOutput: "⏸ 00:00:40 ")
    watching.send(SIGTERM)
    for line in lines(try await watching.end().output) { #expect(DisplayWidth.of(String(line)) <= 30) }
    playing.send(SIGTERM)
    _ = try await playing.end()
  }
}
