private import Glibc

/// Finds the stretches that two renditions share, by their sound, however each is encoded. Pure.
///
/// Whether it gets louder or quieter from one moment to the next survives encoders and changes of loudness. Words of 32 such
/// bits that are equal lead to stretches in which most bits are; then the levels themselves are laid on each other.
enum SoundAlignment {
  static func map(from old: SoundPrint, to new: SoundPrint) -> RenditionMap {
    let (words, phases) = (LoudnessWords(old, every: LoudnessWords.stride), LoudnessWords(new, every: 1))
    let runs = words.runs(in: phases)
    let overlay = LevelOverlay(old.levels, new.levels)
    var pieces = RenditionMap.rising(runs.compactMap(overlay.piece))
    for index in pieces.indices.dropLast() { overlay.meet(&pieces, index) }
    return RenditionMap(pieces, oldHas: [0..<old.seconds], newHas: [0..<new.seconds])
  }
}

/// A stretch of two renditions that is about the same; in levels.
struct SoundRun: Hashable, Sendable {
  var old: Range<Int>
  /// How far it lies from there in the new rendition.
  var offset: Int
}

/// For each moment, whether each of the next 32 tenths of a second is louder than the one before.
private struct LoudnessWords {
  private let words: [UInt32]
  private let every: Int

  /// Levels that are taken together.
  static let stride = 3
  private static let bits = 32
  /// Words that are compared at once: four seconds.
  private static let window = 48
  /// Of 32 bits; two unrelated words differ in 16.
  private static let mostErrors = 10
  /// Of a run, in words.
  private static let shortest = 60

  init(_ print: SoundPrint, every: Int) {
    self.every = every
    let levels = print.levels
    let sums = levels.indices.dropLast(Self.stride - 1).map { index in
      levels[index..<index + Self.stride].reduce(0) { $0 + ($1 == SilenceMap.unknown ? 0 : Int($1)) }
    }
    let reach = (Self.bits + 1) * Self.stride
    words = Swift.stride(from: 0, to: max(0, sums.count - reach), by: every).map { start in
      (0..<Self.bits).reduce(into: UInt32(0)) { word, bit in
        let index = start + bit * Self.stride
        word = word << 1 | (sums[index + Self.stride] > sums[index] ? 1 : 0)
      }
    }
  }

  /// `other` has a word for each level.
  func runs(in other: LoudnessWords) -> [SoundRun] {
    let index = WordIndex(other.words)
    var runs: [SoundRun] = []
    // By offset: up to where a run goes.
    var reached: [Int: Int] = [:]
    for (number, word) in words.enumerated() {
      for place in index.places(of: word) {
        let offset = place - number * Self.stride
        let isKnown = (offset - 2...offset + 2).contains { reached[$0, default: 0] > number * Self.stride }
        guard !isKnown, let run = grown(from: number, offset, other) else { continue }
        reached[offset] = run.old.upperBound
        runs.append(run)
      }
    }
    return runs
  }

  /// Nil where fewer words are alike than could be by chance.
  private func grown(from index: Int, _ offset: Int, _ other: LoudnessWords) -> SoundRun? {
    let lowest = max(0, (-offset + Self.stride - 1) / Self.stride)
    let highest = min(words.count, (other.words.count - offset + Self.stride - 1) / Self.stride)
    let errors = { (at: Int) in (words[at] ^ other.words[at * Self.stride + offset]).nonzeroBitCount }
    var start = max(lowest, min(index - Self.window / 2, highest - Self.window))
    guard start + Self.window <= highest else { return nil }
    var sum = (start..<start + Self.window).reduce(0) { $0 + errors($1) }
    let limit = Self.window * Self.mostErrors
    guard sum < limit else { return nil }
    var (end, sumAtEnd) = (start + Self.window, sum)
    while end < highest, sumAtEnd < limit {
      sumAtEnd += errors(end) - errors(end - Self.window)
      end += 1
    }
    while start > lowest, sum < limit {
      start -= 1
      sum += errors(start) - errors(start + Self.window)
    }
    guard end - start >= Self.shortest else { return nil }
    return SoundRun(old: start * Self.stride..<(end + Self.bits) * Self.stride, offset: offset)
  }
}

/// The places of words, by their first 20 bits.
private struct WordIndex {
  /// The bits, and the place below them; in order.
  private let entries: [UInt64]

  /// A word that stands in more places says nothing.
  private static let mostPlaces = 8

  init(_ words: [UInt32]) {
    entries = words.enumerated().map { place, word in UInt64(word >> 12) << 32 | UInt64(place) }.sorted()
  }

  /// Silence has none.
  func places(of word: UInt32) -> [Int] {
    let key = UInt64(word >> 12)
    guard key != 0 else { return [] }
    let first = firstIndex(from: key << 32)
    let places = entries[first...].prefix(Self.mostPlaces + 1).prefix { $0 >> 32 == key }
    return places.count > Self.mostPlaces ? [] : places.map { Int($0 & 0xFFFF_FFFF) }
  }

