package import Playback
private import PodcastModel
package import PodcastStore
private import Text

/// The choice of the episode that plays when another has ended.
package enum Autoplay: String, CaseIterable, Sendable {
  /// The queue, then the next newer unplayed episode of the same podcast.
  case next
  case queue
  case off
}

/// How loud every episode is to be.
package enum Loudness: String, CaseIterable, Sendable {
  case usual = "-16"
  case loud = "-14"
  case off

  /// In LUFS.
  var target: Double? { Double(rawValue) }
}

/// The table of all settings, which reading, listing, help and completion follow.
package enum SettingKeys {
  enum Order: String, CaseIterable, Sendable { case newest, oldest }
  package enum Resume: String, CaseIterable, Sendable { case always, never }
  enum MediaKeys: String, CaseIterable, Sendable {
    /// 30 seconds on, 10 seconds back.
    case seek
    /// In an episode without chapters the same as `seek`.
    case chapter
    case episode
  }
  enum Headphones: String, CaseIterable, Sendable { case pause, ignore }
  enum KeepAwake: String, CaseIterable, Sendable { case on, idle, off }
  package enum Sync: String, CaseIterable, Sendable { case auto, manual }
  enum Wake: String, CaseIterable, Sendable {
    case stay
    case goOn = "go-on"
  }

  /// The speeds and volumes (in percent) that can be played.
  package static let speeds = Sound.speeds
  package static let volumes = Sound.volumes
  /// How much silence is shortened, from not at all to most.
  package static let trimLevels = Sound.Trim.allCases.map(\.rawValue)

  package static let speed = SettingKey("speed", .decimal(in: speeds), standard: 1, help: "how fast to play")
  package static let trim = SettingKey("trim", SettingKind<Sound.Trim>.choice, standard: .off, help: "shorten silence")
  package static let boost = SettingKey("boost", .onOff, standard: false, help: "make voices clear and even")
  package static let mono = SettingKey("mono", .onOff, standard: false, help: "the same on both ears")
  package static let loudness = SettingKey(
    "loudness", SettingKind<Loudness>.choice, standard: .usual, help: "how loud every episode plays, in LUFS")
  package static let level = SettingKey(
    "level", .onOff, standard: false, help: "make quiet and loud voices of a measured episode alike")
  package static let skipIntro = SettingKey(
    "skip-intro", .length(in: .zero...hour), standard: .zero, help: "leave out so much at the start")
  package static let skipOutro = SettingKey(
    "skip-outro", .length(in: .zero...hour), standard: .zero, help: "leave out so much at the end")
  package static let skipChapters = SettingKey(
    "skip-chapters", .list, standard: [], help: "leave out chapters with one of these words in their titles")
  package static let skipRepeats = SettingKey(
    "skip-repeats", .repeatKinds, standard: [], help: "leave out what repeats, see `podcli skips`")
  package static let autoDownload = SettingKey(
    "auto-download", .integer(in: 0...1000), standard: 0, help: "download so many of the newest at a refresh")
  static let autoDownloadFilter = SettingKey(
    "auto-download-filter", .filter, standard: "", help: "which episodes count for that")
  package static let keep = SettingKey(
    "keep", .keepRule, standard: .all, help: "which of those stay: so many, so much, or for how long")
  static let order = SettingKey(
    "order", SettingKind<Order>.choice, standard: .newest, help: "which episode a podcast's name stands for")
  static let autoTranscribe = SettingKey(
    "auto-transcribe", .onOff, standard: false, help: "make transcripts of downloads that have none")
  static let notify = SettingKey("notify", .onOff, standard: false, help: "tell the desktop of new episodes")

  package static let resume = SettingKey(
    "resume", SettingKind<Resume>.choice, standard: .always, scope: .global, help: "whether to play from your position")
  static let rewind = SettingKey(
    "rewind", .onOff, standard: true, scope: .global, help: "go back a little after a long pause")
  package static let autoplay = SettingKey(
    "autoplay", SettingKind<Autoplay>.choice, standard: .next, scope: .global,
    help: "what plays after the end: the queue and then the podcast's next one, the queue only, or nothing")
  static let progressInterval = SettingKey(
    "progress-interval", .length(in: .milliseconds(250)...(.seconds(60))), standard: .seconds(1), scope: .global,
    help: "how often your position is saved")
  package static let networkPatience = SettingKey(
    "network-patience", .length(in: .seconds(1)...hour), standard: .seconds(120), scope: .global,
    help: "how long to wait for a network that goes away, also before the next episode")
  package static let refreshJobs = SettingKey(
    "refresh-jobs", .integer(in: 1...256), standard: 64, scope: .global, help: "how many feeds to fetch at once")
  static let userAgents = SettingKey(
    "user-agents", .textsOfHosts, standard: [:], scope: .global,
    help: "what to call podcli before hosts that turn it away")
  static let autoMeasure = SettingKey(
    "auto-measure", .onOff, standard: true, scope: .global, help: "measure loudness and pauses after downloads")
  static let transcriber = SettingKey(
    "transcriber", .transcriber, standard: "", scope: .global,
    help: "a program that makes transcripts, see `podcli help transcribe`")
  static let cacheSize = SettingKey(
    "cache-size", .size, standard: 2 << 30, scope: .global, help: "how much of what was streamed may stay")

  static let mediaKeys = SettingKey(
    "media-keys", SettingKind<MediaKeys>.choice, standard: .seek, scope: .global,
    help: "what the keys for the next and the previous track do: 30 seconds on and 10 back, a chapter, or an episode")
  static let headphones = SettingKey(
    "headphones", SettingKind<Headphones>.choice, standard: .pause, scope: .global,
    help: "what to do when headphones are unplugged")
  static let wake = SettingKey(
    "wake", SettingKind<Wake>.choice, standard: .stay, scope: .global,
    help: "whether to stay paused when the machine wakes up, or to go on")
  static let keepAwake = SettingKey(
    "keep-awake", SettingKind<KeepAwake>.choice, standard: .on, scope: .global,
    help: "keep the machine from suspending while something plays; with idle its screen, too")
  static let notifyPlaying = SettingKey(
    "notify-playing", .onOff, standard: false, scope: .global, help: "tell the desktop when an episode has ended")
  package static let sync = SettingKey(
    "sync", SettingKind<Sync>.choice, standard: .auto, scope: .global,
    help: "whether to keep in step with other machines by itself, or only by podcli sync")
  static let hook = SettingKey(
    "hook", .text, standard: "", scope: .global, help: "a program to run at events, see `podcli help hooks`")
  package static let mouse = SettingKey(
    "mouse", .onOff, standard: true, scope: .global, help: "clicks and the wheel on the screen; Shift selects text")

  static let directoryITunes = SettingKey(
    "itunes-url", .address, standard: "", scope: .global, help: "another address for Apple's directory")
  static let directoryFyyd = SettingKey(
    "fyyd-url", .address, standard: "", scope: .global, help: "another address for fyyd's directory")
  static let directoryGPodder = SettingKey(
    "gpodder-url", .address, standard: "", scope: .global, help: "another address for gpodder.net's directory")
  static let directoryPodcastIndex = SettingKey(
    "podcastindex-url", .address, standard: "", scope: .global, help: "another address for the Podcast Index")
  static let podcastIndexKey = SettingKey(
    "podcastindex-key", .text, standard: "", scope: .global, help: "your key for the Podcast Index")
  static let podcastIndexSecret = SettingKey(
    "podcastindex-pass", .secret, standard: "", scope: .global, help: "the secret that goes with it")

  private static let hour = Duration.seconds(3600)

  /// Those that another library may bring along: they change the sound only.
  static let portable: [SettingDeclaration] = [
    speed.declaration, trim.declaration, boost.declaration, mono.declaration, loudness.declaration,
    level.declaration, skipIntro.declaration, skipOutro.declaration, skipChapters.declaration, skipRepeats.declaration,
    order.declaration,
  ]

  package static let all: [SettingDeclaration] = [
    speed.declaration, trim.declaration, boost.declaration, mono.declaration, loudness.declaration,
    level.declaration, skipIntro.declaration, skipOutro.declaration, skipChapters.declaration, skipRepeats.declaration,
    autoDownload.declaration,
    autoDownloadFilter.declaration,
    keep.declaration, order.declaration, autoTranscribe.declaration,
    notify.declaration, resume.declaration, rewind.declaration, autoplay.declaration, progressInterval.declaration,
    networkPatience.declaration, refreshJobs.declaration, userAgents.declaration, autoMeasure.declaration,
    transcriber.declaration, cacheSize.declaration,
    mediaKeys.declaration, headphones.declaration, wake.declaration, keepAwake.declaration, notifyPlaying.declaration,
    sync.declaration, hook.declaration, mouse.declaration, directoryITunes.declaration, directoryFyyd.declaration,
    directoryGPodder.declaration, directoryPodcastIndex.declaration, podcastIndexKey.declaration,
    podcastIndexSecret.declaration,
  ]
}

