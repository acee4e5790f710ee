/// A control word: the name of a player command, its argument, and the keys that send it.
package struct ControlWord: Sendable {
  /// In small letters, with dashes.
  package let word: String
  /// The argument of the word, as help writes it.
  package let argument: String?
  /// Empty for a word that no key sends.
  package let keys: [Key]
  /// Empty where another word's line explains its keys.
  package let help: [HelpLine]

  /// A key, and the command that it sends.
  package struct Key: Sendable {
    /// `space`, `left`, or the character itself.
    package let name: String
    /// Sent at each press.
    package let command: PlayerCommand
  }

  /// A line of the help on keys. A line that is about two words stands with the first.
  package struct HelpLine: Sendable {
    /// As they are printed on the keyboard.
    package let keys: String
    /// The effect of each, in their order.
    package let meaning: String
  }

  init(
    _ word: String, argument: String? = nil, keys: KeyValuePairs<String, PlayerCommand> = [:],
    help: KeyValuePairs<String, String> = [:]
  ) {
    self.word = word
    self.argument = argument
    self.keys = keys.map { Key(name: $0.key, command: $0.value) }
    self.help = help.map { HelpLine(keys: $0.key, meaning: $0.value) }
  }
}

/// Every control word. A new one is a case of `PlayerCommand`, a line here, and its handler in `Listener.perform`.
package enum PlayerCommandTable {
  /// In the order of the help on keys.
  package static let words: [ControlWord] = [
    ControlWord("pause"),
    ControlWord("play"),
    ControlWord("toggle", keys: ["space": .toggle], help: ["space": "pause, and go on"]),
    ControlWord(
      "seek", argument: "TIME",
      keys: [
        "left": .seek(.relative(.seconds(-10))), "right": .seek(.relative(.seconds(30))),
        "up": .seek(.relative(.seconds(60))), "down": .seek(.relative(.seconds(-60))),
      ], help: ["left, right": "10 seconds back, 30 seconds on", "up, down": "a minute on, a minute back"]),
    ControlWord(
      "chapter", argument: "COUNT", keys: [",": .chapter(-1), ".": .chapter(1)],
      help: [", .": "the chapter before, the next chapter"]),
    ControlWord(
      "speed", argument: "X", keys: ["[": .speed(.by(-0.1)), "]": .speed(.by(0.1)), "=": .speed(.to(1))],
      help: ["[ ] =": "slower, faster, normal speed"]),
    ControlWord(
      "volume", argument: "PERCENT", keys: ["-": .volume(.by(-5)), "+": .volume(.by(5))],
      help: ["- +": "softer, louder"]),
    ControlWord(
      "trim", argument: "LEVEL", keys: ["t": .trim(.next)],
      help: ["t": "speed through silence: mild, medium, max, off"]),
    ControlWord("boost", argument: "on|off", keys: ["b": .boost(.next)], help: ["b": "even out the voices, or not"]),
    ControlWord("bookmark", argument: "NOTE", keys: ["m": .bookmark(note: nil)], help: ["m": "bookmark this place"]),
    ControlWord(
      "skip-start", keys: ["{": .skipStart], help: ["{ }": "the beginning and the end of what to skip next time"]),
    ControlWord("skip-end", keys: ["}": .skipEnd]),
    ControlWord("next", keys: ["n": .next], help: ["n p": "the next episode, the one before"]),
    ControlWord("previous", keys: ["p": .previous]),
    ControlWord(
      "sleep", argument: "WHEN", keys: ["s": .sleep(.next)],
      help: ["s": "sleep timer: 15, 30, 60 minutes, chapter, episode, off"]),
    ControlWord("chapters", keys: ["c": .showChapters], help: ["c": "show the chapters"]),
    ControlWord("notes", keys: ["i": .showNotes], help: ["i": "show the notes"]),
    ControlWord("stop", keys: ["q": .stop], help: ["q": "stop; the place is kept"]),
  ]

  /// The command that a key sends.
  package static func command(forKey name: String) -> PlayerCommand? {
    words.lazy.flatMap(\.keys).first { $0.name == name }?.command
  }
}
