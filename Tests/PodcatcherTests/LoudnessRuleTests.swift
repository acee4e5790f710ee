import Testing

@testable import Podcatcher

@Suite struct LoudnessRuleTests {
  @Test func `its own measurement goes before that of other episodes, within limits`() {
    #expect(LoudnessRule.gain(to: -16, measured: -20, history: [-30]) == 4)
    #expect(LoudnessRule.gain(to: -16, measured: nil, history: [-18, -30, -20]) == 4)
    #expect(LoudnessRule.gain(to: -14, measured: nil, history: [-18, -20]) == 5)
    #expect(LoudnessRule.gain(to: -16, measured: nil, history: []) == nil)
    #expect(LoudnessRule.gain(to: -16, measured: nil, history: [-20], estimate: -30) == 4)
    #expect(LoudnessRule.gain(to: -16, measured: nil, history: [], estimate: -30) == 14)
    #expect(LoudnessRule.gain(to: -16, measured: -60, history: []) == 18)
    #expect(LoudnessRule.gain(to: -16, measured: 5, history: []) == -15)
  }

  @Test func `samples are limited only where the gain would make them too loud`() throws {
    #expect(LoudnessRule.ceiling(under: 3, peak: -5) == nil)
    #expect(LoudnessRule.ceiling(under: -4, peak: nil) == nil)
    // After the gain, the highest is 1.5 dB below full scale.
    #expect(abs(try #require(LoudnessRule.ceiling(under: 6, peak: -3)) - 0.4217) < 0.001)
    #expect(abs(try #require(LoudnessRule.ceiling(under: 0, peak: nil)) - 0.8414) < 0.001)
    #expect(try #require(LoudnessRule.ceiling(under: -1.4, peak: 1)) <= 1)
  }

  @Test func `a gain moves in pauses only, at half a decibel a second`() {
    var ramp = GainRamp(from: 0, to: 2)
    func played(_ isPause: Bool, at milliseconds: Int) -> Bool {
      ramp.played(isPause: isPause, at: .milliseconds(milliseconds))
    }
    #expect(!played(false, at: 1_000))
    #expect(played(true, at: 1_400))
    #expect(abs(ramp.gain - 0.2) < 1e-9)
    #expect(played(true, at: 1_600))
    #expect(abs(ramp.gain - 0.3) < 1e-9)
    #expect(!played(false, at: 3_000))
    // However long the speech was.
    #expect(played(true, at: 9_000))
    #expect(abs(ramp.gain - 0.8) < 1e-9)
    for tick in 1..<100 { _ = played(true, at: 9_000 + tick * 100) }
    #expect(ramp.gain == 2)
    #expect(!played(true, at: 30_000))
  }

  @Test func `right after a jump it does not get louder, but quieter`() {
    var up = GainRamp(from: 0, to: 2)
    var down = GainRamp(from: 0, to: -2)
    up.jumped(at: .seconds(1))
    down.jumped(at: .seconds(1))
    for second in [2, 3] {
      _ = up.played(isPause: true, at: .seconds(second))
      _ = down.played(isPause: true, at: .seconds(second))
    }
    #expect(up.gain == 0 && down.gain == -0.5)
    _ = up.played(isPause: true, at: .seconds(12))
    #expect(up.gain > 0)
  }
}
