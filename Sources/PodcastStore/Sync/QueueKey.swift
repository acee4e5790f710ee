/// Keys that order the queue: texts of letters and digits between any two of which there is another. A move writes the key
/// of one episode, and two machines that insert at once keep both.
enum QueueKey {
  static let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
  /// Longer keys are dealt anew.
  static let longest = 24
  private static let base = digits.count

  /// A key between two others; nil where there is none, as after equal keys. The last two digits are random, so that two
  /// machines hardly ever make the same.
  static func between(
    _ low: String?, _ high: String?, using generator: inout some RandomNumberGenerator
  ) -> String? {
    let first = numbers(low ?? "")
    let last = high.map(numbers)
    var key = middle(first, last)
    key.append(Int.random(in: 0..<base, using: &generator))
    key.append(Int.random(in: 1..<base, using: &generator))
    guard first.lexicographicallyPrecedes(key), last.map({ key.lexicographicallyPrecedes($0) }) ?? true,
      key.count <= longest
    else { return nil }
    return text(key)
  }

  /// At an open end only a small step is taken, because most episodes are added there.
  private static func middle(_ low: [Int], _ high: [Int]?) -> [Int] {
    var key: [Int] = []
    var isBelow = high == nil
    for index in 0..<longest {
      let bottom = index < low.count ? low[index] : 0
      let top = isBelow ? base : high.map { index < $0.count ? $0[index] : base } ?? base
      if top - bottom > 1 {
        let isOpenAbove = isBelow && high == nil
        let step = isOpenAbove ? max(1, (base - bottom) / 8) : (top - bottom) / 2
        return key + [min(bottom + step, base - 1)]
      }
      key.append(bottom)
      if top == bottom + 1 { isBelow = true }
    }
    return key
  }

  /// Keys for a whole queue, evenly apart.
  static func dealt(_ count: Int, using generator: inout some RandomNumberGenerator) -> [String] {
    let room = base * base * base * base
    return (1...max(1, count)).prefix(count).map { number in
      var rest = room / (count + 1) * number
      var key: [Int] = []
      for _ in 0..<4 {
        key.insert(rest % base, at: 0)
        rest /= base
      }
      return text(key + [Int.random(in: 0..<base, using: &generator), Int.random(in: 1..<base, using: &generator)])
    }
  }

  /// The indexes of elements that stay when as few as possible move: a longest run of growing keys.
  static func longestRun(_ keys: [String?]) -> Set<Int> {
    var tails: [Int] = []
    var before = [Int?](repeating: nil, count: keys.count)
    for (index, key) in keys.enumerated() {
      guard let key else { continue }
      var (low, high) = (0, tails.count)
      while low < high {
        let middle = (low + high) / 2
        if precedes(keys[tails[middle]] ?? "", key) { low = middle + 1 } else { high = middle }
      }
      before[index] = low > 0 ? tails[low - 1] : nil
      if low == tails.count { tails.append(index) } else { tails[low] = index }
    }
    var run: Set<Int> = []
    var next = tails.last
    while let index = next {
      run.insert(index)
      next = before[index]
    }
    return run
  }

  static func precedes(_ left: String, _ right: String) -> Bool { left.utf8.lexicographicallyPrecedes(right.utf8) }

  private static func numbers(_ key: String) -> [Int] { key.utf8.map { digits.firstIndex(of: $0) ?? 0 } }
  private static func text(_ key: [Int]) -> String { String(decoding: key.map { digits[$0] }, as: UTF8.self) }
}
