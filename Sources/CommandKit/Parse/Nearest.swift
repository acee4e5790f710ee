/// The candidates nearest to a mistyped word: those within one to three edits, else those that begin with it. One letter
/// alone may be anything.
package func nearest(to word: String, among candidates: [String]) -> [String] {
  let typed = Array(word.lowercased())
  let limit = typed.count <= 1 ? 0 : typed.count <= 3 ? 1 : typed.count <= 7 ? 2 : 3
  let ranked = candidates.map { candidate -> (word: String, distance: Int) in
    // One that is longer or shorter by more letters cannot be within the limit, however long it is.
    let meant = Array(candidate.lowercased().prefix(typed.count + limit + 1))
    let isWithin = abs(meant.count - typed.count) <= limit
    return (candidate, isWithin ? slips(from: typed, to: meant) : .max)
  }
  if let best = ranked.map(\.distance).min(), best <= limit {
    return Array(ranked.filter { $0.distance == best }.map(\.word).prefix(3))
  }
  guard typed.count > 1 else { return [] }
  return Array(candidates.filter { $0.lowercased().hasPrefix(word.lowercased()) }.prefix(3))
}

/// The edit distance (optimal string alignment): letters left out, added, replaced, or swapped with a neighbour.
private func slips(from typed: [Character], to meant: [Character]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...meant.count)
  for (row, letter) in typed.enumerated() {
    var current = [row + 1]
    for (column, wanted) in meant.enumerated() {
      var cost = min(last[column] + (letter == wanted ? 0 : 1), last[column + 1] + 1, current[column] + 1)
      if row > 0, column > 0, letter == meant[column - 1], typed[row - 1] == wanted {
        cost = min(cost, beforeLast[column - 1] + 1)
      }
      current.append(cost)
    }
    (beforeLast, last) = (last, current)
  }
  return last[meant.count]
}
