import TestSupport
import Testing

@testable import Podcatcher

@Suite struct ProgressRecorderTests {
  private typealias Write = ProgressRecorder.Write

  @Test func `writes once an interval while playing, from the first quarter of a second on`() {
    var recorder = ProgressRecorder(every: .seconds(1), keptPosition: nil)
    let writes = (0..<100).compactMap { tick in
      recorder.played(to: .milliseconds(tick * 50), at: .milliseconds(tick * 50))
    }
    #expect(writes.map(\.position.components.seconds) == [0, 1, 2, 3, 4])
    #expect(writes.allSatisfy { $0.urgency == .tick })
  }

  @Test(arguments: [10, 50, 80, 90, 140], [250, 1_000, 60_000])
  func `no two writes are further apart than the interval, however coarse the positions`(grain: Int, interval: Int) {
    var recorder = ProgressRecorder(every: .milliseconds(interval), keptPosition: nil)
    let moments = (0..<200_000 / grain).compactMap { tick in
      recorder.played(to: .milliseconds(tick * grain), at: .milliseconds(tick * grain)).map { _ in tick * grain }
    }
    let gaps = zip(moments, moments.dropFirst()).map { $1 - $0 }
    #expect(gaps.count >= 2)
    #expect(gaps.allSatisfy { $0 <= interval && $0 + grain > interval })
  }

  /// Far enough into an episode that its positions count.
  private func trusted(at seconds: Int = 10, keptPosition: Duration? = nil) -> ProgressRecorder {
    var recorder = ProgressRecorder(every: .seconds(1), keptPosition: keptPosition)
    _ = recorder.played(to: .seconds(seconds) - .milliseconds(300), at: .milliseconds(-300))
    _ = recorder.played(to: .seconds(seconds), at: .zero)
    return recorder
  }

  @Test func `writes at once when something happens`() {
    var recorder = trusted()
    #expect(recorder.played(to: .milliseconds(10_300), at: .milliseconds(300)) == nil)
    let write = recorder.happened(at: .milliseconds(310))
    #expect(write == Write(position: .milliseconds(10_300), urgency: .flush))
  }

  @Test func `does not write what did not move`() {
    var recorder = trusted()
    #expect(recorder.played(to: .seconds(10), at: .seconds(5)) == nil)
    #expect(recorder.happened(at: .seconds(6)) == nil)
  }

  @Test func `has nothing to write before anything was heard`() {
    var recorder = ProgressRecorder(every: .seconds(1), keptPosition: .seconds(1_800))
    #expect(recorder.happened(at: .seconds(6)) == nil)
    #expect(recorder.played(to: .seconds(1_790), at: .seconds(7)) == nil)
    #expect(recorder.happened(at: .seconds(8)) == nil)
    #expect(!recorder.isTrusted)
  }

  @Test func `a single position counts when it lies behind where playing began`() {
    var recorder = ProgressRecorder(every: .seconds(1), keptPosition: nil, start: .seconds(20))
    #expect(recorder.played(to: .seconds(22), at: .zero)?.position == .seconds(22))
    var early = ProgressRecorder(every: .seconds(1), keptPosition: nil, start: .seconds(20))
    #expect(early.played(to: .milliseconds(20_100), at: .zero) == nil)
  }

  @Test func `a stream that starts from 0 does not replace the kept place`() {
    var recorder = ProgressRecorder(every: .seconds(1), keptPosition: .seconds(1_800))
    #expect(recorder.played(to: .zero, at: .zero) == nil)
    #expect(recorder.played(to: .seconds(30), at: .seconds(30)) == nil)
    #expect(recorder.happened(at: .seconds(31)) == nil)
    #expect(recorder.played(to: .seconds(1_801), at: .seconds(1_801))?.position == .seconds(1_801))
  }

  @Test func `the kept position stays until a resumed episode has passed it`() {
    var recorder = ProgressRecorder(every: .seconds(1), keptPosition: .seconds(1_800))
    #expect(recorder.played(to: .seconds(1_780), at: .zero) == nil)
    #expect(recorder.played(to: .seconds(1_781), at: .seconds(1)) == nil)
    #expect(recorder.isTrusted && recorder.floor == .seconds(1_800))
    #expect(recorder.happened(at: .seconds(2)) == nil)
    #expect(recorder.played(to: .seconds(1_801), at: .seconds(21))?.position == .seconds(1_801))
    #expect(recorder.floor == nil)
  }

  @Test func `a move by the user is written at once, backwards too`() {
    var recorder = trusted(at: 1_790, keptPosition: .seconds(1_800))
    #expect(recorder.floor == .seconds(1_800))
    #expect(recorder.moved(to: .seconds(3), at: .milliseconds(10)) == Write(position: .seconds(3), urgency: .flush))
    #expect(recorder.played(to: .seconds(5), at: .seconds(2))?.position == .seconds(5))
  }

  /// Any sequence of ticks, pauses, seeks and kills, from a seeded generator: what is stored is never more than an
  /// interval behind what was heard, and never goes back unasked.
  @Test(arguments: 0..<200)
  func `the stored position follows what was heard`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let interval = Duration.seconds(1)
    var stored = Duration.zero
    var position = Duration.zero
    var now = Duration.zero
    var recorder = ProgressRecorder(every: interval, keptPosition: nil)
    for _ in 0..<300 {
      let before = stored
      var wasMoved = false
      switch random.next() % 20 {
      case 0: recorder.happened(at: now).map { stored = $0.position }
      case 1:
        position = .milliseconds(Int64(random.next() % 3_600_000))
        wasMoved = true
        recorder.moved(to: position, at: now).map { stored = $0.position }
      case 2:
        recorder = ProgressRecorder(every: interval, keptPosition: stored)
        // A repeated part does not count before it has passed what is stored.
        position = max(.zero, stored - .milliseconds(Int64(random.next() % 20_000)))
      default:
        let step = Duration.milliseconds(Int64(random.next() % 400))
        position += step
        now += step
        recorder.played(to: position, at: now).map { stored = $0.position }
      }
      #expect(wasMoved || stored >= before)
      #expect(position - stored <= interval + .milliseconds(400))
    }
  }
}
