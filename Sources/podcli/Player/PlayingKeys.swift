import Playback

/// The keys while an episode plays: one table for what they do, the help that `?` shows, and the manual.
enum PlayingKeys {
  enum Action: Sendable {
    case pause, next, previous, sleep, bookmark, skipFrom, skipTo, showChapters, showNotes, help, stop
    case seek(Duration)
    case chapter(Int)
    case change(@Sendable (inout Sound) -> Void)
  }

  struct Entry: Sendable {
    var keys: [(Key, Action)]
    var names: String
    var meaning: String
  }

  static let table: [Entry] = [
    Entry(keys: [(.character(" "), .pause)], names: "space", meaning: "pause, and go on"),
    Entry(
      keys: [(.left, .seek(.seconds(-10))), (.right, .seek(.seconds(30)))], names: "left, right",
      meaning: "10 seconds back, 30 seconds on"),
    Entry(
      keys: [(.up, .seek(.seconds(60))), (.down, .seek(.seconds(-60)))], names: "up, down",
      meaning: "a minute on, a minute back"),
    Entry(
      keys: [(.character(","), .chapter(-1)), (.character("."), .chapter(1))], names: ", .",
      meaning: "the chapter before, the next chapter"),
    Entry(
      keys: [
        (.character("["), .change { $0.speed = max(Sound.speeds.lowerBound, $0.speed - 0.1) }),
        (.character("]"), .change { $0.speed = min(Sound.speeds.upperBound, $0.speed + 0.1) }),
        (.character("="), .change { $0.speed = 1 }),
      ], names: "[ ] =", meaning: "slower, faster, normal speed"),
    Entry(
      keys: [
        (.character("-"), .change { $0.volume = max(Sound.volumes.lowerBound, $0.volume - 5) }),
        (.character("+"), .change { $0.volume = min(Sound.volumes.upperBound, $0.volume + 5) }),
      ], names: "- +", meaning: "softer, louder"),
    Entry(
      keys: [(.character("t"), .change { $0.trim = $0.trim.next })], names: "t",
      meaning: "speed through silence: mild, medium, max, off"),
    Entry(
      keys: [(.character("b"), .change { $0.boost.toggle() })], names: "b", meaning: "even out the voices, or not"),
    Entry(keys: [(.character("m"), .bookmark)], names: "m", meaning: "bookmark this place"),
    Entry(
      keys: [(.character("{"), .skipFrom), (.character("}"), .skipTo)], names: "{ }",
      meaning: "the beginning and the end of what to skip next time"),
    Entry(
      keys: [(.character("n"), .next), (.character("p"), .previous)], names: "n p",
      meaning: "the next episode, the one before"),
    Entry(
      keys: [(.character("s"), .sleep)], names: "s",
      meaning: "sleep timer: 15, 30, 60 minutes, chapter, episode, off"),
    Entry(keys: [(.character("c"), .showChapters)], names: "c", meaning: "show the chapters"),
    Entry(keys: [(.character("i"), .showNotes)], names: "i", meaning: "show the notes"),
    Entry(keys: [(.character("q"), .stop)], names: "q", meaning: "stop; the place is kept"),
    Entry(keys: [(.character("?"), .help)], names: "?", meaning: "show the keys"),
  ]

  static func action(for key: Key) -> Action? {
    table.lazy.flatMap(\.keys).first { $0.0 == key }?.1
  }

  static var help: String {
    table.map { "  " + DisplayWidth.column($0.names, 12) + $0.meaning }.joined(separator: "\n")
  }
}

extension Sound.Trim {
  /// The level after this one, and from the last to the first.
  fileprivate var next: Self {
    let all = Self.allCases
    guard let index = all.firstIndex(of: self), all.indices.contains(index + 1) else { return .off }
    return all[index + 1]
  }
}
