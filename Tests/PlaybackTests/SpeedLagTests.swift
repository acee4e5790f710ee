import Testing

@testable import Playback

/// The device's buffer holds 0.4 s of sound in all of them.
@Suite struct SpeedLagTests {
  private var lag = SpeedLag()

  /// Positions that libmpv reports at these seconds of the clock, and those that are heard then.
  private mutating func expect(_ reports: [(clock: Double, reported: Double, heard: Double)]) {
    for report in reports {
      let heard = lag.heard(report.reported, at: .seconds(report.clock))
      #expect(heard.map { abs($0 - report.heard) < 0.001 } == true, "\(report): \(heard ?? -1)")
    }
  }

  @Test mutating func `a lower speed is not ahead of the sound of the higher one`() {
    lag.note(.init(former: 2, speed: 1, before: 10, after: 10.4), at: .zero)
    expect([(0.1, 10.5, 10.2), (0.3, 10.7, 10.6), (0.4, 10.8, 10.8), (0.5, 10.9, 10.9)])
  }

  @Test mutating func `a higher speed does not go back`() {
    lag.note(.init(former: 0.5, speed: 2, before: 10, after: 9.4), at: .zero)
    expect([(0.1, 9.6, 10.05), (0.2, 9.8, 10.1), (0.4, 10.2, 10.2), (0.5, 10.4, 10.4)])
  }

  @Test mutating func `two changes within the buffer add up`() {
    lag.note(.init(former: 1, speed: 2, before: 10, after: 9.6), at: .zero)
    expect([(0.05, 9.7, 10.05)])
    lag.note(.init(former: 2, speed: 1, before: 9.7, after: 10.1), at: .seconds(0.05))
    expect([(0.15, 10.2, 10.15), (0.4, 10.45, 10.4), (0.45, 10.5, 10.5)])
  }

  @Test mutating func `a pause keeps the buffer`() {
    lag.note(.init(former: 2, speed: 1, before: 10, after: 10.4), at: .zero)
    expect([(0.1, 10.5, 10.2), (60, 10.5, 10.2), (60.3, 10.8, 10.8)])
  }

  @Test mutating func `a report from before the change is left out`() {
    lag.note(.init(former: 2, speed: 1, before: 10, after: 10.4), at: .zero)
    #expect(lag.heard(9.95, at: .seconds(0.01)) == nil)
    expect([(0.1, 10.5, 10.2)])
  }

  @Test mutating func `a seek drops the buffer`() {
    var reducer = EventReducer(clock: { .zero })
    _ = reducer.expect(MediaID(number: 1), asEntry: 1)
    for event in [EngineEvent.started(entry: 1), .restarted(at: 0), .property(.position(1))] { _ = reducer.take(event) }
    reducer.note(.init(former: 2, speed: 1, before: 1, after: 1.4))
    _ = reducer.take(.property(.position(1.4)))
    #expect(reducer.snapshot.position == .seconds(1))
    for event in [EngineEvent.seeking, .restarted(at: 60), .property(.position(60.5))] { _ = reducer.take(event) }
    #expect(reducer.snapshot.position == .seconds(60.5))
  }
}