/// The values that hold now: those of the command line, over those of the podcast, over those for all podcasts, over the
/// built-in ones. Pure: `settings[SettingKeys.speed]`.
package struct Settings: Hashable, Sendable {
  /// The layer that a value comes from.
  package enum Origin: String, Sendable { case commandLine, podcast, config, standard }

  private var flags: [String: String] = [:]
  private var podcast: [String: String]
  private var config: [String: String]

  package init(podcast: [String: String] = [:], config: [String: String] = [:]) {
    self.podcast = podcast
    self.config = config
  }

  /// Sets the value of the command line; nil leaves it to the other layers.
  package mutating func setFlag<Value>(_ key: SettingKey<Value>, to value: Value?) {
    flags[key.name] = value.map(key.kind.write)
  }

  /// The same, from one of the words that `SettingKind` reads.
  package mutating func setFlag<Value>(_ key: SettingKey<Value>, toText text: String?) {
    flags[key.name] = text
  }

  /// The command line's layer of these settings, over those of a podcast and those for all.
  func over(podcast: [String: String], config: [String: String]) -> Settings {
    var settings = self
    (settings.podcast, settings.config) = (podcast, config)
    return settings
  }

  /// The value that holds.
  package subscript<Value>(_ key: SettingKey<Value>) -> Value {
    // The start of the screen asks, mostly without any.
    if flags.isEmpty, podcast.isEmpty, config.isEmpty { return key.standard }
    for (_, values) in layers(key.scope) {
      if let text = values[key.name], let value = key.kind.read(text) { return value }
    }
    return key.standard
  }

  /// The value that holds as text, and its origin.
  package func value(of key: SettingDeclaration) -> (text: String, origin: Origin) {
    for (origin, values) in layers(key.scope) {
      if let text = values[key.name].flatMap(key.normalized) { return (text, origin) }
    }
    return (key.standard, .standard)
  }

  private func layers(_ scope: SettingScope) -> [(Origin, [String: String])] {
    [(.commandLine, flags)] + (scope == .podcast ? [(.podcast, podcast)] : []) + [(.config, config)]
  }
}

