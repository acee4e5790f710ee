internal import Playback
internal import PodcastModel
internal import PodcastStore

/// Finds the correction of an episode's sound: by its own measurement, or by the loudness of others of the podcast.
struct SoundGuide: Sendable {
  let store: PodcastStore

  /// The measurement of the bytes that are here.
  func sounding(of entry: EpisodeEntry) async -> Sounding? { await Sounding.kept(of: entry, in: store) }

  /// `part`: what is known of the beginning, where the whole was not measured. `hasTags`: the file tells its own gain.
  func correction(
    of entry: EpisodeEntry, _ settings: Listener.Settings, _ sounding: Sounding?, part: FirstPartSounding? = nil,
    hasTags: Bool = false
  ) async -> SoundCorrection {
    var correction = SoundCorrection()
    correction.pauses = sounding?.pauses ?? part?.sounding.pauses
    correction.hasEqualChannels = sounding?.hasEqualChannels ?? false
    if sounding == nil { correction.pausesEnd = part?.sounding.duration }
    let isMusic = await isMusic(entry)
    // In music silence is meant, and so are quiet parts.
    if isMusic { (correction.pauses, correction.pausesEnd) = ([], nil) }
    let levelling = settings.levels && !isMusic ? sounding.map(Levelling.init) : nil
    correction.levels = levelling?.changes ?? []
    let raised = levelling?.raised ?? 0
    guard let target = settings.loudness.target else {
      if raised > 0 { correction.ceiling = LoudnessRule.ceiling(under: 0, peak: sounding?.peak, raised: raised) }
      return correction
    }
    let measured = levelling?.loudness ?? sounding?.loudness
    let history = measured == nil ? (try? await store.loudness(of: entry.podcast.id)) ?? [] : []
    let estimate = hasTags ? nil : part?.loudness
    if let gain = LoudnessRule.gain(to: target, measured: measured, history: history, estimate: estimate) {
      correction.gain = gain
      correction.ceiling = LoudnessRule.ceiling(under: gain, peak: sounding?.peak, raised: raised)
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
