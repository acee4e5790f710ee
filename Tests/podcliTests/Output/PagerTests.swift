import TestSupport
import Testing

@testable import podcli

@Suite struct PagerTests {
  private func shown(_ words: [String], rows: Int, in stage: Stage, pager: String = "sed s/^/paged:/") async throws
    -> String
  {
    let outcome = try await stage.home.podcli(words).on(Program.Screen(columns: 80, rows: rows))
      .setting("PAGER", pager).run()
    #expect(outcome.status == .exited(0))
    return outcome.transcript.screen
  }

  @Test(arguments: [
    ["playlist", "--all"], ["episodes", "1", "--all"], ["queue"], ["config"], ["help", "play"], ["help"],
  ])
  func `only a text longer than the screen goes through the pager`(words: [String]) async throws {
    let stage = try await Stage.library(episodes: 30)
    _ = try await stage.run("queue", "add", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12")
    #expect(try await shown(words, rows: 10, in: stage).contains("paged:"))
    #expect(try await !shown(words, rows: 200, in: stage).contains("paged:"))
    #expect(try await !shown(words, rows: 10, in: stage, pager: "cat").contains("paged:"))
    #expect(try await !stage.home.podcli(words).setting("PAGER", "sed s/^/paged:/").run().output.contains("paged:"))
  }

  @Test func `long notes go through the pager, short ones do not`() async throws {
    let stage = try await Stage.library(notes: [
      3: "<content:encoded><![CDATA[" + String(repeating: "line<br>", count: 100) + "]]></content:encoded>"
    ])
    stage.server.serve("/feed.xml", Response.status(404))
    for (episode, isPaged) in [("3", true), ("2", false)] {
      let outcome = try await stage.home.podcli("info", episode).on(Program.Screen(columns: 80, rows: 24))
        .setting("PAGER", "sed -u '1s/^/paged /'").run()
      #expect(outcome.status == .exited(0))
      #expect(outcome.transcript.screen.hasPrefix("paged ") == isPaged)
      #expect(outcome.transcript.screen.contains("Sample Show"))
    }
  }

  @Test func `a missing pager, or one that quits early, is no failure`() async throws {
    let stage = try await Stage.library(episodes: 30)
    #expect(try await shown(["playlist", "--all"], rows: 10, in: stage, pager: "no-such-pager").contains("Episode 1 "))
    #expect(try await shown(["playlist", "--all"], rows: 10, in: stage, pager: "head -n 1").contains("Episode 30 "))
  }
}
