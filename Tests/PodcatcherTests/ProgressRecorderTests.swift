import Testing

@testable import Podcatcher

@Suite struct ProgressRecorderTests {
  private typealias Write = ProgressRecorder.Write

  @Test func `writes at most once an interval while playing`() {
    var recorder = ProgressRecorder(every: .seconds(1), keptPlace: nil)
    let writes = (0..<100).compactMap { tick in
      recorder.played(to: .milliseconds(tick * 50), at: .milliseconds(tick * 50))
    }
    #expect(writes.map(\.position) == [0, 1, 2, 3, 4].map { .seconds($0) })
    #expect(writes.allSatisfy { $0.urgency == .tick })
  }

  @Test func `writes at once when something happens`() {
    var recorder = ProgressRecorder(every: .seconds(1), keptPlace: nil)
    _ = recorder.played(to: .seconds(10), at: .zero)
    #expect(recorder.played(to: .milliseconds(10_300), at: .milliseconds(300)) == nil)
    let write = recorder.happened(at: .milliseconds(310))
    #expect(write == Write(position: .milliseconds(10_300), urgency: .flush))
  }

  @Test func `does not write what did not move`() {
    var recorder = ProgressRecorder(every: .seconds(1), keptPlace: nil)
    _ = recorder.played(to: .seconds(10), at: .zero)
    #expect(recorder.played(to: .seconds(10), at: .seconds(5)) == nil)
    #expect(recorder.happened(at: .seconds(6)) == nil)
  }

  @Test func `has nothing to write before anything was heard`() {
    var recorder = ProgressRecorder(every: .seconds(1), keptPlace: .seconds(1_800))
    #expect(recorder.happened(at: .seconds(6)) == nil)
  }

  @Test func `a stream that starts from 0 does not replace the kept place`() {
    var recorder = ProgressRecorder(every: .seconds(1), keptPlace: .seconds(1_800))
    #expect(recorder.played(to: .zero, at: .zero) == nil)
    #expect(recorder.played(to: .seconds(30), at: .seconds(30)) == nil)
    #expect(recorder.happened(at: .seconds(31)) == nil)
    #expect(recorder.played(to: .seconds(1_801), at: .seconds(1_801))?.position == .seconds(1_801))
  }

  @Test func `the rewind of a resumed episode is written`() {
    var recorder = ProgressRecorder(every: .seconds(1), keptPlace: .seconds(1_800))
    #expect(recorder.played(to: .seconds(1_780), at: .zero)?.position == .seconds(1_780))
  }

  @Test func `a move by the user is written at once, backwards too`() {
    var recorder = ProgressRecorder(every: .seconds(1), keptPlace: .seconds(1_800))
    _ = recorder.played(to: .seconds(1_790), at: .zero)
    #expect(recorder.moved(to: .seconds(3), at: .milliseconds(10)) == Write(position: .seconds(3), urgency: .flush))
    #expect(recorder.played(to: .seconds(5), at: .seconds(2))?.position == .seconds(5))
  }

  /// Any sequence of ticks, pauses, seeks and kills, from a seeded generator: what is stored is never more than an
  /// interval behind what was heard, and never goes back unasked.
  @Test(arguments: 0..<200)
  func `the stored place follows what was heard`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let interval = Duration.seconds(1)
    var stored = Duration.zero
    var position = Duration.zero
    var now = Duration.zero
    var recorder = ProgressRecorder(every: interval, keptPlace: nil)
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
        recorder = ProgressRecorder(every: interval, keptPlace: stored)
        position = max(.zero, stored - .milliseconds(Int64(random.next() % 20_000)))
        wasMoved = true
        stored = position
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

/// SplitMix64: the same numbers for the same seed, everywhere.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
