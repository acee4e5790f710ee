import CommandKit
import Podcatcher
import Text

/// The commands that control a player in another process, made from the table of control words. They open neither the
/// library nor a library of C.
enum ControlCommands {
  static var entries: [CommandEntry] { PlayerCommandTable.words.compactMap(entry) }

  static func entry(named name: String) -> CommandEntry? {
    PlayerCommandTable.words.first { $0.word == name }.flatMap(entry)
  }

  private static func entry(_ word: ControlWord) -> CommandEntry? { word.summary.map { entry(word, $0) } }

  private static func entry(_ word: ControlWord, _ summary: String) -> CommandEntry {
    let required = word.arguments.filter(\.isRequired).map { Argument($0.name, kind: kind($0), help: help($0)) }
    let optional = word.arguments.filter { !$0.isRequired }
      .map { OptionalArgument($0.name, kind: kind($0), help: help($0)) }
    return CommandEntry(
      command: Command(
        word.word, summary: summary,
        discussion: "In the podcli that plays from this library, whichever terminal it runs in, or in the background. "
          + "Prints the status after it; the exit status is 3 when nothing is playing."
          + (word.arguments.first?.isRequired == false
            ? " Without an argument it takes the next choice, as its key does." : "")
          + (word.word == "seek"
            ? " A step over the end ends the episode, and leaves a bookmark where you were if more than 30 seconds are skipped."
            : "")
          + (word.word == "sleep"
            ? " After a time the sound fades out; your position, and a bookmark, is where it began to fade, or the end of the chapter."
            : ""),
        arguments: required as [any ArgumentKey] + optional, examples: examples(of: word.word))
    ) { invocation, context throws(Failure) in
      try PlayerControl.send(
        [word.word] + required.map { invocation[$0] } + optional.compactMap { invocation[$0] }, context)
    }
  }

  private static func kind(_ argument: ControlWord.Argument) -> ValueKind<String> {
    ValueKind(
      expectation: argument.expectation,
      completion: argument.choices.isEmpty ? .none : .words(argument.choices.map { Choice($0) }),
      isSigned: argument.isSigned
    ) { text throws(BadValue) in argument.accepts(text) ? text : nil }
  }

  private static func help(_ argument: ControlWord.Argument) -> String {
    argument.choices.isEmpty ? argument.expectation : "which"
  }

  private static func examples(of word: String) -> [Example] {
    switch word {
    case "pause": [Example("podcli pause", "the telephone rings")]
    case "toggle": [Example("podcli toggle", "for a key of the desktop")]
    case "seek": [Example("podcli seek -10", "ten seconds back"), Example("podcli seek 41:07", "to a time")]
    case "chapter": [Example("podcli chapter -1", "the start of the chapter, or the one before")]
    case "speed": [Example("podcli speed +0.1", "a little faster"), Example("podcli speed 1.4", "that fast")]
    case "volume": [Example("podcli volume -5", "a little softer")]
    case "trim": [Example("podcli trim mild", "less silence")]
    case "boost": [Example("podcli boost on", "in the train")]
    case "sleep": [Example("podcli sleep 30m", "good night")]
    case "next": [Example("podcli next", "not this one")]
    case "previous": [Example("podcli previous", "the one before, after all")]
    case "open": [Example("podcli open 142 41:07", "that one, from there")]
    case "stop": [Example("podcli stop", "until tomorrow")]
    default: []
    }
  }
}
