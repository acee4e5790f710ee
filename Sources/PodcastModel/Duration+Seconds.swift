extension Duration {
  /// The length in seconds, as C libraries and JSON want it.
  package var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }

  package var inMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }

  /// Nil for what is no length of time: negative, infinite, or beyond three centuries.
  package init?(validSeconds seconds: Double) {
    guard seconds >= 0, seconds < 1e10 else { return nil }
    self = .milliseconds(Int64((seconds * 1000).rounded()))
  }
}
