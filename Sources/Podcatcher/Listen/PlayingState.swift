private import Glibc
internal import Playback
internal import PodcastModel
internal import PodcastStore
private import Synchronization
private import System

/// The episode that plays, and the player's last state.
struct NowPlaying: Sendable {
  var entry: EpisodeEntry
  /// Its position is that of a jump from the moment that it was asked for: its bytes may be long in coming.
  var snapshot: PlaybackSnapshot
  /// The position at which it was to begin.
  var start: Duration
  /// The position to be saved; absent until the episode is heard, and where none is to be saved.
  var position: Duration?
  /// The last position whose byte was looked up, where a position cannot be computed from bytes.
  var heardPosition: HeardPosition?
  var chapters: [Chapter]
  /// For bytes or a device.
  var isWaiting = false
  /// A message for the listener: that the player waits for the network, or when it will stop.
  var note: String?
  /// By the calendar, for other processes.
  var sleepAt: Timestamp?

  var chapterIndex: Int? { snapshot.position.flatMap { chapters.index(at: $0) } }
}

extension PlayerStatus {
  init(_ opening: OpeningEpisode, _ state: State) {
    self.init(state: state, episode: opening.entry.episode.id)
    (entry, start, note, pid) = (opening.entry, opening.start, opening.note, getpid())
    (speed, volume) = (opening.sound?.speed, opening.sound?.volume)
    (trim, boost) = (opening.sound?.trim.rawValue, opening.sound?.boost)
    sleepAt = opening.sleepAt
  }

  init(_ now: NowPlaying) {
    let snapshot = now.snapshot
    self.init(
      state: snapshot.isPaused ? .paused : snapshot.position == nil || now.isWaiting ? .buffering : .playing,
      episode: now.entry.episode.id)
    entry = now.entry
    // The entry is that of the beginning, the position is newer.
    if let position = now.position { entry?.status.lastListenTime = position }
    pid = getpid()
    (position, start) = (snapshot.position, now.start)
    isApproximate = now.heardPosition?.byte.isExact == false
    duration = snapshot.duration
    speed = snapshot.sound.speed
    volume = snapshot.sound.volume
    trim = snapshot.sound.trim.rawValue
    boost = snapshot.sound.boost
    (gain, isLevelled) = (snapshot.gain, snapshot.isLevelled)
    chapter = now.chapterIndex.map {
      Chapter(index: $0 + 1, title: now.chapters[$0].title, count: now.chapters.count)
    }
    sleepAt = now.sleepAt
    note = now.note
  }
}

/// An episode that is being opened, before anything is known of its media file.
struct OpeningEpisode: Sendable {
  var entry: EpisodeEntry
  /// The position at which it is to begin.
  var start: Duration
  /// That of the episode before, which it will have, too.
  var sound: Sound?
  /// Why the opening takes long, or when the player will stop.
  var note: String?
  var sleepAt: Timestamp?
}

/// An episode that was asked for, and the reason why it cannot be played.
struct RefusedEpisode: Sendable {
  var entry: EpisodeEntry
  var error: ListenError
}

/// The listener's part of `NowPlaying`, under a lock of its own: reading it never waits for the listener, whose turn may
/// be taken by a locked library.
final class PlayingState: Sendable {
  private struct State {
    var entry: EpisodeEntry?
    /// Nothing is known of its media file yet.
    var opening: OpeningEpisode?
    var media: MediaID?
    var start = Duration.zero
    var isTrusted = false
    /// No earlier position is saved.
    var floor: Duration?
    var isKept = true
    var medium: OpenedMedia?
    var chapters: [Chapter] = []
    var note: String?
    var sleep: SleepEnd?
    var sleepAt: Timestamp? { sleep?.moment }
    var isWaiting = false
    var waitsForBytes = false
    var aim: Aim?
    /// The last jump was asked for, and not made by the settings.
    var isJumpAsked = false
    /// Where such a jump leads that was still awaited when the episode was left.
    var left: Duration?
    /// The episode has ended otherwise: a jump that was awaited then is given up.
    var hasEnded = false
    var heardPosition: HeardPosition?
    var skipStart: (media: MediaID?, position: Duration?)?
    /// The last one that was asked for and cannot be played.
    var refused: RefusedEpisode?
    /// The length of the last one that was to start behind its end.
    var refusedStart: Duration?
    /// One that was to play and could not be played; another one plays, and its status tells it for a while.
    var passed: (entry: EpisodeEntry, until: Duration)?
    /// The status tells until then that a jump led to bytes that will not come.
    var failedJumpUntil: Duration?
    /// Nothing plays any more, and nothing will.
    var isOver = false

    /// libmpv is still seeking and the bytes that it needs are missing: the position that it reports will not last.
    var isLost: Bool { !isTrusted && medium?.fault != nil }

    var passedNote: String? {
      let shown = opening?.entry ?? entry
      guard let passed, passed.entry.episode.id != shown?.episode.id, Monotonic.now() < passed.until else { return nil }
      return "\(passed.entry.episode.title) could not be played"
    }

