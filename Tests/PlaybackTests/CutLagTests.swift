import TestSupport
import Testing

@testable import Playback

/// A device that plays what was decoded 0.6 s before, and libmpv's position, which takes nothing for missing in between.
private struct Device {
  var cuts: [Range<Double>] = []
  var speed = 1.0
  var now = 100.0
  private var decoded = 0.0
  private var buffer: [Double] = []
  private var before = 0.0
  /// Exact in binary, as all times here are.
  private static let step = 1.0 / 64

  init(_ cuts: [Range<Double>] = [], at position: Double = 0, speed: Double = 1) {
    (self.cuts, self.speed) = (cuts, speed)
    seek(to: position)
  }

  mutating func seek(to position: Double) {
    (buffer, decoded, before) = ([], position, position)
    decode()
  }

  private mutating func decode() {
    while buffer.count < 40 {
      if let cut = cuts.first(where: { $0.contains(decoded) }) { decoded = cut.upperBound }
      buffer.append(decoded)
      decoded += Self.step * speed
    }
  }

  mutating func play(_ seconds: Double = step) {
    for _ in 0..<Int(seconds / Self.step) {
      now += Self.step
      before = buffer.removeFirst()
      decode()
    }
  }

  /// In these moments.
  func isHeard(_ position: Double) -> Bool { (buffer.prefix(3) + [before]).contains { abs($0 - position) < 0.1 } }

  var reported: Double { decoded - speed * Double(buffer.count) * Self.step }
}

@Suite struct CutLagTests {
  private func heard(_ device: Device, _ lag: inout CutLag) -> Double {
    lag.heard(device.reported, at: .seconds(device.now), speed: device.speed)
  }

  /// The first moment of so many seconds at which something else is told than is heard.
  private func wrong(in seconds: Double, _ device: inout Device, _ lag: inout CutLag) -> String? {
    for _ in 0..<Int(seconds * 64) {
      device.play()
      let told = heard(device, &lag)
      if !device.isHeard(told) { return "\(told) at \(device.now), \(device.reported) reported" }
    }
    return nil
  }

  @Test(arguments: [1.0, 2, 4]) func `a cut is told once it is heard`(speed: Double) {
    var (device, lag) = (Device([5..<6.5, 6.75..<6.875, 7..<9, 15..<15.125], speed: speed), CutLag())
    lag.cuts = device.cuts
    #expect(wrong(in: 18 / speed, &device, &lag) == nil)
  }

  @Test func `a cut just behind the target of a seek is not heard yet, one before it never`() {
    var (device, lag) = (Device([5..<7, 19..<20, 20.25..<22]), CutLag())
    lag.cuts = device.cuts
    #expect(wrong(in: 1, &device, &lag) == nil)
    lag.reset(to: .seconds(20))
    device.seek(to: 20)
    #expect(wrong(in: 3, &device, &lag) == nil)
  }

  @Test(arguments: [1.0, 2]) func `a seek leads where it was aimed at, or behind the cut there`(speed: Double) {
    var (device, lag) = (Device([5..<6.5, 8..<9.5, 19.75..<20, 20.5..<20.75], speed: speed), CutLag())
    lag.cuts = device.cuts
    for (target, start) in [(5.625, 6.5), (20.25, 20.25), (4.75, 4.75)] {
      lag.reset(to: .seconds(target))
      device.seek(to: target)
      // The device's buffer counts only from the next report on.
      let first = device.reported + 0.75 * speed
      #expect(lag.landed(first, at: .seconds(device.now), speed: speed) == start)
      #expect(wrong(in: 2, &device, &lag) == nil)
    }
    lag.reset(to: .seconds(30))
    #expect(lag.landed(33, at: .seconds(device.now), speed: speed) == 33)
  }

  @Test(arguments: [1.0, 2])
  func `nothing before the target of a seek is told, whatever the device's delay`(speed: Double) {
    var (device, lag) = (Device([5..<6.5, 20.5..<22], speed: speed), CutLag())
    lag.cuts = device.cuts
    #expect(wrong(in: 1, &device, &lag) == nil)
    device.seek(to: 20)
    lag.reset(to: .seconds(20), isExact: true, speed: speed)
    // All that it has played before still counts as if it waited.
    #expect(lag.landed(device.reported - 5, at: .seconds(device.now), speed: speed) == 20)
    device.play()
    #expect(lag.heard(device.reported - 5, at: .seconds(device.now), speed: speed) == 20)
    #expect(wrong(in: 3, &device, &lag) == nil)
  }

