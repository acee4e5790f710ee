import CommandKit

/// The titles, or the words of titles, that a mistyped name may stand for.
enum NearTitles {
  static func near(_ typed: String, _ titles: [String]) -> [String] {
    let whole = nearest(to: typed, among: titles)
    guard whole.isEmpty else { return whole }
    let titleWords = titles.map { Set($0.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)) }
    let words = titleWords.reduce(into: Set<String>()) { $0.formUnion($1) }.sorted()
    var corrected: [[String]] = []
    for word in typed.split(separator: " ") {
      let near = nearest(to: String(word), among: words)
      if near.isEmpty { return [] }
      corrected.append(near)
    }
    if corrected.isEmpty { return [] }
    if corrected.count == 1 { return corrected[0] }
    let first = corrected.map { $0[0] }
    return titleWords.contains { $0.isSuperset(of: first) } ? [first.joined(separator: " ")] : []
  }
}