    var failedJumpNote: String? {
      guard let failedJumpUntil, Monotonic.now() < failedJumpUntil else { return nil }
      return "what comes there cannot be had: it goes on where it was"
    }

    /// Where a jump leads whose bytes are awaited. There is nothing behind the end.
    func target(_ snapshot: PlaybackSnapshot) -> Duration? {
      if let aim { return hasEnded ? nil : aim.position }
      guard !hasEnded, let target = snapshot.target, snapshot.position != nil, media != nil, snapshot.media == media,
        medium?.isBehindItsEnd(target) != true, isInside(target, snapshot)
      else { return nil }
      return target
    }

    private func isInside(_ target: Duration, _ snapshot: PlaybackSnapshot) -> Bool {
      guard let told = snapshot.duration, let medium, let entry else { return true }
      return target < medium.length(told: told, of: entry)
    }

    /// The same where it is to be kept: the user asked for it, and it is surely before the end.
    func keptTarget(_ snapshot: PlaybackSnapshot) -> Duration? {
      if let aim { return aim.isKept && !hasEnded ? aim.position : nil }
      guard isJumpAsked, snapshot.duration != nil, let medium, medium.tellsItsLength, !medium.isLengthEstimated else {
        return nil
      }
      return target(snapshot)
    }
  }

  private let state = Mutex(State())

  /// Where a file that is loaded anew is to go on.
  struct Aim: Hashable {
    var position: Duration
    /// The length of the file, as far as it was known.
    var duration: Duration?
    /// It is surely before the end, so it counts where the episode is left.
    var isKept = false
  }

  var isJumpAsked: Bool { state.withLock(\.isJumpAsked) }

  var aim: Aim? { state.withLock(\.aim) }

  func setAim(_ aim: Aim?) { state.withLock { $0.aim = aim } }

  /// The file is loaded there. A later step may have changed the aim by now.
  func keepAim(at position: Duration) { state.withLock { if $0.aim?.position == position { $0.aim?.isKept = true } } }

  func clearAim(at position: Duration) { state.withLock { if $0.aim?.position == position { $0.aim = nil } } }

  /// `isKept`: its position is to be saved.
  func set(_ entry: EpisodeEntry, media: MediaID?, of medium: OpenedMedia, from start: Duration, isKept: Bool) {
    state.withLock {
      $0 = State(
        entry: entry, media: media, start: start, isKept: isKept, medium: medium, note: $0.note, sleep: $0.sleep,
        aim: $0.entry?.episode.id == entry.episode.id ? $0.aim : nil, skipStart: $0.skipStart, refused: $0.refused,
        refusedStart: $0.refusedStart, passed: $0.passed, failedJumpUntil: $0.failedJumpUntil)
    }
  }

  /// The episode before is left.
  func open(_ entry: EpisodeEntry, at start: Duration, _ sound: Sound?) {
    clear()
    state.withLock { $0.opening = OpeningEpisode(entry: entry, start: start, sound: sound) }
  }

  var opening: OpeningEpisode? {
    state.withLock { state in
      guard !state.isOver, var opening = state.opening else { return nil }
      (opening.note, opening.sleepAt) = (state.note ?? state.passedNote, state.sleepAt)
      return opening
    }
  }

  /// The end of the media file, where that is known and the position lies behind. `length`: as the player counts it.
  func end(before position: Duration, length: Duration?) -> Duration? {
    state.withLock { state in
      guard let medium = state.medium else { return nil }
      if medium.isBehindItsEnd(position) { return medium.toldLength }
      guard let length, !medium.isLengthEstimated, !medium.isSizeUntold, position > length else { return nil }
      return length
    }
  }

  /// Its position is to be saved.
  var isKept: Bool { state.withLock { $0.isKept } }

  /// It cannot be played; what played before goes on.
  func refuse(_ entry: EpisodeEntry, _ error: ListenError) {
    state.withLock { $0.refused = RefusedEpisode(entry: entry, error: error) }
  }

  /// It cannot be played; another one plays instead.
  func passOver(_ entry: EpisodeEntry) {
    state.withLock { $0.passed = (entry, Monotonic.now() + Self.noteTime) }
  }

  func tellFailedJump() { state.withLock { $0.failedJumpUntil = Monotonic.now() + Self.noteTime } }

  private static let noteTime = Duration.seconds(15)

  /// It plays from where it was left.
  func refuseStart(_ length: Duration) { state.withLock { $0.refusedStart = length } }

  func forgetRefused() { state.withLock { ($0.refused, $0.refusedStart) = (nil, nil) } }

  var refusedStart: Duration? { state.withLock { $0.refusedStart } }

  /// Whether its sound has begun.
  var isHeard: Bool { state.withLock { $0.isTrusted } }

  var refused: RefusedEpisode? { state.withLock { $0.refused } }