  @Test func `a seek that led elsewhere all the same is told soon`() {
    var (device, lag) = (Device(at: 12), CutLag())
    lag.reset(to: .seconds(20), isExact: true)
    #expect(lag.landed(12, at: .seconds(device.now), speed: 1) == 20)
    device.play(1)
    #expect(wrong(in: 1, &device, &lag) == nil)
    // Behind the end of the file.
    lag.reset(to: .seconds(61), isExact: false)
    #expect(lag.landed(60, at: .seconds(device.now), speed: 1) == 60)
  }

  @Test func `a seek that leads right before a cut leads behind it`() {
    var lag = CutLag()
    lag.cuts = [5..<6.5]
    // No speed at all, as far as is known.
    lag.reset(to: .seconds(5), isExact: true, speed: -200)
    #expect(lag.landed(6.5, at: .zero, speed: -200) == 6.5)
    for (target, speed, start) in [(4.98, 1.0, 6.5), (4.96, 1, 4.96), (4.96, 2, 6.5)] {
      lag.reset(to: .milliseconds(Int(target * 1000)), isExact: true, speed: speed)
      #expect(lag.landed(6.5, at: .zero, speed: speed) == start)
    }
  }

  @Test func `sound that begins again without a seek goes on from what was heard`() {
    var (device, lag) = (Device([2..<4]), CutLag())
    lag.cuts = device.cuts
    #expect(wrong(in: 1.5, &device, &lag) == nil)
    device.play(0.25)
    #expect(device.isHeard(lag.landed(device.reported, at: .seconds(device.now), speed: 1)))
    lag.pause()
    #expect(device.isHeard(lag.landed(device.reported, at: .seconds(device.now + 60), speed: 1)))
  }

  @Test func `a cut that is switched off is heard all the same, and the clock of a pause does not count`() {
    var (device, lag) = (Device([2..<4, 6..<8]), CutLag())
    lag.cuts = device.cuts
    #expect(wrong(in: 1.75, &device, &lag) == nil)
    (device.cuts, lag.cuts) = ([], [])
    #expect(wrong(in: 5, &device, &lag) == nil)
    (device.cuts, lag.cuts) = ([10..<12], [10..<12])
    lag.pause()
    device.now += 1000
    #expect(wrong(in: 8, &device, &lag) == nil)
  }

  @Test func `a cut that is waiting is not decoded once more when the same cuts are set again`() {
    var (device, lag) = (Device([2..<2.25, 2.5..<2.75]), CutLag())
    lag.cuts = device.cuts
    #expect(wrong(in: 1.5, &device, &lag) == nil)
    lag.cuts = device.cuts
    #expect(wrong(in: 3, &device, &lag) == nil)
  }

  @Test(arguments: [1.0, 2]) func `a report that is read late is taken for no cut`(speed: Double) {
    var (device, lag) = (Device(speed: speed), CutLag())
    lag.cuts = [1.5..<2.5]
    #expect(wrong(in: 0.25, &device, &lag) == nil)
    let old = device.reported
    device.play(0.75)
    _ = lag.heard(old, at: .seconds(device.now), speed: speed)
    #expect(heard(device, &lag) == device.reported)
  }

  @Test func `as long a silence of the device as a cut is forgotten`() {
    var (device, lag) = (Device([8..<10]), CutLag())
    lag.cuts = device.cuts
    #expect(wrong(in: 1, &device, &lag) == nil)
    device.now += 2
    #expect(wrong(in: 8, &device, &lag) == nil)
  }

  @Test func `a cut counts, too, where the device was silent before, and where it began anew`() {
    var (device, lag) = (Device([2..<4, 6..<8]), CutLag())
    lag.cuts = device.cuts
    #expect(wrong(in: 1.25, &device, &lag) == nil)
    // So long it stands still.
    device.now += 1
    #expect(wrong(in: 1.75, &device, &lag) == nil)
    device.now += 1.5
    _ = lag.heard(device.reported, at: .seconds(device.now), speed: 1)
    device.seek(to: 5)
    #expect(wrong(in: 4, &device, &lag) == nil)
    device.seek(to: 1)
    #expect(wrong(in: 4, &device, &lag) == nil)
  }

  @Test func `another jump than that of a cut is told at once`() {
    var (device, lag) = (Device(), CutLag())
    lag.cuts = [8..<9]
    #expect(wrong(in: 1, &device, &lag) == nil)
    device.seek(to: 4)
    #expect(wrong(in: 2, &device, &lag) == nil)
  }
}

/// The reducer, where pauses are cut out.
@Suite struct ToldCutsTests {
  private final class Clock {
    var now = Duration.zero
  }