  private func firstIndex(from entry: UInt64) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle] < entry { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// Lays the levels of two renditions on each other.
struct LevelOverlay {
  private let old: [Level]
  private let new: [Level]

  init(_ old: [Level], _ new: [Level]) { (self.old, self.new) = (old, new) }

  /// In levels.
  private static let reach = 8
  private static let mostCompared = 6000
  /// Five seconds.
  private static let shortest = 166
  /// How far a run's edges may be wrong: a window of words.
  private static let edge = 150
  /// In half decibels: levels that differ by more are of different sounds.
  private static let difference = 10.0

  /// The run, exact to hundredths of a second. Nil where nothing of it is left.
  func piece(_ run: SoundRun) -> RenditionMap.Piece? {
    let (lower, upper) = (
      max(run.old.lowerBound, -run.offset), min(run.old.upperBound, old.count, new.count - run.offset)
    )
    guard upper - lower > 2 * Self.reach else { return nil }
    let inner = lower..<upper
    let offset = exactOffset(inner, run.offset)
    let rounded = Int(offset.rounded())
    guard let gain = gain(inner, rounded) else { return nil }
    let start = edge(near: inner.lowerBound, rounded, gain, inside: 1)
    let end = edge(near: inner.upperBound - 1, rounded, gain, inside: -1)
    guard end - start >= Self.shortest else { return nil }
    let seconds = Double(start) * SoundPrint.step..<Double(end + 1) * SoundPrint.step
    let begin = (Double(start) + offset) * SoundPrint.step
    guard begin >= 0 else { return nil }
    return RenditionMap.Piece(old: seconds, new: begin)
  }

  /// Where something was inserted, one piece ends as the next begins: at the moment that suits both best.
  func meet(_ pieces: inout [RenditionMap.Piece], _ index: Int) {
    let (first, second) = (pieces[index], pieces[index + 1])
    guard abs(second.old.lowerBound - first.old.upperBound) < Self.longestDoubt else { return }
    let ends = [first.old.upperBound, second.old.lowerBound].map { Int(($0 / SoundPrint.step).rounded()) }
    let range = min(ends[0], ends[1])..<max(ends[0], ends[1])
    let offsets = [first, second].map { Int((($0.new - $0.old.lowerBound) / SoundPrint.step).rounded()) }
    let begin = Int(first.old.lowerBound / SoundPrint.step)
    guard range.upperBound <= old.count, begin < range.lowerBound else { return }
    let level = gain(begin..<range.lowerBound, offsets[0]) ?? 0
    var (best, score, meeting) = (0.0, 0.0, range.lowerBound)
    for moment in range {
      let levels = offsets.map { new.indices.contains(moment + $0) ? Double(new[moment + $0]) - level : 0 }
      // Positive while the first fits better.
      score += abs(levels[1] - Double(old[moment])) - abs(levels[0] - Double(old[moment]))
      if score > best { (best, meeting) = (score, moment + 1) }
    }
    let seconds = Double(meeting) * SoundPrint.step
    guard first.old.lowerBound < seconds, seconds < second.old.upperBound else { return }
    pieces[index].old = first.old.lowerBound..<seconds
    pieces[index + 1] = RenditionMap.Piece(
      old: seconds..<second.old.upperBound, new: second.new + seconds - second.old.lowerBound)
  }

  /// In seconds.
  private static let longestDoubt = 2.0

  /// In levels: the offset at which changes of level differ least, with its fraction.
  private func exactOffset(_ range: Range<Int>, _ offset: Int) -> Double {
    let inner = range.dropFirst(1)
    let middle = inner.prefix(min(inner.count, inner.count / 2 + Self.mostCompared / 2)).suffix(Self.mostCompared)
    let costs = (-Self.reach...Self.reach).map { shift in cost(middle, offset + shift) }
    guard let best = costs.indices.min(by: { costs[$0] < costs[$1] }) else { return Double(offset) }
    let whole = Double(offset + best - Self.reach)
    guard best > 0, best < costs.count - 1 else { return whole }
    let (before, at, after) = (costs[best - 1], costs[best], costs[best + 1])
    let bend = before - 2 * at + after
    return bend > 0 ? whole + 0.5 * (before - after) / bend : whole
  }

  private func cost(_ range: Range<Int>, _ offset: Int) -> Double {
    var (sum, count) = (0.0, 0)
    for index in range where new.indices.contains(index + offset) && new.indices.contains(index + offset - 1) {
      let change = Double(old[index]) - Double(old[index - 1])
      let other = Double(new[index + offset]) - Double(new[index + offset - 1])
      sum += min(576, (change - other) * (change - other))
      count += 1
    }
    return count > 0 ? sum / Double(count) : .infinity
  }

  /// The median difference of levels.
  private func gain(_ range: Range<Int>, _ offset: Int) -> Double? {
    var counts = [Int](repeating: 0, count: 512)
    for index in range where new.indices.contains(index + offset) && Double(old[index]).isLoud(new[index + offset]) {
      counts[Int(new[index + offset]) - Int(old[index]) + 256] += 1
    }
    var left = counts.reduce(0, +) / 2
    let median = counts.firstIndex { count in
      left -= count
      return left < 0
    }
    return median.map { Double($0 - 256) }
  }

  /// Goes outwards as long as more levels agree than do not. `inside`: the direction of the run.
  private func edge(near rough: Int, _ offset: Int, _ gain: Double, inside: Int) -> Int {
    let begin = rough + inside * Self.edge
    var (score, best, edge) = (0.0, -Double.infinity, rough)
    for distance in 0...2 * Self.edge {
      let index = begin - inside * distance
      guard old.indices.contains(index), new.indices.contains(index + offset) else { continue }
      let difference = abs(Double(new[index + offset]) - Double(old[index]) - gain)
      score += Self.difference - min(difference, 40)
      if score >= best { (best, edge) = (score, index) }
    }
    return edge
  }
}

extension Double {
  /// Both levels are sound, and known.
  fileprivate func isLoud(_ other: Level) -> Bool {
    self > 80 && self < 255 && other > 80 && other < 255
  }
}
