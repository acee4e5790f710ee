/// Times as libmpv takes and gives them: in seconds.
extension Duration {
  /// Written without an exponent, which libmpv would refuse.
  var mpvSeconds: String {
    let milliseconds = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    let (whole, rest) = milliseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
    let fraction = String(rest + 1000).dropFirst()
    return (milliseconds < 0 ? "-" : "") + "\(whole).\(fraction)"
  }

  /// Nil for a time that cannot be one.
  init?(mpvSeconds seconds: Double) {
    guard seconds >= 0, seconds < 1e10 else { return nil }
    self = .milliseconds(Int64((seconds * 1000).rounded()))
  }
}
