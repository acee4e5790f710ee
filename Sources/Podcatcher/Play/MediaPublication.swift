internal import Desktop
internal import PodcastModel
internal import PodcastStore

/// Turns the statuses of a player into what media controls show. Pure: the clock is the caller's.
///
/// Controls count the seconds themselves, from the last jump on: so they are told of each, and again and again while the
/// position runs otherwise than the clock, and when it stops doing so.
struct MediaPublication: Sendable {
  /// The news for the controls.
  struct News: Hashable, Sendable {
    var state: MediaState
    /// A position that does not follow from the one before.
    var jump: Duration?
  }

  private let clean: @Sendable (String) -> String
  private var state: MediaState?
  private var isPlaced = false
  private var isStalled = false
  /// The position ran faster or slower than the clock.
  private var wasUneven = false
  private var toldAt = Duration.zero
  /// The path of the episode's picture.
  private var picture: (episode: EpisodeID, path: String)?

  private static let interval = Duration.seconds(10)

  /// `clean` makes one line of a text, without control characters.
  init(clean: @escaping @Sendable (String) -> String) { self.clean = clean }

  mutating func setPicture(_ path: String, of episode: EpisodeID) { picture = (episode, path) }

  /// `isUneven`: the position runs faster or slower than the clock. Nil before the first episode is ready, and where
  /// there is nothing new.
  mutating func take(_ status: PlayerStatus, isUneven: Bool, at now: Duration) -> News? {
    guard let entry = status.entry, state != nil || status.position != nil else { return nil }
    let new = mediaState(status, entry)
    if new.track?.path != state?.track?.path { isPlaced = false }
    let jump = jump(status, isUneven, at: now)
    defer { state = new }
    return new == state && jump == nil ? nil : News(state: new, jump: jump)
  }

  private mutating func jump(_ status: PlayerStatus, _ isUneven: Bool, at now: Duration) -> Duration? {
    guard let position = status.position else { return nil }
    let wasStalled = isStalled
    isStalled = status.state == .buffering
    guard !isStalled || !isPlaced else { return nil }
    let runsUnevenly = isUneven && status.state == .playing
    defer { wasUneven = runsUnevenly }
    let isDue = wasUneven && (!runsUnevenly || now - toldAt >= Self.interval)
    guard !isPlaced || wasStalled || isDue else { return nil }
    (isPlaced, toldAt) = (true, now)
    return position
  }

  private func mediaState(_ status: PlayerStatus, _ entry: EpisodeEntry) -> MediaState {
    var track = Track(
      path: "/org/podcli/episode/\(entry.episode.id.rawValue)", title: clean(entry.episode.title),
      artist: clean(entry.podcast.title), album: clean(entry.podcast.title))
    track.length = status.durationOrAnnounced
    track.created = entry.episode.publishedAt?.description
    if let picture, picture.episode == entry.episode.id { track.artPath = picture.path }
    var state = MediaState(playback: status.state == .paused ? .paused : .playing, track: track)
    state.rate = status.speed ?? 1
    state.volume = (status.volume ?? 100) / 100
    return state
  }
}
