import CommandKit

/// The titles, or the words of titles, that a mistyped name may stand for.
enum NearTitles {
  static func near(_ typed: String, _ titles: [String]) -> [String] {
    let whole = nearest(to: typed, among: titles)
    guard whole.isEmpty else { return whole }
    let words = Array(Set(titles.flatMap { $0.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init) }))
    let corrected = typed.split(separator: " ").map { nearest(to: String($0), among: words.sorted()) }
    guard !corrected.isEmpty, corrected.allSatisfy({ !$0.isEmpty }) else { return [] }
    return corrected.count == 1 ? corrected[0] : [corrected.map { $0[0] }.joined(separator: " ")]
  }
}
