/// The rule by which automatic downloads of a podcast are kept.
package enum KeepRule: Hashable, Sendable {
  case all
  /// This many of the newest.
  case newest(Int)
  /// The newest ones that fit into this many bytes.
  case size(Int64)
  /// Those downloaded within this time.
  case age(Duration)

  private static let days: [Character: Int64] = ["d": 1, "w": 7, "y": 365]
  private static let longest: Int64 = 100_000

  /// `all`, `10`, `2G`, `30d`.
  init?(_ text: String) {
    if text == "all" { self = .all; return }
    if let unit = text.last, let days = Self.days[unit] {
      // In days it is read again as it was written in years.
      guard let count = Int64(text.dropLast()), (1...Self.longest * 365 / days).contains(count) else { return nil }
      self = .age(.seconds(count * days * 86_400))
    } else if let count = Int(text) {
      guard (0...Int(Self.longest)).contains(count) else { return nil }
      self = .newest(count)
    } else {
      guard let size = SettingKind<Int64>.size.read(text) else { return nil }
      self = .size(size)
    }
  }

  var text: String {
    switch self {
    case .all: "all"
    case .newest(let count): String(count)
    case .size(let bytes): SettingKind<Int64>.size.write(bytes)
    case .age(let age): "\(age.components.seconds / 86_400)d"
    }
  }

  /// The indices of the files to delete, in a list with the newest first.
  func leaving(_ files: [(size: Int64, age: Duration)]) -> [Int] {
    var total: Int64 = 0
    return files.indices.filter { index in
      total += files[index].size
      return switch self {
      case .all: false
      case .newest(let count): index >= count
      case .size(let bytes): total > bytes
      case .age(let age): files[index].age > age
      }
    }
  }
}

extension SettingKind where Value == KeepRule {
  static var keepRule: Self {
    SettingKind(expectation: "`all`, a number such as 10, a size such as 2G or a time such as 30d") {
      KeepRule($0)
    } write: {
      $0.text
    }
  }
}
