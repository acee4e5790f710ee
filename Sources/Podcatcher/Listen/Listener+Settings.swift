private import Playback

extension Listener.Settings {
  /// From what the user has set. What the command line says comes on top, in the caller's hands.
  package init(_ settings: Settings) {
    progressInterval = settings[SettingKeys.progressInterval]
    rewinds = settings[SettingKeys.rewind]
    autoplay = settings[SettingKeys.autoplay]
    skipIntro = settings[SettingKeys.skipIntro]
    skipOutro = settings[SettingKeys.skipOutro]
    skipChapters = settings[SettingKeys.skipChapters]
    sound.speed = settings[SettingKeys.speed]
    sound.trim = settings[SettingKeys.trim]
    sound.boost = settings[SettingKeys.boost]
    sound.isMono = settings[SettingKeys.mono]
  }
}
