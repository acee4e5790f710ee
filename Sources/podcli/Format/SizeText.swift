/// Formats sizes.
enum SizeText {
  /// `512 B`, `3.4 MB`: in powers of 1000.
  static func short(_ bytes: Int64) -> String {
    var value = Double(max(0, bytes))
    guard value >= 1000 else { return "\(max(0, bytes)) B" }
    for unit in ["kB", "MB", "GB"] {
      value /= 1000
      if value < 999.5 { return text(value) + " " + unit }
    }
    return text(value / 1000) + " TB"
  }

  private static func text(_ value: Double) -> String {
    guard value < 10 else { return String(Int(value.rounded())) }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
