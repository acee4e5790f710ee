import PodcastModel
import PodcastStore
import ScreenKit
import TestSupport
import Testing
import Text

@testable import podcli

@Suite struct HistoryCommandTests {
  static func stage() async throws -> Stage {
    let stage = try await Stage.library()
    try await stage.seed { store in
      for (episode, start) in [(1, 1_767_225_600), (2, 1_767_232_800), (2, 1_767_312_000)] as [(Int64, Int64)] {
        var session = ListeningSession(startedAt: .init(seconds: start), startPosition: .seconds(60))
        let id = try await store.beginSession(session, of: .init(rawValue: episode))
        session.endedAt = .init(seconds: start + 300)
        session.endPosition = .seconds(480)
        session.listened = .seconds(300)
        session.savedBySpeed = .seconds(120)
        try await store.update(id, to: session)
      }
    }
    return stage
  }

  @Test func `a session has its episode, start, positions and length`() async throws {
    let stage = try await Self.stage()
    let list = lines(try await stage.run("history").output)
    #expect(list.count == 3)
    #expect(list[0] == "2\t2026-01-02T00:00:00Z\tSample Show\tEpisode 2\t60\t480\t300")
    #expect(lines(try await stage.run("history", "-n", "1", "--podcast", "sample").output).count == 1)
    #expect(
      try await stage.json("history").contains(#""startedAt":"2026-01-02T00:00:00Z","endedAt":"2026-01-02T00:05:00Z""#))
  }

  @Test(arguments: [40, 80])
  func `sessions are grouped by day on the screen`(columns: Int) async throws {
    let screen = plain(try await Self.stage().screen(["history"], columns: columns))
    #expect(screen.hasPrefix("Friday, 2026-01-02\n"))
    #expect(screen.contains("\n\nThursday, 2026-01-01\n"))
    for line in lines(screen) { #expect(DisplayWidth.of(String(line)) <= columns) }
  }

  @Test func `a filter that nothing fits says so, and not that nothing was heard`() async throws {
    let stage = try await Self.stage()
    for words in [["favourite"], ["--podcast", "sample", "minutes<0"]] {
      let outcome = try await stage.home.podcli(["history"] + words).run()
      #expect(outcome.status == .exited(0) && outcome.error.hasPrefix("Nothing that has been listened to matches"))
    }
  }

  @Test func `an empty list is success with a hint`() async throws {
    for command in ["history", "stats"] {
      let outcome = try await TemporaryHome().podcli(command).run()
      #expect(outcome.status == .exited(0))
      #expect(outcome.output.isEmpty)
      #expect(outcome.error.contains("podcli play EPISODE"))
    }
  }
}
