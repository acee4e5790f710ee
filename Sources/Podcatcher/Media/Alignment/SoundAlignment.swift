private import Glibc

/// Finds the stretches that two renditions or two episodes share, by their sound, however each is encoded. Pure.
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

  /// All stretches of five seconds or more that two episodes share, wherever they lie. In so many pairs of words chance
  /// finds some that are alike, and levels that are not. Of two prints that were made to share everything, the first runs
  /// count.
  static func shared(_ old: SoundPrint, _ new: SoundPrint, mostRuns: Int = mostRuns) -> [RenditionMap.Piece] {
    let runs = LoudnessWords(old, every: LoudnessWords.stride).runs(
      in: LoudnessWords(new, every: 1), seed: 16, mostErrors: 7, most: mostRuns)
    let overlay = LevelOverlay(
      old.levels, new.levels, alike: 3, perChange: 0.4, unlike: 3, edgeDepth: 2 * LevelOverlay.edge)
    return runs.compactMap(overlay.piece).filter { overlay.agreement($0) >= leastAgreement }
  }

  private static let leastAgreement = 0.75
  /// Twelve hours of talk have far fewer.
  static let mostRuns = 20_000
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
    let levels = print.levels
    let sums = levels.indices.dropLast(Self.stride - 1).map { index in
      levels[index..<index + Self.stride].reduce(0) { $0 + ($1 == SilenceMap.unknown ? 0 : Int($1)) }
    }
    let isLouder = sums.indices.dropLast(Self.stride).map { sums[$0 + Self.stride] > sums[$0] }
    let reach = (Self.bits - 1) * Self.stride
    words = Swift.stride(from: 0, to: max(0, isLouder.count - reach), by: every).map { start in
      var word: UInt32 = 0
      for index in Swift.stride(from: start, through: start + reach, by: Self.stride) {
        word = word << 1 | (isLouder[index] ? 1 : 0)
      }
      return word
    }
  }

  /// `other` has a word for each level. `seed`: so many equal bits lead to a run, fewer of them to shorter ones;
  /// `mostErrors`: of each 32 bits around it.
  func runs(
    in other: LoudnessWords, seed: Int = 20, mostErrors: Int = mostErrors, most: Int = SoundAlignment.mostRuns
  ) -> [SoundRun] {
    let index = WordIndex(other.words, bits: seed)
    var runs: [SoundRun] = []
    // By offset: up to where a run goes.
    var reached: [Int: Int] = [:]
    for (number, word) in words.enumerated() {
      for place in index.places(of: word) {
        let offset = place - number * Self.stride
        guard let window = window(around: number, offset, other, mostErrors),
          !(offset - 2...offset + 2).contains(where: { reached[$0, default: 0] > number * Self.stride }),
          let run = grown(from: window, offset, other)
        else { continue }
        reached[offset] = run.old.upperBound
        runs.append(run)
        if runs.count == most { return runs }
      }
    }
    return runs
  }

  /// The first words of a run, and how many of their bits differ. Nil where most words are not alike.
  private func window(
    around index: Int, _ offset: Int, _ other: LoudnessWords, _ mostErrors: Int
  ) -> (start: Int, errors: Int)? {
    let known = known(at: offset, in: other)
    let start = max(known.lowerBound, min(index - Self.window / 2, known.upperBound - Self.window))
    guard start + Self.window <= known.upperBound else { return nil }
    var sum = 0
    for index in start..<start + Self.window {
      sum += errors(index, offset, other)
      guard sum < Self.window * mostErrors else { return nil }
    }
    return (start, sum)
  }

  /// Nil where fewer words are alike than could be by chance.
  private func grown(from window: (start: Int, errors: Int), _ offset: Int, _ other: LoudnessWords) -> SoundRun? {
    let known = known(at: offset, in: other)
    var (start, end) = (window.start, window.start + Self.window)
    var (sum, sumAtEnd) = (window.errors, window.errors)
    while end < known.upperBound, sumAtEnd < Self.limit {
      sumAtEnd += errors(end, offset, other) - errors(end - Self.window, offset, other)
      end += 1
    }
    while start > known.lowerBound, sum < Self.limit {
      start -= 1
      sum += errors(start, offset, other) - errors(start + Self.window, offset, other)
    }
    guard end - start >= Self.shortest else { return nil }
    return SoundRun(old: start * Self.stride..<(end + Self.bits) * Self.stride, offset: offset)
  }

  /// The words that the other one has, too.
  private func known(at offset: Int, in other: LoudnessWords) -> Range<Int> {
    let lowest = max(0, (-offset + Self.stride - 1) / Self.stride)
    return lowest..<max(lowest, min(words.count, (other.words.count - offset + Self.stride - 1) / Self.stride))
  }

  private func errors(_ index: Int, _ offset: Int, _ other: LoudnessWords) -> Int {
    (words[index] ^ other.words[index * Self.stride + offset]).nonzeroBitCount
  }

  private static let limit = window * mostErrors
}

/// The places of words, by their first bits.
private struct WordIndex {
  /// The bits, and the place below them; in order.
  private let entries: [UInt64]
  private let shift: Int
  /// A word that stands in more places says nothing.
  private let mostPlaces: Int

  init(_ words: [UInt32], bits: Int) {
    let shift = 32 - bits
    entries = words.enumerated().map { place, word in UInt64(word >> shift) << 32 | UInt64(place) }.sorted()
    self.shift = shift
    // A word of random bits stands in so many places, and eight more.
    mostPlaces = 8 + (4 * words.count) >> bits
  }

