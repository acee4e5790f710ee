import Testing

@testable import Playback

/// A device that plays what was decoded 0.6 s before, and libmpv's position, which takes nothing for missing in between.
@Suite struct CutLagTests {
  private struct Device {
    var cuts: [Range<Double>] = []
    var speed = 1.0
    var now = 100.0
    private var decoded = 0.0
    private var buffer: [Double] = []
    private var before = 0.0
    /// Exact in binary, as all times here are.
    private static let step = 1.0 / 64

    init() { seek(to: 0) }

    mutating func seek(to position: Double) {
      (buffer, decoded) = ([], position)
      decode()
    }

    private mutating func decode() {
      while buffer.count < 40 {
        if let cut = cuts.first(where: { $0.contains(decoded) }) { decoded = cut.upperBound }
        buffer.append(decoded)
        decoded += Self.step * speed
      }
    }

    mutating func play() {
      now += Self.step
      before = buffer.removeFirst()
      decode()
    }

    /// In these moments.
    func isHeard(_ position: Double) -> Bool { (buffer.prefix(3) + [before]).contains { abs($0 - position) < 0.1 } }

    var reported: Double { decoded - speed * Double(buffer.count) * Self.step }
  }

  private func heard(_ device: Device, _ lag: inout CutLag) -> Double {
    lag.heard(device.reported, at: .seconds(device.now), speed: device.speed)
  }

  /// Whether in so many seconds nothing is told but what is heard.
  private func isRight(for seconds: Double, _ device: inout Device, _ lag: inout CutLag) -> Bool {
    (0..<Int(seconds * 64)).allSatisfy { _ in
      device.play()
      return device.isHeard(heard(device, &lag))
    }
  }

  @Test(arguments: [1.0, 2]) func `a cut is told once it is heard`(speed: Double) {
    var (device, lag) = (Device(), CutLag())
    device.speed = speed
    device.seek(to: 0)
    device.cuts = [5..<6.5, 6.75..<6.875, 7..<9, 15..<15.125]
    lag.cuts = device.cuts
    #expect(isRight(for: 18 / speed, &device, &lag))
  }

  @Test func `a cut just behind the target of a seek is not heard yet`() {
    var (device, lag) = (Device(), CutLag())
    device.cuts = [20.25..<22]
    lag.cuts = device.cuts
    #expect(isRight(for: 1, &device, &lag))
    lag.reset(to: .seconds(20))
    device.seek(to: 20)
    #expect(isRight(for: 3, &device, &lag))
  }

  @Test func `a cut that is switched off is heard all the same, and the clock of a pause does not count`() {
    var (device, lag) = (Device(), CutLag())
    device.cuts = [2..<4, 6..<8]
    lag.cuts = device.cuts
    #expect(isRight(for: 1.75, &device, &lag))
    (device.cuts, lag.cuts) = ([], [])
    lag.pause()
    device.now += 1000
    #expect(isRight(for: 5, &device, &lag))
  }

  @Test func `what is reported is what is heard, and a seek counts from there`() {
    var now = Duration.zero
    var reducer = EventReducer(clock: { now })
    let media = MediaID(number: 1)
    var sound = Sound()
    sound.trim = .max
    _ = reducer.change(sound)
    _ = reducer.expect(media, asEntry: 1)
    var correction = SoundCorrection()
    correction.pauses = [10..<12]
    reducer.correct(media, correction)
    _ = reducer.take(.started(entry: 1))
    _ = reducer.take(.restarted(at: 9))
    now = .seconds(0.6)
    _ = reducer.take(.property(.position(9.6)))
    // The cut of 1.84 s is decoded.
    now = .seconds(0.7)
    let events = reducer.take(.property(.position(11.54)))
    #expect(events == [.position(media, .milliseconds(9700))])
    #expect(abs(reducer.aim(by: .seconds(-5)) / .seconds(1) + 6.84) < 0.001)
    #expect(reducer.aim(by: .seconds(-5)) == .seconds(-5))
  }
}
