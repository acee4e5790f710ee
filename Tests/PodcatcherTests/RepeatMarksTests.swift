import PodcastModel
import PodcastStore
import Testing

@testable import Podcatcher

@Suite struct RepeatMarksTests {
  private let repeats = [
    Repeat(.zero..<(.seconds(30)), .inserted, count: 1, of: 3),
    Repeat(.seconds(30)..<(.seconds(65)), .intro, count: 3, of: 3),
    Repeat(.seconds(600)..<(.seconds(645)), .inserted, count: 2, of: 3),
  ]

  @Test func `the publisher's chapters stay as they are, and what they mark is not marked twice`() {
    let own = [
      Chapter(start: 0, title: "Hello"), Chapter(start: 31, title: "Theme"), Chapter(start: 500, title: "News"),
    ]
    let marked = own.marking(repeats, duration: .seconds(3600))
    #expect(marked.filter { !$0.isMeasured } == own)
    #expect(marked.map(\.title) == ["Hello", "Theme", "News", "inserted"] && marked.last?.end == 645)
    #expect(own.marking([], duration: nil) == own)
  }

  @Test func `an episode without chapters is divided by what repeats`() {
    let chapters = [Chapter]().marking(repeats, duration: .seconds(3600))
    #expect(chapters.map(\.title) == ["inserted", "intro", "episode", "inserted", "episode"])
    #expect(chapters.map(\.start) == [0, 30, 65, 600, 645] && chapters.allSatisfy(\.isMeasured))
    #expect([Chapter]().marking([repeats[2]], duration: .seconds(646)).map(\.title) == ["episode", "inserted"])
  }

  @Test func `words for chapters to leave out are not for what repeats`() {
    let chapters = [Chapter]().marking(repeats, duration: .seconds(3600))
    #expect(SkipPlan.ranges(of: chapters, titled: ["inserted", "intro"], duration: .seconds(3600)).isEmpty)
  }
}
