/// A position in an episode as people write it: `41:07`, `1:02:03`, `90`, `90s`, `1h2m`, `50%`, `+30`, `-1m`.
package enum TimeExpression: Hashable, Sendable {
  case at(Duration)
  case fraction(Double)
  case relative(Duration)

  package init?(_ text: some StringProtocol) {
    let text = String(text)
    if let sign = text.first, sign == "+" || sign == "-" {
      guard let length = Self.length(text.dropFirst()) else { return nil }
      self = .relative(sign == "-" ? .zero - length : length)
    } else if text.hasSuffix("%") {
      guard let percent = Self.number(text.dropLast()), percent <= 100 else { return nil }
      self = .fraction(percent / 100)
    } else {
      guard let length = Self.length(text[...]) else { return nil }
      self = .at(length)
    }
  }

  /// The position in an episode of this duration; relative ones count from `current`.
  package func resolved(duration: Duration?, current: Duration = .zero) -> Duration? {
    switch self {
    case .at(let position): position
    case .fraction(let fraction): duration.map { $0 * fraction }
    case .relative(let offset): max(.zero, current + offset)
    }
  }

  private static func length(_ text: Substring) -> Duration? {
    text.contains(":") ? clock(text) : text.last?.isLetter == true ? units(text) : number(text).flatMap(seconds)
  }

  private static func clock(_ text: Substring) -> Duration? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 3 else { return nil }
    var total = 0.0
    for (index, part) in parts.enumerated() {
      guard let value = number(part), index == 0 || value < 60, index == parts.count - 1 || !part.contains(".")
      else { return nil }
      total = total * 60 + value
    }
    return seconds(total)
  }

  private static func units(_ text: Substring) -> Duration? {
    let sizes: [Character: Double] = ["h": 3600, "m": 60, "s": 1]
    var total = 0.0
    var digits: Substring = ""
    var smallest = Double.infinity
    for character in text.lowercased() {
      guard let size = sizes[character] else {
        digits.append(character)
        continue
      }
      guard size < smallest, let value = number(digits) else { return nil }
      total += value * size
      smallest = size
      digits = ""
    }
    return digits.isEmpty ? seconds(total) : nil
  }

  private static func number(_ text: Substring) -> Double? {
    guard text.first?.isASCII == true, text.allSatisfy({ ("0"..."9").contains($0) || $0 == "." }) else { return nil }
    return Double(text)
  }

  private static func seconds(_ value: Double) -> Duration? {
    value < 1e7 ? .milliseconds(Int64((value * 1000).rounded())) : nil
  }
}
