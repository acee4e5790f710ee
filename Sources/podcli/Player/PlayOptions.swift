import CommandKit
import Podcatcher

/// The options of `play` and `resume`, and the episode of `play`.
enum PlayOptions {
  /// Of `play` alone.
  static let episode = OptionalArgument(
    "EPISODE", kind: .dynamic("episode"),
    help: "what to play; `-` reads it from standard input; without it the player goes on that is paused")

  static let paused = Flag("paused", help: "get ready, and wait for a key")
  static let speed = Option<Double>(
    "speed", value: "X", kind: .decimal(in: SettingKeys.speeds), help: "play X times as fast")
  static let volume = Option<Double>(
    "volume", value: "N", kind: .decimal(in: SettingKeys.volumes), help: "the volume, in percent")
  static let trim = Option<String>(
    "trim", value: "LEVEL", kind: .choice(SettingKeys.trimLevels.map { Choice($0) }), help: "shorten silence")
  static let boost = Flag("boost", help: "even out quiet and loud voices")
  static let noSave = Flag("no-save", help: "keep no position")
  static let noQueue = Flag("no-queue", help: "stop after this episode")
  static let sleep = Option<SleepTimer.Mode>(
    "sleep", value: "WHEN",
    kind: ValueKind(expectation: "30m, chapter, episode or 3ep") { text throws(BadValue) in SleepTimer.Mode(text) },
    help: "stop after a time, a chapter or episodes: 30m, chapter, episode, 3ep")
  static let until = Option<TimeExpression>(
    "until", value: "TIME", kind: .time, help: "stop at this position: 41:07, 90s or 50%")

  static let detach = Flag("detach", help: "play in the background; podcli attach shows it, podcli stop ends it")
  /// Of the process that plays in the background: where its episode begins.
  static let background = Option<Listener.Start>(
    "background", value: "START", help: "as podcli starts itself", isHidden: true,
    parse: { text throws(BadValue) in Listener.Start(word: text) })

  /// Those that hold wherever it plays.
  static let playing: [any OptionKey] = [paused, speed, trim, boost, volume, until, sleep, noSave, noQueue]
  static let all = playing + [detach, background]

  /// Of one playing; `--until` is about its first episode alone.
  static func read(_ invocation: Invocation) -> PlayJourney.Options {
    var options = PlayJourney.Options(version: Program.podcli.version) { Failure($0).json }
    options.isDetached = invocation[background] != nil
    options.isPaused = invocation[paused]
    options.settings.setFlag(SettingKeys.speed, to: invocation[speed])
    options.settings.setFlag(SettingKeys.trim, toText: invocation[trim])
    options.settings.setFlag(SettingKeys.boost, to: invocation[boost] ? true : nil)
    options.settings.setFlag(SettingKeys.autoplay, to: invocation[noQueue] ? .off : nil)
    options.volume = invocation[volume]
    options.sleep = invocation[sleep]
    options.savesPosition = !invocation[noSave]
    options.texts = .podcli
    return options
  }
}