  /// Silence has none.
  func places(of word: UInt32) -> [Int] {
    let key = UInt64(word >> shift)
    guard key != 0 else { return [] }
    let first = firstIndex(from: key << 32)
    let places = entries[first...].prefix(mostPlaces + 1).prefix { $0 >> 32 == key }
    return places.count > mostPlaces ? [] : places.map { Int($0 & 0xFFFF_FFFF) }
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
  /// In half decibels: levels that differ by more are of different sounds.
  private let alike: Double
  /// So much of the change to the next level is added to it: amid a change, a few milliseconds are many decibels.
  private let perChange: Double
  /// Those that differ by so many times more count no more: sound that begins between two levels differs by a lot.
  private let unlike: Double
  /// How far inside a run its edge is looked for, and as far outside. No further: behind an intro, noise of one loudness
  /// is alike in all episodes.
  private let edgeDepth: Int

  init(
    _ old: [Level], _ new: [Level], alike: Double = 10, perChange: Double = 0, unlike: Double = 4,
    edgeDepth: Int = LevelOverlay.edge
  ) {
    (self.old, self.new, self.edgeDepth) = (old, new, edgeDepth)
    (self.alike, self.perChange, self.unlike) = (alike, perChange, unlike)
  }

  /// In levels.
  private static let reach = 8
  private static let mostCompared = 6000
  /// Five seconds.
  private static let shortest = 166
  /// How far a run's edges may be wrong: a window of words.
  static let edge = 150

  /// The run, exact to hundredths of a second. Nil where nothing of it is left.
  func piece(_ run: SoundRun) -> RenditionMap.Piece? {
    let (lower, upper) = (
      max(run.old.lowerBound, -run.offset), min(run.old.upperBound, old.count, new.count - run.offset)
    )
    guard upper - lower > 2 * Self.reach else { return nil }
    let inner = lower..<upper
    let offset = exactOffset(inner, run.offset)
    guard let gain = gain(inner, Int(offset.rounded())) else { return nil }
    let depth = min(edgeDepth, inner.count / 2)
    let start = edge(from: inner.lowerBound + depth, offset, gain, by: -1)
    let end = edge(from: inner.upperBound - 1 - depth, offset, gain, by: 1)
    guard end - start >= Self.shortest else { return nil }
    let seconds = Double(start) * SoundPrint.step..<Double(end + 1) * SoundPrint.step
    let begin = (Double(start) + offset) * SoundPrint.step
    guard begin >= 0 else { return nil }
    return RenditionMap.Piece(old: seconds, new: begin)
  }

  /// The part of the levels of a piece that are alike.
  func agreement(_ piece: RenditionMap.Piece) -> Double {
    let range =
      Int(
        (piece.old.lowerBound / SoundPrint.step).rounded())..<Int(
        (piece.old.upperBound / SoundPrint.step).rounded())
    let offset = (piece.new - piece.old.lowerBound) / SoundPrint.step
    guard let gain = gain(range, Int(offset.rounded())) else { return 0 }
    let count = range.count { difference(at: $0, offset, gain).map { $0.size <= Self.agreeing } ?? false }
    return Double(count) / Double(range.count)
  }

  /// In half decibels.
  private static let agreeing = 6.0

  /// From a moment between two levels of the new print, and the change from one of them to the other. Nil where it has
  /// none there.
  private func difference(at index: Int, _ offset: Double, _ gain: Double) -> (size: Double, change: Double)? {
    let place = Double(index) + offset
    let lower = Int(place.rounded(.down))
    guard old.indices.contains(index), new.indices.contains(lower), new.indices.contains(lower + 1) else { return nil }
    let change = Double(new[lower + 1]) - Double(new[lower])
    let level = Double(new[lower]) + change * (place - Double(lower))
    return (abs(level - Double(old[index]) - gain), abs(change))
  }

  /// Where something was inserted, one piece ends as the next begins: at the moment that suits both best.
  func meet(_ pieces: inout [RenditionMap.Piece], _ index: Int) {
    let (first, second) = (pieces[index], pieces[index + 1])
    guard abs(second.old.lowerBound - first.old.upperBound) < Self.longestDoubt else { return }
    let ends = [first.old.upperBound, second.old.lowerBound].map { Int(($0 / SoundPrint.step).rounded()) }
    let (begin, end) = (
      Int(first.old.lowerBound / SoundPrint.step), Int(second.old.upperBound / SoundPrint.step)
    )
    // Either edge may be too far inside as well as outside.
    let range = max(begin, min(ends[0], ends[1]) - Self.edgeDoubt)..<min(end, max(ends[0], ends[1]) + Self.edgeDoubt)
    let offsets = [first, second].map { ($0.new - $0.old.lowerBound) / SoundPrint.step }
    let gain = gain(begin..<ends[0], Int(offsets[0].rounded())) ?? 0
    let most = alike * unlike
    var (best, score, meeting) = (0.0, 0.0, range.lowerBound)
    for moment in range {
      let differences = offsets.map { min(most, difference(at: moment, $0, gain)?.size ?? most) }
      // Positive while the first fits better.
      score += differences[1] - differences[0]
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
  /// In levels: a second.
  private static let edgeDoubt = 34

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

  /// Goes outwards as long as more levels agree than do not.
  private func edge(from begin: Int, _ offset: Double, _ gain: Double, by step: Int) -> Int {
    var (score, best, edge) = (0.0, -Double.infinity, begin)
    for distance in 0...2 * edgeDepth {
      let index = begin + step * distance
      guard let difference = difference(at: index, offset, gain) else { continue }
      score += 1 - min(difference.size / (alike + perChange * difference.change), unlike)
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
