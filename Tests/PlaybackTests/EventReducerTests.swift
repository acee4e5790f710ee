import Testing

@testable import Playback

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

  @Test func `no position counts before the media file is ready`() {
    let result = events([
      .started(entry: 1), .property(.position(0)), .property(.position(12)), .restarted(at: 12),
      .property(.position(12.5)),
    ])
    #expect(
      result == [
        .ready(first), .position(first, .seconds(12)), .position(first, .milliseconds(12_500)),
      ])
  }

  @Test func `a position of the file before never counts for the next`() {
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

  @Test func `a seek that libmpv refuses leads nowhere once it has played on`() {
    var now = Duration.zero
    var reducer = EventReducer(clock: { now })
    _ = reducer.expect(first, asEntry: 1)
    for event in [EngineEvent.started(entry: 1), .restarted(at: 1)] { _ = reducer.take(event) }
    reducer.aim(at: .seconds(50))
    _ = reducer.take(.property(.position(1.5)))
    #expect(reducer.snapshot.target == .seconds(50))
    now = .seconds(3)
    _ = reducer.take(.property(.position(4)))
    #expect(reducer.snapshot.target == nil)
  }

  @Test func `positions are silent between a seek and its landing`() {
    let result = events([
      .started(entry: 1), .restarted(at: nil), .property(.position(1)), .seeking, .property(.position(60)),
      .property(.position(60)), .restarted(at: 60),
    ])
    #expect(result == [.ready(first), .position(first, .seconds(1)), .seeked(first, to: .seconds(60))])
  }

  @Test func `the last position is reported before the end, however close it was to the one before`() {
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

@Suite struct QueueReducerTests {
  private let first = MediaID(number: 1)
  private let second = MediaID(number: 2)
  private let third = MediaID(number: 3)

  private func reducer() -> EventReducer {
    var reducer = EventReducer()
    _ = reducer.expect(first, asEntry: 1)
    _ = reducer.take(.started(entry: 1))
    reducer.queue(second, asEntry: 2)
    return reducer
  }

  @Test func `something queued is no reason to end`() {
    var reducer = reducer()
    let events = reducer.take(.ended(entry: 1, .stopped))
    #expect(events == [.ended(first, .stopped)])
  }

  @Test func `another load replaces what plays and what is queued`() {
    var reducer = reducer()
    let dropped = reducer.expect(third, asEntry: 3)
    #expect(dropped == [.ended(second, .replaced)])
    let events = reducer.take(.ended(entry: 1, .stopped))
    #expect(events == [.ended(first, .replaced)])
  }

  @Test func `an engine that is lost takes all that it had with it`() {
    var reducer = reducer()
    let error = PlaybackError(.engineLost, "gone")
    let events = reducer.lost(error)
    #expect(events == [.ended(first, .failed(error)), .ended(second, .failed(error))])
    let later = reducer.take(.ended(entry: 2, .stopped))
    #expect(later == [])
  }
}
