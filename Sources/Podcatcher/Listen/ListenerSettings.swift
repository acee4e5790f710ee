internal import Playback
internal import PodcastStore

extension Listener {
  /// How one episode is played.
  struct Settings: Sendable {
    var progressInterval = Duration.seconds(1)
    var rewinds = true
    var savesPosition = true
    var sound = Sound()
    var loudness = Loudness.usual
    var levels = false
    var autoplay = Autoplay.next
    var skipIntro = Duration.zero
    var skipOutro = Duration.zero
    /// Words of chapter titles.
    var skipChapters: [String] = []
    var skipRepeats: Set<Repeat.Kind> = []
  }
}

extension Listener.Settings {
  /// As the user has set it, on the command line or elsewhere.
  init(_ settings: Settings) {
    progressInterval = settings[SettingKeys.progressInterval]
    rewinds = settings[SettingKeys.rewind]
    autoplay = settings[SettingKeys.autoplay]
    skipIntro = settings[SettingKeys.skipIntro]
    skipOutro = settings[SettingKeys.skipOutro]
    skipChapters = settings[SettingKeys.skipChapters]
    skipRepeats = settings[SettingKeys.skipRepeats]
    sound.speed = settings[SettingKeys.speed]
    sound.trim = settings[SettingKeys.trim]
    sound.boost = settings[SettingKeys.boost]
    sound.isMono = settings[SettingKeys.mono]
    loudness = settings[SettingKeys.loudness]
    levels = settings[SettingKeys.level]
  }
}

extension Sound {
  /// The sound of the next episode: a change of this one's by a key or a control word stays where both are set alike.
  func keepingChanges(from set: Sound?, to heard: Sound) -> Sound {
    guard let set else { return self }
    var sound = self
    func keep<Value: Equatable>(_ property: WritableKeyPath<Sound, Value>) {
      if sound[keyPath: property] == set[keyPath: property] { sound[keyPath: property] = heard[keyPath: property] }
    }
    keep(\.speed)
    keep(\.trim)
    keep(\.boost)
    keep(\.isMono)
    keep(\.volume)
    return sound
  }
}
