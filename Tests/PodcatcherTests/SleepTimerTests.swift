import Testing

@testable import Podcatcher

@Suite struct SleepTimerTests {
  @Test(
    arguments: [
      ("30m", .after(.seconds(1800))), ("1h", .after(.seconds(3600))), ("90", .after(.seconds(90))),
      ("episode", .episodes(1)), ("chapter", .endOfChapter), ("3ep", .episodes(3)), ("0", nil), ("soon", nil),
      ("0ep", nil), ("+5m", nil),
    ] as [(String, SleepTimer.Mode?)])
  func `reads when to stop`(text: String, mode: SleepTimer.Mode?) {
    #expect(SleepTimer.Mode(text) == mode)
  }

  @Test func `fades out over the last fifteen seconds and stops`() {
    let timer = SleepTimer(.after(.seconds(60)), now: .seconds(100))
    #expect(timer.action(at: .seconds(144)) == .nothing)
    #expect(timer.action(at: .seconds(152.5)) == .fade(0.5))
    #expect(timer.action(at: .seconds(160)) == .stop)
    #expect(timer.remaining(at: .seconds(110)) == .seconds(50))
  }

  @Test func `counts episodes`() {
    var timer = SleepTimer(.episodes(2), now: .zero)
    #expect(timer.episodesLeft == 2)
    let ends = [timer.episodeEnded(), timer.episodeEnded()]
    #expect(ends == [false, true])
    #expect(timer.action(at: .seconds(100_000)) == .nothing)
  }
}
