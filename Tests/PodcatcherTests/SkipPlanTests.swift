import PodcastModel
import Testing

@testable import Podcatcher

@Suite struct SkipPlanTests {
  private func steps(_ plan: SkipPlan, _ positions: [Double], duration: Double? = 100) -> [SkipPlan.Step] {
    var plan = plan
    return positions.compactMap { plan.played(to: .seconds($0), duration: duration.map { .seconds($0) }) }
  }

  @Test func `a marked range is passed over when playback runs into it`() {
    let plan = SkipPlan(ranges: [.seconds(10)..<(.seconds(20))])
    #expect(steps(plan, [9, 9.9, 10.1]) == [.jump(to: .seconds(20))])
  }

  @Test func `who goes into a range on purpose hears it`() {
    var plan = SkipPlan(ranges: [.seconds(10)..<(.seconds(20))])
    _ = plan.played(to: .seconds(5), duration: nil)
    plan.moved(to: .seconds(12))
    let step = plan.played(to: .seconds(12.1), duration: nil)
    #expect(step == nil)
  }

  @Test func `chapters that become known later take the place of those before, and marked ranges stay`() {
    var plan = SkipPlan(ranges: [.seconds(10)..<(.seconds(20))])
    plan.setChapters([.seconds(10)..<(.seconds(20)), .seconds(40)..<(.seconds(50))])
    plan.setChapters([.seconds(60)..<(.seconds(70))])
    #expect(steps(plan, [9.9, 10.1]) == [.jump(to: .seconds(20))])
    #expect(steps(plan, [39, 39.9, 40.1, 59.9, 60.1]) == [.jump(to: .seconds(70))])
  }

  @Test func `touching ranges are passed over in one jump`() {
    let plan = SkipPlan(ranges: [.seconds(20)..<(.seconds(30)), .seconds(10)..<(.seconds(20))])
    #expect(steps(plan, [9.9, 10.1]) == [.jump(to: .seconds(30))])
  }

  @Test func `a range at the very start is passed over, too`() {
    #expect(steps(SkipPlan(ranges: [.zero..<(.seconds(8))]), [0.02]) == [.jump(to: .seconds(8))])
  }

  @Test func `a range at the very start that becomes known while it plays is passed over`() {
    func step(_ more: [Range<Duration>], movedTo position: Duration? = nil) -> SkipPlan.Step? {
      var plan = SkipPlan()
      for seconds in [0.1, 2] { _ = plan.played(to: .seconds(seconds), duration: .seconds(100)) }
      if let position { plan.moved(to: position) }
      plan.add(more)
      return plan.played(to: .seconds(2.1), duration: .seconds(100))
    }
    #expect(step([.zero..<(.seconds(45)), .seconds(50)..<(.seconds(60))]) == .jump(to: .seconds(45)))
    #expect(step([.seconds(1)..<(.seconds(45))]) == nil)
    // All that there is, and a seek into it, which is on purpose.
    #expect(step([.zero..<(.seconds(100))]) == nil)
    #expect(step([.zero..<(.seconds(45))], movedTo: .seconds(1)) == nil)
  }

  @Test func `playing starts behind ranges at the very start, and ends before one at the end`() {
    let plan = SkipPlan(ranges: [.zero..<(.seconds(8)), .seconds(8)..<(.seconds(20)), .seconds(90)..<(.seconds(99.5))])
    #expect(plan.start(.zero, duration: .seconds(100)) == .seconds(20))
    #expect(plan.start(.seconds(4), duration: nil) == .seconds(4))
    #expect(steps(plan, [89.9, 90.1]) == [.finish])
    let overlapping = SkipPlan(intro: .seconds(5), ranges: [.seconds(2)..<(.seconds(9))])
    #expect(overlapping.start(.zero, duration: nil) == .seconds(9))
  }

  @Test func `an episode of which nothing would be left plays`() {
    let whole = SkipPlan(ranges: [.seconds(0.1)..<(.seconds(30)), .seconds(30)..<(.seconds(59.5))])
    #expect(whole.start(.zero, duration: .seconds(60)) == .zero)
    #expect(steps(whole, [0.02, 0.1, 1, 2], duration: 60) == [])
    let intro = SkipPlan(intro: .seconds(45))
    #expect(intro.start(.zero, duration: .seconds(40)) == .zero)
    #expect(intro.start(.seconds(10), duration: .seconds(40)) == .seconds(10))
  }

  @Test func `a range that goes far beyond an estimated length does not end the episode`() {
    var plan = SkipPlan(ranges: [.seconds(60)..<(.seconds(70))])
    let steps = [59, 60.1].map { plan.played(to: .seconds($0), duration: .seconds(61)) }
    #expect(steps == [nil, .jump(to: .seconds(70))])
  }

  @Test func `the intro is never started at, and the outro ends the episode once`() {
    let plan = SkipPlan(intro: .seconds(30), outro: .seconds(10))
    #expect(plan.start(.zero, duration: .seconds(100)) == .seconds(30))
    #expect(plan.start(.seconds(45), duration: .seconds(100)) == .seconds(45))
    #expect(steps(plan, [89, 89.9, 90.1, 90.2]) == [.finish])
    #expect(steps(plan, [89.9, 90.1], duration: nil) == [])
  }

  @Test func `chapters are passed over by words of their titles`() {
    let chapters = [
      Chapter(start: 0, title: "Hello"), Chapter(start: 10, title: "Our SPONSOR"),
      Chapter(start: 20, title: "StandardError"),
      Chapter(start: 90, title: "Werbung"),
    ]
    let ranges = SkipPlan.ranges(of: chapters, titled: ["sponsor", "werbung"], duration: .seconds(100))
    #expect(ranges == [.seconds(10)..<(.seconds(20)), .seconds(90)..<(.seconds(100))])
    #expect(SkipPlan.ranges(of: chapters, titled: [], duration: .seconds(100)) == [])
  }
}
