extension SettingKeys.MediaKeys {
  /// The command of a media key or headset button for the next or the previous track.
  func command(forward isForward: Bool, hasChapters: Bool) -> PlayerCommand {
    switch self {
    case .chapter where hasChapters: .chapter(.by(isForward ? 1 : -1))
    case .seek, .chapter: .seek(.relative(.seconds(isForward ? 30 : -10)))
    case .episode: isForward ? .next : .previous
    }
  }
}
