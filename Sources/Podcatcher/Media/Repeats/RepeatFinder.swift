internal import PodcastStore

/// Finds the stretches of an episode that other episodes of its podcast have, too, by their sound. Pure.
///
/// Each pair of episodes shares some. Where those of several pairs begin or end together, there begins or ends a repeat.
struct RepeatFinder {
  private let seconds: Double
  /// For each other episode what it shares, in order.
  private let shared: [[Range<Double>]]

  /// In seconds: what is shorter may be chance, and is hardly worth a rule.
  private static let shortest = 5.0
  /// The longest; beyond it a part of a show is heard once more.
  private static let longest = 300.0
  /// Edges that lie so near each other are one.
  private static let tolerance = 0.8
  /// Of a pair: no show shares more with another.
  private static let mostPieces = 1000
  /// Other sound of that length amid a stretch does not end it.
  private static let longestDamage = 3.0

  /// Those of `others` that are the same show once more do not count.
  init(in print: SoundPrint, others: [SoundPrint]) {
    let shared = others.compactMap { other -> [Range<Double>]? in
      let pieces = SoundAlignment.shared(print, other).sorted { $0.length > $1.length }
      let ranges = Self.ranges(of: pieces.prefix(Self.mostPieces))
      return Self.isSameShow(ranges, min(print.seconds, other.seconds)) ? nil : ranges
    }
    self.init(seconds: print.seconds, shared: shared)
  }

  init(seconds: Double, shared: [[Range<Double>]]) {
    self.seconds = seconds
    self.shared = shared
  }

  /// In order, without overlaps.
  var repeats: [Repeat] {
    let stretches = stretches()
    return stretches.map { stretch in
      let range =
        Duration(roundedSeconds: stretch.range.lowerBound)..<Duration(roundedSeconds: stretch.range.upperBound)
      return Repeat(range, kind(of: stretch, among: stretches), count: stretch.count, of: shared.count)
    }
  }

  // MARK: A pair

  private static func ranges(of pieces: some Sequence<RenditionMap.Piece>) -> [Range<Double>] {
    var (ranges, offset) = ([Range<Double>](), 0.0)
    for piece in pieces.sorted(by: { $0.old.lowerBound < $1.old.lowerBound }) {
      let isContinued = abs(piece.new - piece.old.lowerBound - offset) < 0.1
      offset = piece.new - piece.old.lowerBound
      if let last = ranges.last, isContinued, piece.old.lowerBound <= last.upperBound + longestDamage {
        ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, piece.old.upperBound)
      } else {
        ranges.append(piece.old)
      }
    }
    return ranges
  }

  /// A show that is published again, or a copy. Short episodes may be intro and outro for the most part.
  private static func isSameShow(_ ranges: [Range<Double>], _ shorter: Double) -> Bool {
    let share = ranges.reduce(0) { $0 + $1.length } / max(shorter, 1)
    return share > 0.8 || share > 0.5 && ranges.contains { $0.length > 90 }
  }

  // MARK: All pairs

  private struct Stretch {
    var range: Range<Double>
    var episodes: [Int]

    var count: Int { episodes.count }
  }

  private func stretches() -> [Stretch] {
    let edges = edges()
    var found: [Stretch] = []
    for (start, end) in zip(edges, edges.dropFirst()) {
      let episodes = shared.indices.filter { has(start..<end, shared[$0]) }
      guard !episodes.isEmpty else { continue }
      if let last = found.last, last.episodes == episodes, start - last.range.upperBound < Self.longestDamage,
        episodes.count(where: { goesOn(at: start, shared[$0]) }) * 2 > episodes.count
      {
        found[found.count - 1].range = last.range.lowerBound..<end
      } else if end - start >= Self.shortest {
        found.append(Stretch(range: start..<end, episodes: episodes))
      }
    }
    return withoutOverlaps(found.map(refined)).filter { $0.range.length <= Self.longest }
  }

  /// Each edge is moved on its own: neighbours may overlap then.
  private func withoutOverlaps(_ stretches: [Stretch]) -> [Stretch] {
    var (apart, end) = ([Stretch](), 0.0)
    for var stretch in stretches {
      let range = stretch.range
      stretch.range = max(end, range.lowerBound)..<max(end, range.upperBound)
      guard stretch.range.length > Self.tolerance else { continue }
      apart.append(stretch)
      end = stretch.range.upperBound
    }
    return apart
  }

  /// One pair in ten is a second or more off at an edge, hardly ever most of them.
  private func refined(_ stretch: Stretch) -> Stretch {
    let ranges = stretch.episodes.compactMap { index in
      shared[index].max { $0.clamped(to: stretch.range).length < $1.clamped(to: stretch.range).length }
    }
    func middle(_ edges: [Double], _ edge: Double, _ isStart: Bool) -> Double {
      let near = edges.filter { abs($0 - edge) < Self.shortest }.sorted()
      return near.isEmpty ? edge : near[isStart ? near.count / 2 : (near.count - 1) / 2]
    }
    var refined = stretch
    let start = middle(ranges.map(\.lowerBound), stretch.range.lowerBound, true)
    let end = middle(ranges.map(\.upperBound), stretch.range.upperBound, false)
    // The middle start and the middle end may be of two ranges that hardly meet.
    if end - start >= Self.shortest { refined.range = start..<end }
    return refined
  }

  /// Outro and advert may follow each other in every episode, and yet are two.
  private func goesOn(at edge: Double, _ ranges: [Range<Double>]) -> Bool {
    ranges.contains { $0.lowerBound < edge - Self.tolerance && edge + Self.tolerance < $0.upperBound }
  }

  /// Most of it.
  private func has(_ range: Range<Double>, _ ranges: [Range<Double>]) -> Bool {
    ranges.reduce(0) { $0 + $1.clamped(to: range).length } > range.length / 2
  }

  /// Beside a stretch two episodes may be alike by chance, hardly more of them: of several starts or ends a middle one is
  /// right, and the inner one of two.
  private func edges() -> [Double] {
    let all = shared.joined().flatMap { [($0.lowerBound, isStart: true), ($0.upperBound, isStart: false)] }
    var clusters: [[(Double, isStart: Bool)]] = []
    for edge in all.sorted(by: { $0.0 < $1.0 }) {
      if let last = clusters.last?.last, edge.0 - last.0 <= Self.tolerance {
        clusters[clusters.count - 1].append(edge)
      } else {
        clusters.append([edge])
      }
    }
    return clusters.map { cluster in
      let isStart = cluster.count(where: \.isStart) * 2 > cluster.count
      return cluster[isStart ? cluster.count / 2 : (cluster.count - 1) / 2].0
    }
  }

  // MARK: Kinds

  private func kind(of stretch: Stretch, among all: [Stretch]) -> Repeat.Kind {
    let part = min(Self.longest, seconds / 4)
    if isCommon(stretch, all, where: { $0.lowerBound < part }) { return .intro }
    return isCommon(stretch, all) { [seconds] in $0.upperBound > seconds - part } ? .outro : .inserted
  }

  /// Most episodes have it, and nearly as many as any other stretch of that part.
  private func isCommon(_ stretch: Stretch, _ all: [Stretch], where isThere: (Range<Double>) -> Bool) -> Bool {
    let most = all.filter { isThere($0.range) }.map(\.count).max() ?? 0
    return isThere(stretch.range) && stretch.count * 5 >= most * 4 && stretch.count * 2 > shared.count
  }
}

extension Range<Double> {
  fileprivate var length: Double { upperBound - lowerBound }
}