  private static let media = MediaID(number: 1)
  /// Two seconds each, less what stays.
  private static let pauses = [10.0..<12, 20..<22]
  private static var cuts: [Range<Double>] { Sound.Trim.max.cuts(in: pauses) }
  private let clock = Clock()
  private var reducer: EventReducer
  private var device = Device(cuts)

  init() {
    reducer = EventReducer { [clock] in clock.now }
    var sound = Sound()
    sound.trim = .max
    _ = reducer.change(sound)
    _ = reducer.expect(Self.media, asEntry: 1)
    var correction = SoundCorrection()
    correction.pauses = Self.pauses
    reducer.correct(Self.media, correction)
  }

  private mutating func start(at position: Double) {
    reducer.begin(Self.media, at: .seconds(position))
    device.seek(to: position)
    clock.now = .seconds(device.now)
    for event in [EngineEvent.started(entry: 1), .restarted(at: device.reported)] { _ = reducer.take(event) }
  }

  /// The first moment of so many seconds at which something else is told than is heard.
  private mutating func wrong(in seconds: Double) -> String? {
    for _ in 0..<Int(seconds * 64) {
      device.play()
      clock.now = .seconds(device.now)
      _ = reducer.take(.property(.position(device.reported)))
      let told = reducer.snapshot.position.map { $0 / .seconds(1) } ?? -1
      if !device.isHeard(told) { return "\(told) at \(device.now), \(device.reported) reported" }
    }
    return nil
  }

  @Test mutating func `a cut is told once it is heard, also just behind the start, and saves its length`() {
    start(at: 9.75)
    #expect(wrong(in: 12) == nil)
    let saved = reducer.snapshot.timeSaved / .seconds(1)
    #expect(abs(saved - Sound.Trim.max.saved(in: Self.pauses)) < 0.05, "\(saved)")
  }

  @Test(arguments: [(1.0, 2.0), (2.0, 1.0)], [0.25, 0.5, 0.75])
  mutating func `so it is when the speed changes while a cut is waiting`(
    speeds: (former: Double, new: Double), lead: Double
  ) {
    device.speed = speeds.former
    start(at: 7)
    var sound = reducer.snapshot.sound
    sound.speed = speeds.former
    _ = reducer.change(sound)
    #expect(wrong(in: (10.1 - lead * speeds.former - 7) / speeds.former) == nil)
    let before = device.reported
    device.speed = speeds.new
    sound.speed = speeds.new
    _ = reducer.change(sound)
    reducer.note(.init(former: speeds.former, speed: speeds.new, before: before, after: device.reported))
    #expect(wrong(in: 5) == nil)
  }

  @Test mutating func `sound of the former speed is no cut, however late a report is`() {
    device = Device(speed: 2)
    start(at: 8.75)
    var sound = reducer.snapshot.sound
    (sound.speed, sound.trim) = (2, .mild)
    _ = reducer.change(sound)
    #expect(wrong(in: 0.125) == nil)
    let before = device.reported
    device.speed = 1
    sound.speed = 1
    _ = reducer.change(sound)
    reducer.note(.init(former: 2, speed: 1, before: before, after: device.reported))
    device.play(0.5)
    #expect(wrong(in: 0.0625) == nil)
  }

  @Test mutating func `cuts count from where trimming is switched on`() {
    var sound = reducer.snapshot.sound
    sound.trim = .off
    _ = reducer.change(sound)
    start(at: 7)
    sound.trim = .max
    _ = reducer.change(sound)
    #expect(wrong(in: 5) == nil)
  }

