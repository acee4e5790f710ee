/// Leads from a position in one rendition to the same moment in another. Pure; all times are in seconds.
struct RenditionMap: Hashable, Sendable {
  /// A stretch that both have.
  struct Piece: Hashable, Sendable {
    var old: Range<Double>
    /// Where it begins in the new one.
    var new: Double

    var length: Double { old.upperBound - old.lowerBound }
    var newEnd: Double { new + length }
    var offset: Double { new - old.lowerBound }
  }

  /// They rise in both renditions.
  private(set) var pieces: [Piece] = []
  /// The stretches of the old rendition that are known.
  private let old: [Range<Double>]
  /// Up to where the new one is known.
  private let newEnd: Double
  /// How much both have, as a part of what is known of the shorter one.
  let share: Double

  /// Adverts are not longer: what lies so far from a shared stretch is another show.
  private static let longestBreak = 600.0
  /// A show shares that much with itself, and less with another show that has the same adverts.
  private static let leastShare = 0.5
  private static let longestDamage = 5.0
  private static let equalOffset = 0.03

  init(_ pieces: [Piece], oldHas old: [Range<Double>], newHas new: [Range<Double>]) {
    self.old = old
    newEnd = new.map(\.upperBound).max() ?? 0
    let length = { (ranges: [Range<Double>]) in ranges.reduce(0) { $0 + $1.upperBound - $1.lowerBound } }
    let known = min(length(old), length(new))
    share = known > 0 ? length(pieces.map(\.old)) / known : 0
    for piece in pieces { add(piece) }
  }

  /// Nil for renditions that have too little in common.
  var ofOneShow: RenditionMap? { share >= Self.leastShare ? self : nil }

  /// The heaviest chain of stretches that rises in both renditions: the show. They may overlap a little, by chance.
  static func rising(_ found: [Piece]) -> [Piece] {
    let longest = found.sorted { $0.length > $1.length }.prefix(mostPieces)
    let pieces = longest.sorted { ($0.old.lowerBound, $0.new) < ($1.old.lowerBound, $1.new) }
    var best: [(weight: Double, before: Int?)] = []
    for piece in pieces {
      var choice: (weight: Double, before: Int?) = (piece.length, nil)
      for (index, earlier) in pieces[..<best.count].enumerated() {
        let overlap = max(earlier.old.upperBound - piece.old.lowerBound, earlier.newEnd - piece.new, 0)
        let weight = best[index].weight + piece.length - overlap
        guard overlap <= longestOverlap, overlap < piece.length, weight > choice.weight else { continue }
        choice = (weight, index)
      }
      best.append(choice)
    }
    var chain: [Piece] = []
    var index = best.indices.max { best[$0].weight < best[$1].weight }
    while let current = index {
      chain.append(pieces[current])
      index = best[current].before
    }
    return chain.reversed()
  }

  private static let mostPieces = 1000
  private static let longestOverlap = 4.0

  /// Frames at a joint may differ, and nothing is missing there.
  private mutating func add(_ piece: Piece) {
    guard let last = pieces.last else { return pieces.append(piece) }
    let isContinued = abs(piece.offset - last.offset) < Self.equalOffset
    if isContinued, piece.old.lowerBound - last.old.upperBound < Self.longestDamage {
      pieces[pieces.count - 1].old = last.old.lowerBound..<max(last.old.upperBound, piece.old.upperBound)
    } else {
      pieces.append(piece)
    }
  }

  /// A moment inside an advert that is gone leads to where the show goes on: all between is known, and none of it is shared.
  /// Nil where nothing is known; but in a gap of what is known of the old rendition, nothing came or went if both its sides
  /// have moved alike.
  func position(of moment: Double) -> Double? {
    let next = pieces.firstIndex { $0.old.lowerBound > moment } ?? pieces.count
    let before = next > 0 ? pieces[next - 1] : nil
    if let before, moment < before.old.upperBound || isAtTheEnd(moment, before) {
      return before.new + moment - before.old.lowerBound
    }
    guard isKnown(moment) else {
      guard let before, next < pieces.count, abs(pieces[next].offset - before.offset) < Self.equalOffset else {
        return nil
      }
      return moment + before.offset
    }
    guard next == pieces.count else { return isBreak(moment, pieces[next].old.lowerBound) ? pieces[next].new : nil }
    // Of a file that was cut off the rest is not known.
    guard let before, newEnd - before.newEnd > 1, isBreak(before.old.upperBound, moment) else { return nil }
    return before.newEnd
  }

  /// Whether `position(of:)` can lead anywhere from a moment of a rendition of which these stretches are known: it lies in
  /// one of them or between two.
  static func mayLead(from moment: Double, known: [Range<Double>]) -> Bool {
    known.contains { $0.lowerBound - longestDamage < moment }
      && known.contains { moment < $0.upperBound + longestDamage }
  }

  /// Whether the old rendition is known all the way from one moment to the other, which is no longer than adverts are.
  private func isBreak(_ start: Double, _ end: Double) -> Bool {
    guard end - start <= Self.longestBreak else { return false }
    var known = start
    for range in old where range.lowerBound - known < Self.longestDamage { known = max(known, range.upperBound) }
    return known + Self.longestDamage > end
  }

  private func isKnown(_ moment: Double) -> Bool {
    old.contains { $0.lowerBound - Self.longestDamage < moment && moment < $0.upperBound + Self.longestDamage }
  }

  /// Whether no more is known of the old rendition from there on.
  private func isAtTheEnd(_ moment: Double, _ piece: Piece) -> Bool {
    guard let known = old.last(where: { $0.lowerBound < piece.old.upperBound }) else { return false }
    return known.upperBound - piece.old.upperBound < 0.1 && moment - known.upperBound < Self.longestDamage
      && !old.contains { $0.contains(moment) }
  }

  /// Whether the moment itself is in both.
  func has(_ moment: Double) -> Bool {
    pieces.contains { $0.old.contains(moment) || isAtTheEnd(moment, $0) && moment >= $0.old.upperBound }
  }
}
