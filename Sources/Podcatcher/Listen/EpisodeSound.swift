internal import Playback
package import PodcastModel
package import PodcastStore

/// How an episode will sound by its measurement and the user's settings.
package struct EpisodeSound: Sendable {
  /// The measurement.
  package var sounding: Sounding
  /// The boost takes the place of gain and levelling.
  package var isBoosted: Bool
  /// In decibels; nil where the user wants none.
  package var gain: Double?
  /// Its voices are levelled.
  package var isLevelled: Bool
  /// With the pauses cut; nil where nothing is trimmed.
  package var trimmed: Duration?

  /// Nil where the media file that is here was not measured.
  package init?(
    of details: EpisodeDetails, in store: PodcastStore, config: [String: String]
  ) async throws(StoreError) {
    let entry = details.entry
    let guide = SoundGuide(store: store)
    guard let sounding = await guide.sounding(of: entry) else { return nil }
    let settings = Settings(podcast: try await store.settings(of: entry.podcast.id), config: config)
    self.sounding = sounding
    let correction = await guide.correction(of: entry, Listener.Settings(settings), sounding)
    isBoosted = settings[SettingKeys.boost]
    (gain, isLevelled) = isBoosted ? (nil, false) : (correction.gain, !correction.levels.isEmpty)
    let trim = settings[SettingKeys.trim]
    trimmed = sounding.trimmed.first { $0.level == trim.rawValue }?.length
  }
}
