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

  @Test func `an episode without chapters is divided by what repeats`() {
    let chapters = [Chapter](dividing: .seconds(3600), by: repeats)
    #expect(chapters.map(\.title) == ["inserted", "intro", "episode", "inserted", "episode"])
    #expect(chapters.map(\.start) == [0, 30, 65, 600, 645] && chapters.allSatisfy(\.isMeasured))
    #expect([Chapter](dividing: .seconds(646), by: [repeats[2]]).map(\.title) == ["episode", "inserted"])
  }

  @Test func `words for chapters to leave out are not for what repeats`() {
    let chapters = [Chapter](dividing: .seconds(3600), by: repeats)
    #expect(SkipPlan.ranges(of: chapters, titled: ["inserted", "intro"], duration: .seconds(3600)).isEmpty)
  }
}
