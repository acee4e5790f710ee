/// The quantities: the name of each in the record, and its text. Several are printed in this order.
enum Measure: String, CaseIterable {
  case time = "seconds"
  case processor = "cpuSeconds"
  case memory = "peakMegabytes"
  // Percentiles of many waits
  case half = "p50Seconds"
  case most = "p95Seconds"
  case nearlyAll = "p99Seconds"
  case longest = "longestSeconds"
  case refused
  // The reported position beside the audible one
  case secondsOff
  case percentOff
  case percentSaved
  case saved = "savedSeconds"
  case speechTouched = "speechTouchedShare"
  case onsetHalf = "onsetLostP50Seconds"
  case onsetMost = "onsetLostP90Seconds"
  case shortestPause = "shortestPauseSeconds"
  // Loudness as it is heard
  case loudnessOff = "loudnessOffLU"
  case gainOff = "gainOffDecibels"
  case louder = "louderLU"
  case truePeak = "truePeakDBTP"
  case spread = "spreadDecibels"
  case spreadBefore = "spreadBeforeDecibels"
  // A screen on which nothing happens
  case bytes
  case wakeUps
  case instructions = "millionInstructions"

  func text(_ value: Double) -> String {
    switch self {
    case .time: Amount.seconds(value)
    case .processor: Amount.seconds(value) + " CPU"
    case .memory: "\(Amount.fixed(value, digits: 0)) MB"
    case .half: "half within " + Amount.seconds(value)
    case .most: "95 % " + Amount.seconds(value)
    case .nearlyAll: "99 % " + Amount.seconds(value)
    case .longest: "longest " + Amount.seconds(value)
    case .refused: "\(Amount.fixed(value, digits: 0)) refused"
    case .secondsOff: Amount.seconds(value) + " off"
    case .percentOff: Amount.fixed(value, digits: 2) + " % off"
    case .percentSaved: Amount.fixed(value, digits: 0) + " % of what the level can save"
    case .saved: Amount.fixed(value, digits: 1) + " s saved"
    case .speechTouched: Amount.fixed(value * 1000, digits: 1) + " ms touched in a second of speech"
    case .onsetHalf: "half of the voices lose " + Amount.seconds(value)
    case .onsetMost: "90 % lose " + Amount.seconds(value)
    case .shortestPause: "shortest pause left " + Amount.seconds(value)
    case .loudnessOff: Amount.fixed(value, digits: 2) + " LU off"
    case .gainOff: "gain " + Amount.fixed(value, digits: 2) + " dB off"
    case .louder: Amount.fixed(value, digits: 1) + " LU louder"
    case .truePeak: "true peak " + Amount.fixed(value, digits: 2) + " dBTP"
    case .spread: Amount.fixed(value, digits: 2) + " dB"
    case .spreadBefore: "from " + Amount.fixed(value, digits: 2) + " dB"
    case .bytes: "\(Amount.fixed(value, digits: 0)) bytes"
    case .wakeUps: "\(Amount.fixed(value, digits: value < 10 ? 1 : 0)) wake-ups"
    case .instructions: "\(Amount.fixed(value, digits: 2)) M instructions"
    }
  }
}

/// Numbers as text.
enum Amount {
  static func seconds(_ value: Double) -> String {
    value.magnitude < 1 ? fixed(value * 1000, digits: 2) + " ms" : fixed(value, digits: 2) + " s"
  }

  static func ratio(_ left: Double, _ right: Double) -> String {
    (right > 0 ? fixed(left / right, digits: 2) : "–") + " ×"
  }

  static func fixed(_ value: Double, digits: Int) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    guard let scaled = Int64(exactly: (value.magnitude * scale).rounded()) else { return "–" }
    let (whole, rest) = scaled.quotientAndRemainder(dividingBy: Int64(scale))
    let sign = value < 0 && scaled > 0 ? "-" : ""
    guard digits > 0 else { return "\(sign)\(whole)" }
    let places = String(rest)
    return "\(sign)\(whole)." + String(repeating: "0", count: digits - places.count) + places
  }

  static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }

  static func median(_ values: [Double]) -> Double { values.isEmpty ? 0 : values.sorted()[values.count / 2] }
}
