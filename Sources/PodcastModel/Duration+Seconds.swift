extension Duration {
  /// The duration in seconds, for C libraries and JSON.
  package var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }

  package var inMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }

  /// Nil for a negative or infinite number, and beyond three centuries.
  package init?(validSeconds seconds: Double) {
    guard seconds >= 0, seconds < 1e10 else { return nil }
    self = .milliseconds(Int64((seconds * 1000).rounded()))
  }
}
