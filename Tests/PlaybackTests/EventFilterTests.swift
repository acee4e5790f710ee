import Testing

@testable import Playback

@Suite struct EventFilterTests {
  private let media = MediaID(number: 1)

  private func boundaries(_ times: [Int], _ events: [PlaybackEvent]) -> [Int64] {
    var filter = Boundaries(times.map { .seconds($0) })
    return events.flatMap { filter.take($0) }.map(\.components.seconds)
  }

  private func at(_ seconds: Double) -> PlaybackEvent { .position(media, .seconds(seconds)) }
  private func seek(_ seconds: Double) -> PlaybackEvent { .seeked(media, to: .seconds(seconds)) }

  @Test func `a boundary fires when playback runs over it, once`() {
    #expect(boundaries([2], [.ready(media), at(0), at(1.9), at(2.1), at(3)]) == [2])
  }

  @Test func `several boundaries in one step fire in playback order`() {
    #expect(boundaries([3, 1, 2], [.ready(media), at(0), at(5)]) == [1, 2, 3])
  }

  @Test func `a seek over a boundary does not fire it`() {
    #expect(boundaries([2], [.ready(media), at(0), at(1), seek(5), at(5.1)]) == [])
    #expect(boundaries([2], [.ready(media), at(5), seek(1), at(1.1)]) == [])
  }

  @Test func `a boundary fires each time it is crossed`() {
    #expect(boundaries([2], [.ready(media), at(1), at(3), seek(1), at(1.5), at(2.5)]) == [2, 2])
  }

  @Test func `a seek right onto a boundary fires it`() {
    #expect(boundaries([2], [.ready(media), at(0), seek(2), at(2.1)]) == [2])
  }

  @Test func `0 fires at the start and the full length at the end, once each`() {
    let events: [PlaybackEvent] = [
      .ready(media), .duration(media, .seconds(10)), at(0.05), at(9.9), .ended(media, .reachedEnd),
    ]
    #expect(boundaries([0, 10], events) == [0, 10])
  }

  @Test func `a start in the middle fires neither 0 nor what lies before`() {
    #expect(boundaries([0, 2], [.ready(media), at(60), at(61)]) == [])
  }

  @Test func `being stopped is not reaching the end`() {
    let events: [PlaybackEvent] = [
      .ready(media), .duration(media, .seconds(10)), at(0), at(9.9), .ended(media, .stopped),
    ]
    #expect(boundaries([10], events) == [])
  }

  @Test func `the periodic-time observer lets a position through at each interval and at each jump`() {
    var filter = PeriodicTime(every: .seconds(1))
    let events = [at(0), at(0.5), at(1.01), at(1.5), seek(60), at(60.2), at(61.1), at(3), at(3.5)]
    let passed = events.flatMap { filter.take($0) }
    #expect(passed == [0, 1.01, 60, 61.1, 3].map { .seconds($0) })
  }
}
