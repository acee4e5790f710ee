internal import Playback
internal import PodcastModel
internal import PodcastStore

/// One episode, from its loading to its end. It never leaves the listener, and is looked at many times a second: so it is
/// not copied.
final class Session {
  /// Read again where a refresh has brought another address for it.
  var entry: EpisodeEntry
  /// The start that was asked for.
  let wanted: Listener.Start
  let settings: Listener.Settings
  var medium: OpenedMedia
  var recorder: ProgressRecorder
  var plan: SkipPlan
  var log: ListeningLog?
  var logID: SessionID?
  /// The history is written from then on.
  var logDue = Duration.zero
  /// It is heard, or is about to be.
  var isAccepted = false
  /// It was tried to make it the current episode, once there was sound.
  var isBegun = false
  /// The library has it as the current episode.
  var isCurrent = false
  /// It was loaded anew where the user wants to go on, and has not sounded there yet.
  var isAimed = false
  /// The last jump, until there is sound behind it, and where it was heard before.
  var jump: (from: Duration, to: Duration)?
  /// The position of its last loading.
  var start: Duration
  /// The position kept from before, until it is known to lie inside the media file.
  var keptPosition: Duration?
  var media: MediaID?
  var position: Duration?
  var duration: Duration?
  /// The length that the library has.
  var keptDuration: Duration?
  /// Those of the media file that `chapters` were made from.
  var embedded: [MediaChapter] = []
  var chapters: [Chapter] = [] {
    didSet { chapterStarts.times = chapters.map(\.startPosition) }
  }
  var chapterIndex: Int?
  /// Finds the starts of chapters that playback runs over.
  var chapterStarts = Boundaries([])
  /// The position at which it stopped before. Behind the rewind it is heard once more up to there.
  var heardAgainTo: Duration?
  /// The position at which it began to get quieter.
  var fadedFrom: Duration?
  var setbacks = Setbacks()
  /// The measurement of its media file.
  var sounding: Sounding?
  var correction = SoundCorrection()
  /// The correction that waits for a pause.
  var found: SoundCorrection?
  var ramp: GainRamp?
  /// Another process was asked to measure it.
  var isMeasured = false
  /// The measurement of its beginning, while the whole is not measured.
  var part: FirstPartSounding?
  /// Another process was asked to measure so many bytes of its beginning.
  var partAsked: Int64 = 0
  var partAskedAt = Duration.zero
  /// No measurement of it was taken since then.
  var awaitsPart = false
  /// When it was last looked whether the media file is measured.
  var soughtAt = Duration.zero
  /// The state of the library when it was last looked whether another process has changed it.
  var dataVersion: Int64?
  /// The episode that follows was looked for.
  var hasLookedAhead = false

  init(
    _ entry: EpisodeEntry, _ wanted: Listener.Start, _ settings: Listener.Settings, _ medium: OpenedMedia,
    _ plan: SkipPlan, _ begin: (position: Duration, kept: Duration?)
  ) {
    self.entry = entry
    self.wanted = wanted
    self.settings = settings
    self.medium = medium
    self.plan = plan
    recorder = ProgressRecorder(every: settings.progressInterval, keptPosition: begin.kept, start: begin.position)
    start = begin.position
    keptPosition = begin.kept
    heardAgainTo = wanted == .resume ? begin.kept : nil
    keptDuration = entry.mediaDuration
  }

  /// The position up to which it was heard, or at which it was to start.
  var reached: Duration { recorder.isTrusted && !isAimed ? position ?? start : start }

  func jumped(to position: Duration) {
    guard let from = jump?.from ?? (recorder.isTrusted ? self.position : nil) else { return }
    jump = (from, position)
  }

  func sounds(at position: Duration) {
    if let jump, position >= jump.to + .milliseconds(500) { self.jump = nil }
  }

  /// Has it loaded once more, in another file: `kept` is there what `former` was before.
  func goOn(from former: Duration, at kept: Duration) {
    let start = max(.zero, kept - max(.zero, former - reached))
    recorder = ProgressRecorder(every: settings.progressInterval, keptPosition: kept, start: start)
    keptPosition = kept
    heardAgainTo = heardAgainTo.map { _ in kept }
    log?.jumped()
    (self.start, media, position, isAimed, jump) = (start, nil, nil, false, nil)
  }

  /// Has it loaded once more.
  func reload(from position: Duration) {
    start = position
    media = nil
    guard !recorder.isTrusted else { return }
    // Nothing was heard of it yet, whatever libmpv reported.
    recorder = ProgressRecorder(every: settings.progressInterval, keptPosition: keptPosition, start: position)
    (self.position, log, isAccepted) = (nil, nil, false)
  }
}

extension Chapter {
  /// The first millisecond inside the chapter: a seek lands there, and the boundary counts as passed then. A start that is
  /// no time, or is far beyond any length, must fit all the same.
  var startPosition: Duration { .milliseconds(Int64(((start > 0 ? min(start, 1e10) : 0) * 1000).rounded(.up))) }
}
