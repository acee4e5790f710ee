import CommandKit
import Playback
import Podcatcher

/// What `play` and `resume` share.
enum PlayOptions {
  static let paused = Flag("paused", help: "get ready, and wait for a key")
  static let speed = Option<Double>("speed", value: "X", kind: .decimal(in: Sound.speeds), help: "play X times as fast")
  static let volume = Option<Double>(
    "volume", value: "N", kind: .decimal(in: Sound.volumes), help: "the volume, in percent")
  static let trim = Option<Sound.Trim>("trim", value: "LEVEL", kind: .choice, help: "speed through silence")
  static let boost = Flag("boost", help: "even out quiet and loud voices")
  static let noSave = Flag("no-save", help: "keep no place")
  static let noQueue = Flag("no-queue", help: "stop after this episode")
  static let sleep = Option<SleepTimer.Mode>(
    "sleep", value: "WHEN", help: "stop after a time, a chapter or episodes: 30m, chapter, episode, 3ep",
    parse: { text throws(BadValue) in SleepTimer.Mode(text) })
  static let until = Option<TimeExpression>(
    "until", value: "TIME", help: "stop at this place", parse: { text throws(BadValue) in TimeExpression(text) })

  static let all: [any OptionKey] = [paused, speed, trim, boost, volume, until, sleep, noSave, noQueue]

  static func read(_ invocation: Invocation) -> PlaySession.Options {
    var options = PlaySession.Options()
    options.isPaused = invocation[paused]
    options.speed = invocation[speed]
    options.volume = invocation[volume]
    options.trim = invocation[trim]
    options.boost = invocation[boost] ? true : nil
    options.sleep = invocation[sleep]
    options.until = invocation[until]
    options.hasAutoplay = !invocation[noQueue]
    options.savesPosition = !invocation[noSave]
    return options
  }
}
