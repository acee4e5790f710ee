internal import Playback
internal import PodcastModel
internal import PodcastStore

/// Finds the correction of an episode's sound: by its own measurement, or by the loudness of others of the podcast.
struct SoundGuide: Sendable {
  let store: PodcastStore

  /// The measurement of the bytes that are here.
  func sounding(of entry: EpisodeEntry) async -> Sounding? {
    guard let record = (try? await store.sounding(of: entry.episode.id)) ?? nil, let sounding = Sounding(record),
      let path = (try? await LocalFile.whole(of: entry, in: store)) ?? nil,
      await FileFingerprint.ofFile(at: path) == record.file
    else { return nil }
    return sounding
  }

  func correction(of entry: EpisodeEntry, _ settings: Listener.Settings, _ sounding: Sounding?) async -> SoundCorrection
  {
    var correction = SoundCorrection()
    correction.pauses = sounding?.pauses
    // In music silence is meant.
    if await isMusic(entry) { correction.pauses = [] }
    guard let target = settings.loudness.target else { return correction }
    let history = sounding?.loudness == nil ? (try? await store.loudness(of: entry.podcast.id)) ?? [] : []
    if let gain = LoudnessRule.gain(to: target, measured: sounding?.loudness, history: history) {
      correction.gain = gain
      correction.ceiling = LoudnessRule.ceiling(under: gain, peak: sounding?.peak)
    } else {
      correction.gainOverTags = target - Self.tagTarget
    }
    return correction
  }

  /// ReplayGain's, in LUFS.
  private static let tagTarget = -18.0

  private func isMusic(_ entry: EpisodeEntry) async -> Bool {
    (try? await store.details(of: entry.podcast.id))??.medium?.lowercased() == "music"
  }
}
