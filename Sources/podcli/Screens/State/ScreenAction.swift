/// The effect of a key on the screen itself; the player's keys send control words.
enum ScreenAction: Hashable, Sendable {
  case page(ScreenPage), nextPage
  case move(Int), screenUp, screenDown, top, bottom
  case open, back
  case queueEnd, queueNext, markPlayed, markFavourite, download, undo, refresh, refreshAll
  /// In the queue an episode, elsewhere the side.
  case moveDown, moveUp
  case openLink, copyLink, filter, palette
  case tie, chapters, notes
  case redraw, suspend, leave, stopAndLeave
  case control([String])
}

/// A line of the table of keys: with it the keys are found, the hints and the palette are made.
struct ScreenKey: Sendable {
  /// As `Key.name` has them.
  let keys: [String]
  /// As the palette writes them.
  let label: String
  private let text: String?
  /// A word or two for the last line; most keys have none.
  var hint: String?
  /// The palette has it.
  let isOffered: Bool
  let action: ScreenAction
  let isValid: @Sendable (ScreenState) -> Bool

  var meaning: String { text ?? ScreenKeys.meanings[keys[0]] ?? label }

  /// `keys` has blanks between them. Without a meaning it is the one that the player's table gives the key.
  init(
    _ keys: String, label: String? = nil, _ meaning: String? = nil, hint: String? = nil, isOffered: Bool = true,
    _ action: ScreenAction, when isValid: @escaping @Sendable (ScreenState) -> Bool = { _ in true }
  ) {
    self.keys = keys.utf8.split(separator: 0x20).map { String(Substring($0)) }
    self.label = label ?? keys
    text = meaning
    self.hint = hint
    self.isOffered = isOffered
    self.action = action
    self.isValid = isValid
  }
}
