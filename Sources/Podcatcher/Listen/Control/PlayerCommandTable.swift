private import Playback
private import PodcastModel

/// Every control word: keys, commands and the socket have theirs from here, with the name that the desktop bus has for it.
/// A new one is a case of `PlayerCommand`, a line here, and its handler in `Listener`.
package enum PlayerCommandTable {
  /// In the order of the help on keys.
  package static let words: [ControlWord] = [
    ControlWord("pause", summary: "pause what plays", mpris: "Pause") { _ in .command(.pause) },
    ControlWord("play", mpris: "Play") { _ in .command(.play) },
    ControlWord(
      "toggle", keys: ["space": ""], help: ["space": "pause, and go on"], summary: "pause, or go on",
      mpris: "PlayPause"
    ) { _ in .command(.toggle) },
    ControlWord(
      "seek", [time(isRequired: true)], keys: ["left": "-10", "right": "+30", "up": "+60", "down": "-60"],
      help: ["left, right": "10 seconds back, 30 seconds on", "up, down": "a minute on, a minute back"],
      summary: "go to a time, or so far on or back", mpris: "Seek"
    ) { texts in TimeExpression(texts[0]).map { .command(.seek($0)) } },
    ControlWord(
      "chapter",
      [
        ControlWord.Argument(
          "NUMBER", isRequired: false, isSigned: true, expectation: "a chapter's number, or +1 or -1",
          accepts: { PlayerCommand.ChapterChange($0) != nil })
      ], keys: [",": "-1", ".": "+1"], help: [", .": "the chapter before, the next chapter"],
      summary: "go to a chapter, or to the next one"
    ) { texts in PlayerCommand.ChapterChange(texts.first ?? "+1").map { .command(.chapter($0)) } },
    ControlWord(
      "speed", [number("X", Sound.speeds, "a number from 0.5 to 5, or with a sign a step")],
      keys: ["[": "-0.1", "]": "+0.1", "=": "1"], help: ["[ ] =": "slower, faster, normal speed"],
      summary: "play so many times as fast", mpris: "Rate"
    ) { texts in PlayerCommand.Change(texts[0], in: Sound.speeds).map { .command(.speed($0)) } },
    ControlWord(
      "volume", [number("PERCENT", Sound.volumes, "a number from 0 to 200, or with a sign a step")],
      keys: ["-": "-5", "+": "+5"], help: ["- +": "softer, louder"], summary: "set the volume", mpris: "Volume"
    ) { texts in PlayerCommand.Change(texts[0], in: Sound.volumes).map { .command(.volume($0)) } },
    ControlWord(
      "trim", [choice("LEVEL", Sound.Trim.allCases.map(\.rawValue))], keys: ["t": ""],
      help: ["t": "shorten silence: mild, medium, max, off"],
      summary: "shorten silence more or less"
    ) { texts in .command(.trim(texts.first.flatMap { Sound.Trim(rawValue: $0) }.map { .to($0) } ?? .next)) },
    ControlWord(
      "boost", [choice("STATE", ["on", "off"])], keys: ["b": ""], help: ["b": "even out the voices, or not"],
      summary: "even out the voices, or not"
    ) { texts in .command(.boost(texts.first.map { .to($0 == "on") } ?? .next)) },
    ControlWord(
      "bookmark",
      [
        ControlWord.Argument("NOTE", member: "note", isRequired: false, expectation: "a text", accepts: { _ in true })
      ], keys: ["m": ""], help: ["m": "bookmark this position"]
    ) { texts in .command(.bookmark(note: texts.first)) },
    ControlWord(
      "skip-start", keys: ["{": ""], help: ["{ }": "the beginning and the end of what to skip next time"],
      isOnSocket: false
    ) { _ in .command(.skipStart) },
    ControlWord("skip-end", keys: ["}": ""], isOnSocket: false) { _ in .command(.skipEnd) },
    ControlWord(
      "next", keys: ["n": ""], help: ["n p": "the next episode, the one before"], summary: "play the next episode",
      mpris: "Next"
    ) { _ in .command(.next) },
    ControlWord("previous", keys: ["p": ""], summary: "play the episode before", mpris: "Previous") { _ in
      .command(.previous)
    },
    ControlWord(
      "sleep",
      [
        ControlWord.Argument(
          "WHEN", isRequired: false, expectation: "30m, chapter, episode, 3ep or off",
          choices: ["15m", "30m", "60m", "chapter", "episode", "3ep", "off"], accepts: { sleepChoice($0) != nil })
      ], keys: ["s": ""], help: ["s": "sleep timer: 15, 30, 60 minutes, chapter, episode, off"],
      summary: "set the sleep timer"
    ) { texts in
      guard let text = texts.first else { return .command(.sleep(.next)) }
      return sleepChoice(text).map { .command(.sleep($0)) }
    },
    ControlWord("chapters", keys: ["c": ""], help: ["c": "show the chapters"], isOnSocket: false) { _ in
      .command(.showChapters)
    },
    ControlWord("notes", keys: ["i": ""], help: ["i": "show the notes"], isOnSocket: false) { _ in
      .command(.showNotes)
    },
    ControlWord(
      "open",
      [
        ControlWord.Argument(
          "NUMBER", member: "episode", expectation: "an episode's number, the first column of every list",
          accepts: { Int64($0) != nil }), time(isRequired: false),
      ], summary: "play another episode in the player that runs"
    ) { texts in
      Int64(texts[0]).map { id in
        .command(.open(EpisodeID(rawValue: id), at: texts.dropFirst().first.flatMap { TimeExpression($0) }))
      }
    },
    ControlWord(
      "stop", keys: ["q": ""], help: ["q": "stop; the position is kept"],
      summary: "stop the player; the position is kept",
      mpris: "Stop"
    ) { _ in .command(.stop) },
    ControlWord("status") { _ in .status },
    ControlWord(
      "watch",
      [
        ControlWord.Argument(
          "SECONDS", member: "every", isRequired: false, expectation: "0 for changes only, or from 0.1 to 3600 seconds",
          accepts: { interval($0) != nil })
      ]
    ) { texts in interval(texts.first ?? "0").map { .watch(every: $0) } },
  ]

  /// The key of that name, with what it sends.
  package static func key(named name: String) -> ControlWord.Key? {
    words.lazy.flatMap(\.keys).first { $0.name == name }
  }

  // MARK: Arguments

  private static func time(isRequired: Bool) -> ControlWord.Argument {
    ControlWord.Argument(
      "TIME", isRequired: isRequired, isSigned: true, expectation: "a time such as 41:07, 90s, 50%, +30 or -1m",
      accepts: { TimeExpression($0) != nil })
  }

  private static func number(
    _ name: String, _ range: ClosedRange<Double>, _ expectation: String
  ) -> ControlWord.Argument {
    ControlWord.Argument(
      name, isSigned: true, expectation: expectation, accepts: { PlayerCommand.Change($0, in: range) != nil })
  }

  /// The first `joined` of a process takes 130,000 instructions; a page of help needs no other.
  private static func choice(_ name: String, _ words: [String]) -> ControlWord.Argument {
    ControlWord.Argument(
      name, isRequired: false, expectation: words.dropFirst().reduce(into: words[0]) { $0 += ", " + $1 },
      choices: words,
      accepts: { words.contains($0) })
  }

  private static func sleepChoice(_ text: String) -> PlayerCommand.Choice<SleepTimer.Mode?>? {
    text == "off" ? .to(nil) : SleepTimer.Mode(text).map { .to($0) }
  }

  private static func interval(_ text: String) -> Duration? {
    guard let seconds = Double(text), seconds == 0 || (0.1...3600).contains(seconds) else { return nil }
    return .milliseconds(Int64(seconds * 1000))
  }
}