/// Why a setting cannot be set.
package enum SettingError: Error, Hashable, Sendable {
  case unknown(String)
  case badValue(key: String, value: String, expectation: String)
  /// One value holds for all podcasts.
  case notPerPodcast(String)
  /// Neither `key=value` nor `key=`.
  case notAnAssignment(String)
}

extension SettingKeys {
  /// The setting with this name.
  package static func declaration(_ name: String) throws(SettingError) -> SettingDeclaration {
    guard let key = all.first(where: { $0.name == name }) else { throw .unknown(name) }
    return key
  }

  /// The value in the form that podcli writes.
  static func normalized(_ value: String, for key: SettingDeclaration) throws(SettingError) -> String {
    guard let normalized = key.normalized(value) else {
      throw .badValue(key: key.name, value: value, expectation: key.expectation)
    }
    return normalized
  }
}

/// `speed=1.4` sets a value, `speed=` removes it.
package struct SettingAssignment: Hashable, Sendable {
  package var key: String
  package var value: String?

  package init(_ text: String) throws(SettingError) {
    guard let sign = text.firstIndex(of: "=") else { throw .notAnAssignment(text) }
    try self.init(key: String(text[..<sign]), value: String(text[text.index(after: sign)...]))
  }

  package init(key name: String, value text: String) throws(SettingError) {
    let declaration = try SettingKeys.declaration(name.trimmingBlanks())
    key = declaration.name
    // A line feed would begin another setting of the file.
    let text = String(text.trimmingBlanks().map { $0.isNewline ? " " : $0 })
    let normalized = text.isEmpty ? text : try SettingKeys.normalized(text, for: declaration)
    // Commas alone are an empty list, too.
    value = normalized.isEmpty ? nil : normalized
  }
}
