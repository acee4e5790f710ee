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

  @Test func `what is skipped ends at the pause before speech`() {
    func skipped(_ kind: Repeat.Kind, _ start: Double, _ end: Double, _ pauses: [Range<Double>]) -> [Double] {
      let range = Repeat(.seconds(start)..<(.seconds(end)), kind, count: 3, of: 3).skipped(beside: pauses)
      return [range.lowerBound.inSeconds, range.upperBound.inSeconds]
    }
    #expect(skipped(.intro, 0, 16.3, [15.0..<15.7]) == [0, 15.7])
    #expect(skipped(.intro, 0, 15.4, [15.0..<15.7]) == [0, 15.4])
    #expect(skipped(.intro, 0, 16.3, [0.5..<0.9, 14.0..<14.5, 16.5..<17]) == [0, 16.3])
    #expect(skipped(.outro, 76, 97, [76.7..<77.4]) == [76.7, 97])
    #expect(skipped(.inserted, 76, 97, [76.7..<77.4, 95.9..<96.2]) == [76.7, 96.2])
    #expect(skipped(.inserted, 76, 77, [75.5..<75.9, 76.8..<77]) == [76.8, 77])
  }

  @Test func `words for chapters to leave out are not for what repeats`() {
    let chapters = [Chapter](dividing: .seconds(3600), by: repeats)
    #expect(SkipPlan.ranges(of: chapters, titled: ["inserted", "intro"], duration: .seconds(3600)).isEmpty)
  }
}
