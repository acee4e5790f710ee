/// A control word: the name of a player command, its arguments, the keys that send it, and its other names.
package struct ControlWord: Sendable {
  /// In small letters, with dashes: the name on the command line and in a request on the socket.
  package let word: String
  /// In their order, the optional ones last.
  package let arguments: [Argument]
  /// The effect, for the list of commands; nil for a word that has no command generated from this table.
  package let summary: String?
  /// The method or property of a player on the desktop bus (MPRIS) that stands for it.
  package let mpris: String?
  /// It is a request on the socket, too. Keys alone send the others: their answers are for the player's own terminal.
  package let isOnSocket: Bool
  private let make: @Sendable ([String]) -> PlayerRequest?
  private let bindings: KeyValuePairs<String, String>
  private let lines: KeyValuePairs<String, String>

  /// An argument of a control word.
  package struct Argument: Sendable {
    /// As help writes it.
    package let name: String
    /// The member of a request on the socket.
    package let member: String
    /// Left out it has a meaning of its own.
    package let isRequired: Bool
    /// It may begin with a dash.
    package let isSigned: Bool
    /// Ends the sentence "TIME must be …".
    package let expectation: String
    /// The words that it may be, where they can be listed.
    package let choices: [String]
    /// Whether a text is one of its values.
    package let accepts: @Sendable (String) -> Bool

    init(
      _ name: String, member: String = "to", isRequired: Bool = true, isSigned: Bool = false, expectation: String,
      choices: [String] = [], accepts: @escaping @Sendable (String) -> Bool
    ) {
      self.name = name
      self.member = member
      self.isRequired = isRequired
      self.isSigned = isSigned
      self.expectation = expectation
      self.choices = choices
      self.accepts = accepts
    }
  }

  /// A key, and the command that it sends.
  package struct Key: Sendable {
    /// `space`, `left`, or the character itself.
    package let name: String
    /// The control word with its argument, as a request on the socket has them.
    package let words: [String]
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

  /// `keys` have the argument that each sends, empty for none. `make` gets the texts that its arguments accept.
  init(
    _ word: String, _ arguments: [Argument] = [], keys: KeyValuePairs<String, String> = [:],
    help: KeyValuePairs<String, String> = [:], summary: String? = nil, mpris: String? = nil, isOnSocket: Bool = true,
    make: @escaping @Sendable ([String]) -> PlayerRequest?
  ) {
    self.word = word
    self.arguments = arguments
    self.summary = summary
    self.mpris = mpris
    self.isOnSocket = isOnSocket
    self.make = make
    (self.bindings, self.lines) = (keys, help)
  }

  /// The request that the word makes with these arguments. A missing one counts as left out.
  package func request(_ texts: [String]) throws(ControlError) -> PlayerRequest {
    for (argument, text) in zip(arguments, texts) where !argument.accepts(text) {
      throw .badArgument(word: word, name: argument.name, value: text, expectation: argument.expectation)
    }
    if let missing = arguments.dropFirst(texts.count).first, missing.isRequired {
      throw .missingArgument(word: word, name: missing.name, expectation: missing.expectation)
    }
    guard texts.count <= arguments.count, let request = make(texts) else { throw .notARequest }
    return request
  }
}

// Every command line has the words; made anew where they are asked for, keys and help cost its start nothing.
extension ControlWord {
  /// Empty for a word that no key sends.
  package var keys: [Key] {
    bindings.compactMap { name, argument in
      let texts = argument.isEmpty ? [] : [argument]
      guard case .command(let command)? = make(texts) else { return nil }
      return Key(name: name, words: [word] + texts, command: command)
    }
  }

  /// Empty where another word's line explains its keys.
  package var help: [HelpLine] { lines.map { HelpLine(keys: $0.key, meaning: $0.value) } }
}
