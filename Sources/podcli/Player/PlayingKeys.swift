import Podcatcher
import ScreenKit

/// The keys while an episode plays: those of the control words, and `?`.
enum PlayingKeys {
  static let help = Key.character("?")

  /// The lines that `?` and the manual show.
  static let lines: [(names: String, meaning: String)] =
    PlayerCommandTable.words.flatMap(\.help).map { ($0.keys, $0.meaning) } + [("?", "show the keys")]

  /// `leaving`: the meaning of `q` where it is another one.
  static func helpText(leaving: String? = nil) -> String {
    lines.map { line in
      "  " + DisplayWidth.column(line.names, 12) + (line.names == "q" ? leaving ?? line.meaning : line.meaning)
    }.joined(separator: "\n")
  }
}