  func setOver(_ isOver: Bool) { state.withLock { $0.isOver = isOver } }

  var isOver: Bool { state.withLock { $0.isOver } }

  /// The same episode, as the library has it now.
  func renew(_ entry: EpisodeEntry) {
    state.withLock { if $0.entry?.episode.id == entry.episode.id { $0.entry = entry } }
  }

  /// From now on its positions are worth saving, those before `floor` excepted.
  func trust(above floor: Duration?) { state.withLock { ($0.isTrusted, $0.floor) = (true, floor) } }

  func setJumpAsked(_ isAsked: Bool) { state.withLock { $0.isJumpAsked = isAsked } }

  /// The user leaves the episode: a jump counts whose bytes have not come.
  func leave(_ snapshot: PlaybackSnapshot) { state.withLock { $0.left = $0.keptTarget(snapshot) ?? $0.left } }

  /// The episode has ended. Returns where a jump leads that counts.
  func end() -> Duration? {
    state.withLock { state in
      state.hasEnded = true
      return state.left
    }
  }

  func setShownChapters(_ chapters: [Chapter]) { state.withLock { $0.chapters = chapters } }

  /// A reader of its media file waits for bytes.
  var waitsForBytes: Bool { state.withLock { $0.waitsForBytes } }

  func setWaitsForBytes(_ waits: Bool) { state.withLock { $0.waitsForBytes = waits } }

  func setWaiting(_ isWaiting: Bool) { state.withLock { $0.isWaiting = isWaiting } }

  func setHeardPosition(_ position: HeardPosition?) {
    state.withLock { $0.heardPosition = position }
  }

  func setNote(_ text: String?) { state.withLock { $0.note = text } }

  func setSleep(_ left: Duration?, isPaused: Bool) {
    state.withLock { state in
      state.sleep = left.map { isPaused ? .afterPause(left: $0) : SleepEnd.at(SleepEnd.moment(in: $0)) }
    }
  }

  /// When the sleep timer ends the playing.
  private enum SleepEnd {
    case at(Timestamp)
    /// The timer stands still: it would be so long after the playing goes on.
    case afterPause(left: Duration)

    var moment: Timestamp {
      switch self {
      case .at(let moment): moment
      case .afterPause(let left): Self.moment(in: left)
      }
    }

    static func moment(in left: Duration) -> Timestamp {
      Timestamp(seconds: Timestamp.now.seconds + left.components.seconds)
    }
  }

  /// Marks the beginning of a range to be skipped.
  func markSkipStart(_ snapshot: PlaybackSnapshot) {
    state.withLock { $0.skipStart = (snapshot.media, snapshot.position) }
  }

  /// The range from the mark to this position, in the same media file. The mark is used up.
  func takeSkip(to end: PlaybackSnapshot) -> Range<Duration>? {
    let mark = state.withLock { state in
      defer { state.skipStart = nil }
      return state.skipStart
    }
    guard let mark, mark.media == end.media, let start = mark.position, let end = end.position else { return nil }
    // After a step back the end was marked first.
    return min(start, end)..<max(start, end)
  }

  func clear() {
    state.withLock {
      $0 = State(
        sleep: $0.sleep, skipStart: $0.skipStart, refused: $0.refused, refusedStart: $0.refusedStart,
        passed: $0.passed)
    }
  }

  private static let approximateNote = "about here: in this kind of MP3 a time can only be guessed"

  func read(_ snapshot: PlaybackSnapshot) -> NowPlaying? {
    var now = now(snapshot)
    // The episode was read from the library when it began.
    if let download = state.withLock({ $0.medium })?.download { now?.entry.download = download }
    return now
  }

  private func now(_ snapshot: PlaybackSnapshot) -> NowPlaying? {
    state.withLock { state in
      guard let entry = state.entry else { return nil }
      let isOurs = state.media != nil && snapshot.media == state.media
      var shown = snapshot
      if let told = snapshot.duration, let medium = state.medium {
        shown.duration = medium.length(told: told, of: entry)
      }
      shown.position = state.left ?? state.target(snapshot) ?? snapshot.position
      let heard = state.isTrusted ? snapshot.position.map { max($0, state.floor ?? $0) } : nil
      var kept = state.left ?? state.keptTarget(snapshot) ?? heard
      if !isOurs || state.isLost {
        (shown.position, shown.duration) = (state.aim?.position, state.aim?.duration)
        kept = state.aim.flatMap { _ in state.keptTarget(snapshot) }
      }
      return NowPlaying(
        entry: entry, snapshot: shown, start: state.start, position: state.isKept ? kept : nil,
        heardPosition: state.heardPosition, chapters: state.chapters,
        isWaiting: snapshot.isBuffering || state.isWaiting || state.aim != nil,
        note: state.note ?? state.failedJumpNote ?? state.passedNote
          ?? (state.heardPosition?.byte.isExact == false ? Self.approximateNote : nil),
        sleepAt: state.sleepAt)
    }
  }
}