  @Test mutating func `behind a seek, and a step from where that leads, a cut is told once it is heard`() {
    start(at: 1)
    for position in [9.75, 19.75] {
      reducer.aim(at: .seconds(position - 1))
      #expect(reducer.aim(by: .seconds(1)) == .seconds(position))
      device.seek(to: position)
      _ = reducer.take(.seeking)
      #expect(
        reducer.take(.restarted(at: device.reported + 0.4)) == [.seeked(Self.media, to: .seconds(position))])
      #expect(wrong(in: 2) == nil)
    }
  }

  @Test mutating func `where libmpv says that a seek leads, it does, also where the word comes late`() {
    start(at: 1)
    for reports in [
      [EngineEvent.property(.position(11)), .restarted(at: 7)], [.restarted(at: 11.9), .property(.position(11))],
    ] {
      // Into a cut.
      reducer.aim(at: .seconds(10.96))
      device.seek(to: 11)
      for event in [.seeking] + reports { _ = reducer.take(event) }
      #expect(reducer.snapshot.position == .milliseconds(11_930))
      #expect(wrong(in: 2) == nil)
    }
    // libmpv's own position was newer than what was told.
    reducer.aim(at: .seconds(5))
    device.seek(to: 6.25)
    for event in [EngineEvent.seeking, .property(.position(6.25))] { _ = reducer.take(event) }
    #expect(reducer.take(.restarted(at: 6.25)) == [.seeked(Self.media, to: .seconds(6.25))])
  }

  @Test mutating func `a seek to before the start or behind the end of the file leads there, whatever is reported`() {
    start(at: 1)
    _ = reducer.take(.opened(duration: 60))
    #expect(wrong(in: 1) == nil)
    for (target, reported, told) in [(-4.0, -0.001, 0.0), (61, 60, 60)] {
      reducer.aim(at: .seconds(target))
      for event in [EngineEvent.seeking, .property(.position(target)), .restarted(at: reported)] {
        _ = reducer.take(event)
      }
      #expect(reducer.snapshot.position == .seconds(told))
    }
  }

  @Test mutating func `where there are cuts a step counts from what is told, else it is libmpv's`() {
    start(at: 1)
    #expect(reducer.aim(by: .seconds(6)) == .seconds(7))
    device.seek(to: 7)
    for event in [EngineEvent.seeking, .restarted(at: 7)] { _ = reducer.take(event) }
    #expect(wrong(in: 2.75) == nil)
    let told = reducer.snapshot.position ?? .zero
    #expect(reducer.aim(by: .seconds(-5)) == told - .seconds(5))
    // From where the one before leads.
    #expect(reducer.aim(by: .seconds(-2)) == told - .seconds(7))
    var sound = reducer.snapshot.sound
    sound.trim = .off
    _ = reducer.change(sound)
    #expect(reducer.aim(by: .seconds(-5)) == nil)
  }

  @Test mutating func `a step back from the first second leads to the start`() {
    reducer.begin(Self.media, at: nil)
    var correction = SoundCorrection()
    correction.pauses = [0.5..<2.5]
    reducer.correct(Self.media, correction)
    device.cuts = Sound.Trim.max.cuts(in: [0.5..<2.5])
    start(at: 0)
    #expect(wrong(in: 0.25) == nil)
    #expect(reducer.aim(by: .seconds(-5)) == .zero)
  }

  @Test(arguments: [EngineProperty.isPaused, EngineProperty.isBuffering], [true, false])
  mutating func `a cut that is decoded during a pause is waited for`(
    kind: @Sendable (Bool) -> EngineProperty, isReported: Bool
  ) {
    start(at: 9.25)
    #expect(wrong(in: 0.125) == nil)
    _ = reducer.take(.property(kind(true)))
    if isReported { _ = reducer.take(.property(.position(device.reported))) }
    clock.now += .seconds(60)
    // So far ahead the position is, once the cut is decoded.
    _ = reducer.take(.property(.position(device.reported + 1.84)))
    #expect(reducer.snapshot.position == .milliseconds(9375))
  }

  @Test mutating func `stopped before a cut that is decoded, it ends there; at its end it was heard whole`() {
    for (reason, isWhole) in [(EndReason.stopped, false), (.reachedEnd, true)] {
      var other = self
      other.start(at: 7)
      #expect(other.wrong(in: 2.75) == nil)
      _ = other.reducer.take(.ended(entry: 1, reason))
      let last = (other.reducer.snapshot.position ?? .zero) / .seconds(1)
      #expect(abs(last - (isWhole ? other.device.reported : 9.75)) < 0.02, "\(last)")
    }
  }
}

/// Real libmpv, which waits for the clock.
@Suite struct HeardCutsTests {
  @Test(arguments: [1.0, 2]) func `nothing of a cut is ever told`(speed: Double) async throws {
    let home = try TemporaryHome()
    let talk = Tone(seconds: 2).then(seconds: 20, frequency: nil).then(seconds: 2, frequency: 440)
    let path = try home.write(talk.wav, to: "talk.wav")
    let player = Player(audioOutput: "null")
    var sound = Sound()
    (sound.trim, sound.speed) = (.max, speed)
    player.setSound(sound)
    var options = LoadOptions()
    options.correction.pauses = [2..<22]
    let cut = try #require(sound.trim.cuts(in: [2..<22]).first)
    let events = player.events()
    let media = try player.load(.file(path), options)
    var told: [Double] = []
    for await event in events {
      if case .position(media, let position) = event { told.append(position / .seconds(1)) }
      if case .ended(media, _) = event { break }
    }
    #expect(told.contains { $0 < cut.lowerBound } && told.contains { $0 > cut.upperBound })
    #expect(!told.contains { cut.lowerBound + 0.1 < $0 && $0 < cut.upperBound - 0.1 }, "\(told)")
  }
}
