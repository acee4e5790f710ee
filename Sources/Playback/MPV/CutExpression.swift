private import Glibc

/// Cuts as an expression of FFmpeg's `aselect`, which is true for each frame that stays. Pure.
///
/// Time stamps stay as they are, so the position jumps with each cut.
enum CutExpression {
  /// Frames are as long as the encoder made them, up to half a second: they are cut in small ones, which become longer
  /// ones again, as each costs libmpv some time.
  static func filters(_ cuts: [Range<Double>]) -> String {
    "asetnsamples=n=128:p=0,aselect='\(text(cuts))',asetnsamples=n=1024:p=0"
  }

  static func text(_ cuts: [Range<Double>]) -> String {
    guard !cuts.isEmpty else { return "1" }
    let tree = TimeTree(of: "ld(0)").text(cuts[...], start: \.lowerBound) { cut in
      "between(ld(0),\(TimeTree.number(cut.lowerBound)),\(TimeTree.number(cut.upperBound)))"
    }
    // The middle of the frame, so that it is cut where most of it lies in a cut.
    return "if(st(0,t+samples_n/(2*sample_rate)),not(\(tree)),1)"
  }
}

/// Gains as an expression of FFmpeg's `volume`, which is read for each frame: constant but for a ramp in each pause. Pure.
enum LevelExpression {
  static func text(_ changes: [GainChange]) -> String {
    let factors = changes.map { pow(10, $0.gain / 20) }
    return TimeTree(of: "t").text(changes.indices[...], start: { changes[$0].during.lowerBound }) { index in
      guard index > 0 else { return TimeTree.number(factors[index]) }
      let (during, before) = (changes[index].during, factors[index - 1])
      let start = TimeTree.number(during.lowerBound)
      let length = TimeTree.number(max(0.001, during.upperBound - during.lowerBound))
      let step = TimeTree.number(factors[index] - before)
      return "(\(TimeTree.number(before))+\(step)*clip((t-\(start))/\(length),0,1))"
    }
  }
}

/// A binary tree in FFmpeg's language of expressions: it finds the part that a time lies in. An hour has a thousand.
struct TimeTree {
  private let time: String

  /// `time` is the name of the time in seconds.
  init(of time: String) { self.time = time }

  /// Parts in ascending order; each begins at its start, but for the first, which begins before.
  func text<Parts: RandomAccessCollection>(
    _ parts: Parts, start: (Parts.Element) -> Double, leaf: (Parts.Element) -> String
  ) -> String where Parts.SubSequence: RandomAccessCollection {
    if parts.count == 1, let part = parts.first { return leaf(part) }
    let middle = parts.index(parts.startIndex, offsetBy: parts.count / 2)
    let (left, right) = (
      text(parts[..<middle], start: start, leaf: leaf), text(parts[middle...], start: start, leaf: leaf)
    )
    return "if(lt(\(time),\(Self.number(start(parts[middle])))),\(left),\(right))"
  }

  /// With three digits after the point, and never with an exponent.
  static func number(_ value: Double) -> String {
    let (whole, rest) = Int((abs(value) * 1000).rounded()).quotientAndRemainder(dividingBy: 1000)
    return (value < 0 ? "-" : "") + "\(whole)." + String(rest + 1000).dropFirst()
  }
}
