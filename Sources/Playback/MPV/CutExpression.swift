/// Cuts as an expression of FFmpeg's `aselect`, which is true for each frame that stays. Pure.
///
/// Time stamps stay as they are, so the position jumps with each cut. A binary tree finds the cut of a frame: an hour has
/// a thousand of them.
enum CutExpression {
  static func text(_ cuts: [Range<Double>]) -> String {
    guard !cuts.isEmpty else { return "1" }
    // The middle of the frame, so that it is cut where most of it lies in a cut.
    return "if(st(0,t+samples_n/(2*sample_rate)),not(\(tree(cuts[...]))),1)"
  }

  private static func tree(_ cuts: ArraySlice<Range<Double>>) -> String {
    if cuts.count == 1, let cut = cuts.first {
      return "between(ld(0),\(seconds(cut.lowerBound)),\(seconds(cut.upperBound)))"
    }
    let middle = cuts.startIndex + cuts.count / 2
    return "if(lt(ld(0),\(seconds(cuts[middle].lowerBound))),\(tree(cuts[..<middle])),\(tree(cuts[middle...])))"
  }

  /// Without an exponent.
  private static func seconds(_ time: Double) -> String {
    let (whole, rest) = Int((time * 1000).rounded()).quotientAndRemainder(dividingBy: 1000)
    return "\(whole)." + String(rest + 1000).dropFirst()
  }
}
