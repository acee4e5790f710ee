/// A key with its modifiers.
package struct Key: Hashable, Sendable {
  package enum Code: Hashable, Sendable {
    case character(Character)
    case enter, escape, tab, backspace, delete, insert
    case up, down, left, right, home, end, pageUp, pageDown
    case function(Int)
  }

  /// Shift is part of a typed character, and apart only with the other keys.
  package struct Modifiers: OptionSet, Hashable, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }
    package static let shift = Modifiers(rawValue: 1)
    package static let alt = Modifiers(rawValue: 2)
    package static let control = Modifiers(rawValue: 4)
  }

  package var code: Code
  package var modifiers: Modifiers

  package init(_ code: Code, _ modifiers: Modifiers = []) {
    self.code = code
    self.modifiers = modifiers
  }

  package static func character(_ character: Character) -> Key { Key(.character(character)) }

  /// `space`, `up`, `shift-left`, `^u`, or the character itself: the name in tables of keys.
  package var name: String {
    let base =
      switch code {
      case .character(" "): "space"
      case .character(let character): String(character)
      case .function(let number): "f\(number)"
      default: "\(code)"
      }
    if modifiers.contains(.control) { return "^" + base }
    if modifiers.contains(.alt) { return "alt-" + base }
    return modifiers.contains(.shift) ? "shift-" + base : base
  }
}

/// A report of the mouse.
package struct Mouse: Hashable, Sendable {
  package enum Action: Hashable, Sendable { case press, release, wheelUp, wheelDown }

  package var action: Action
  /// Where the pointer is.
  package var point: Point
}

/// One thing that came from the terminal.
package enum Input: Hashable, Sendable {
  case key(Key)
  /// Pasted text, line breaks and all.
  case paste(String)
  case mouse(Mouse)
  case focus(Bool)
  /// The terminal's answer to the query for its device attributes.
  case attributes([Int])
}
