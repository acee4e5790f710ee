import Testing

@testable import Playback

@Suite struct GateTests {
  private let media = MediaID(number: 1)

  private func boundaries(_ times: [Int], _ events: [PlaybackEvent]) -> [Int64] {
    var gate = BoundaryGate(times.map { .seconds($0) })
    return events.flatMap { gate.take($0) }.map(\.components.seconds)
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

  @Test func `the periodic gate lets a position through at each interval and at each jump`() {
    var gate = PeriodicGate(every: .seconds(1))
    let events = [at(0), at(0.5), at(1.01), at(1.5), seek(60), at(60.2), at(61.1), at(3), at(3.5)]
    let passed = events.compactMap { gate.take($0) }
    #expect(passed == [0, 1.01, 60, 61.1, 3].map { .seconds($0) })
  }
}

@Suite struct EventReducerTests {
  private let first = MediaID(number: 1)
  private let second = MediaID(number: 2)

  /// The second is loaded once the first was started.
  private func events(_ engine: [EngineEvent]) -> [PlaybackEvent] {
    var reducer = EventReducer()
    _ = reducer.expect(first, asEntry: 1)
    return engine.flatMap { event in
      defer { if event == .started(entry: 1) { _ = reducer.expect(second, asEntry: 2) } }
      return reducer.take(event)
    }
  }

  @Test func `a load that another one replaces before it was started ends, too`() {
    var reducer = EventReducer()
    _ = reducer.expect(first, asEntry: 1)
    let dropped = reducer.expect(second, asEntry: 2)
    #expect(dropped == [.ended(first, .replaced)])
    let events = [EngineEvent.started(entry: 1), .ended(entry: 1, .stopped)].flatMap { reducer.take($0) }
    #expect(events == [])
  }

  @Test func `no position counts before the medium is ready`() {
    let result = events([
      .started(entry: 1), .property(.position(0)), .property(.position(12)), .restarted(at: 12),
      .property(.position(12.5)),
    ])
    #expect(
      result == [
        .ready(first), .position(first, .seconds(12)), .position(first, .milliseconds(12_500)),
      ])
  }

  @Test func `a position of the medium before never counts for the next`() {
    let result = events([
      .started(entry: 1), .restarted(at: nil), .property(.position(900)), .ended(entry: 1, .stopped),
      .property(.position(901)),
      .started(entry: 2), .property(.position(nil)), .restarted(at: nil), .property(.position(1)),
    ])
    #expect(
      result == [
        .ready(first), .position(first, .seconds(900)), .ended(first, .replaced), .ready(second),
        .position(second, .seconds(1)),
      ])
  }

  @Test func `positions are silent between a seek and its landing`() {
    let result = events([
      .started(entry: 1), .restarted(at: nil), .property(.position(1)), .seeking, .property(.position(60)),
      .property(.position(60)), .restarted(at: 60),
    ])
    #expect(result == [.ready(first), .position(first, .seconds(1)), .seeked(first, to: .seconds(60))])
  }

  @Test func `the last position is told before the end, however close it was to the one before`() {
    let result = events([
      .started(entry: 1), .restarted(at: nil), .property(.position(1)), .property(.position(1.05)),
      .ended(entry: 1, .reachedEnd),
    ])
    #expect(
      result == [
        .ready(first), .position(first, .seconds(1)), .position(first, .milliseconds(1050)),
        .ended(first, .reachedEnd),
      ])
  }

  @Test func `a load that fails ends without having been ready`() {
    let error = PlaybackError(.cannotDecode, "no")
    #expect(events([.started(entry: 1), .ended(entry: 1, .failed(error))]) == [.ended(first, .failed(error))])
  }

  @Test func `unknown and impossible positions are left out`() {
    let result = events([
      .started(entry: 1), .restarted(at: nil), .property(.position(nil)), .property(.position(-1)),
      .property(.position(.nan)), .property(.position(1e300)),
    ])
    #expect(result == [.ready(first)])
  }
}
