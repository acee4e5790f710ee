import PodcastModel
import ScreenKit
import Testing

@testable import podcli

@Suite struct PlayingLineTests {
  private var line: PlayingLine {
    var line = PlayingLine(title: "Late Night Linux: Episode 312")
    line.mode = .playing
    line.position = .seconds(2467)
    line.duration = .seconds(5020)
    line.speed = 1.4
    line.chapter = .init(index: 2, count: 9, title: "Sponsor")
    return line
  }

  @Test func `the line has position, bar, remaining time, speed, chapter and title`() {
    let text = line.rendered(width: 120)
    #expect(text.hasPrefix("▶ 00:41:07 ━"))
    #expect(text.contains(" -00:42:33  1.4×  ch 3/9 Sponsor  Late Night Linux: Episode 312"))
  }

  @Test(arguments: 1...220)
  func `is never wider than the terminal`(width: Int) {
    #expect(DisplayWidth.of(line.rendered(width: width)) <= width)
  }

  @Test func `an unknown length is shown as dashes`() {
    var line = line
    line.duration = nil
    #expect(line.rendered(width: 120).contains(" --  1.4×"))
  }
}
