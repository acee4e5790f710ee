import Podcatcher
import ScreenKit

/// The keys while an episode plays: those of the control words, and `?`.
enum PlayingKeys {
  static let help = Key.character("?")

  /// The lines that `?` and the manual show.
  static let lines: [(names: String, meaning: String)] =
    PlayerCommandTable.words.flatMap(\.help).map { ($0.keys, $0.meaning) } + [("?", "show the keys")]

  static var helpText: String {
    lines.map { "  " + DisplayWidth.column($0.names, 12) + $0.meaning }.joined(separator: "\n")
  }
}
