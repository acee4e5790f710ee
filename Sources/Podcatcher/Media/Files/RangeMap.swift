/// The bytes of a file that are here: ranges in order, none of which touches another. Pure.
struct RangeMap: Hashable, Sendable {
  private(set) var ranges: [Range<Int64>] = []

  init() {}

  init(_ ranges: some Sequence<Range<Int64>>) {
    for range in ranges { insert(range) }
  }

  var isEmpty: Bool { ranges.isEmpty }

  /// How many bytes are here.
  var count: Int64 { ranges.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) } }

  /// Behind the last byte that is here.
  var end: Int64 { ranges.last?.upperBound ?? 0 }

  mutating func insert(_ new: Range<Int64>) {
    guard !new.isEmpty else { return }
    let first = firstIndex(endingAtOrAfter: new.lowerBound)
    var last = first
    var merged = new
    while last < ranges.count, ranges[last].lowerBound <= new.upperBound {
      merged = min(merged.lowerBound, ranges[last].lowerBound)..<max(merged.upperBound, ranges[last].upperBound)
      last += 1
    }
    ranges.replaceSubrange(first..<last, with: [merged])
  }

  /// The end of the run of bytes that begins at `offset`; `offset` itself when that one is missing.
  func end(from offset: Int64) -> Int64 { range(with: offset)?.upperBound ?? offset }

  /// The length of the run of bytes that ends right before `offset`.
  func run(before offset: Int64) -> Int64 {
    guard offset > 0, let range = range(with: offset - 1) else { return 0 }
    return offset - range.lowerBound
  }

  func covers(_ wanted: Range<Int64>) -> Bool { wanted.isEmpty || end(from: wanted.lowerBound) >= wanted.upperBound }

  /// The first stretch of missing bytes at or behind `offset`, up to `limit`.
  func gap(from offset: Int64, to limit: Int64) -> Range<Int64>? {
    let start = end(from: offset)
    guard start < limit else { return nil }
    let next = firstIndex(endingAtOrAfter: start + 1)
    return start..<min(limit, next < ranges.count ? ranges[next].lowerBound : limit)
  }

  private func range(with offset: Int64) -> Range<Int64>? {
    let index = firstIndex(endingAtOrAfter: offset + 1)
    return index < ranges.count && ranges[index].contains(offset) ? ranges[index] : nil
  }

  /// Binary search: a file with many jumps has a few dozen ranges, and every read asks.
  private func firstIndex(endingAtOrAfter offset: Int64) -> Int {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < offset { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// The bytes that are here from an offset on, at most so many.
typealias PresentBytes = (_ offset: Int64, _ count: Int) -> [UInt8]
