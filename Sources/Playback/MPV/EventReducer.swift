private import Glibc

/// Turns libmpv's events into a player's. Pure, so that every order of events can be tested.
///
/// libmpv reports positions of a media file that is only opening, or of the one before; none counts until
/// "restarted" has come for the media file that was started last.
struct EventReducer {
  private(set) var snapshot = PlaybackSnapshot()
  private var trimmer = SilenceTrimmer(Sound())
  private var lag = SpeedLag()
  private var cutLag = CutLag()
  private let clock: () -> Duration
  private static let beginning = ContinuousClock.now
  private var expected: [Int64: MediaID] = [:]
  /// The expected one that follows by itself.
  private var queued: Int64?
  private var playing: (entry: Int64, media: MediaID)?
  private var isReady = false
  private var isSeeking = false
  /// Where the seek that was asked for last leads, until libmpv is there.
  private var target: Duration? {
    get { snapshot.target }
    set { snapshot.target = newValue }
  }
  private var aimedAt: Duration?
  /// As libmpv last reported it, in seconds; shown only once it counts.
  private var position: Double?
  /// The last one that was passed on.
  private var reported: Duration?
  /// libmpv reports each buffer of sound, dozens a second; positions are passed on so far apart, by the clock.
  private var ticks = PeriodicTime(every: .milliseconds(80))

  init(clock: @escaping () -> Duration = { ContinuousClock.now - EventReducer.beginning }) { self.clock = clock }

  /// libmpv's speed: the listener's, or more in silence.
  var speed: Double { trimmer.speed }
  /// A factor on the volume, which may change meanwhile.
  var fade = 1.0
  /// libmpv's volume is the cube root of a factor on the samples.
  var volume: Double { snapshot.sound.volume * fade * pow(10, gainOfVolume / 60) }
  private var gainOfVolume: Double { snapshot.sound.boost ? 0 : (snapshot.gain ?? 0) - (filtered.gain ?? 0) }
  /// libmpv's audio filters.
  var filterChain: String { snapshot.sound.filterChain(filtered) }

  private var corrections: [MediaID: SoundCorrection] = [:]
  /// Where those that were not started yet will begin, unless that is at 0.
  private var beginnings: [MediaID: Duration] = [:]
  private var correction: SoundCorrection { playing.flatMap { corrections[$0.media] } ?? SoundCorrection() }
  /// The correction that the filters make, with the gain that the file began with. A better one changes the volume, which
  /// counts for samples that are filtered already, too; and new filters are a gap.
  private var filtered = SoundCorrection()

  /// Counts from the start of that media file, or from now on where it plays.
  mutating func correct(_ media: MediaID, _ correction: SoundCorrection) {
    corrections[media] = correction
    guard playing?.media == media else { return }
    trimmer = trimmer.fitted(mapped: correction.mapped)
    var other = correction
    // These two are no reason for new filters, which are a gap: the volume makes up for the gain.
    (other.gain, other.hasEqualChannels) = (filtered.gain, filtered.hasEqualChannels)
    if other != filtered { filter(by: other) }
    fitGain()
  }

  /// True once for a file: when a found gain is first heard, which replaces that of the file's tags. Boosted, none is heard.
  mutating func takesTagGain() -> Bool {
    guard !isTagGainTaken, snapshot.gain != nil else { return false }
    isTagGainTaken = true
    return true
  }

  private var isTagGainTaken = false

  private mutating func filter(by correction: SoundCorrection) {
    filtered = correction
    cutLag.cuts = snapshot.sound.trim.cuts(in: correction.pauses ?? [])
  }

  /// The quick boost has a gain of its own.
  private mutating func fitGain() {
    let isBoosted = snapshot.sound.boost
    snapshot.gain = isBoosted ? nil : correction.gain
    snapshot.isLevelled = !isBoosted && !correction.levels.isEmpty
  }

  mutating func note(_ change: SpeedLag.Change) { lag.note(change, at: clock()) }

  mutating func change(_ sound: Sound) -> [PlaybackEvent] {
    trimmer.change(sound)
    snapshot.sound = sound
    filter(by: filtered)
    fitGain()
    return [.sound(sound)]
  }

  /// It will begin there.
  mutating func begin(_ media: MediaID, at position: Duration?) { beginnings[media] = position }

  /// A seek was asked for.
  mutating func aim(at position: Duration) { (target, aimedAt) = (max(.zero, position), clock()) }

  /// A seek from here was asked for. Returns where it leads, or nil where libmpv knows that. It counts from its own
  /// position, so not where there are cuts: it may be beyond one that is not heard yet. In a pause it counts the sound that
  /// waits in the output once more with each seek.
  mutating func aim(by offset: Duration) -> Duration? {
    guard let start = target ?? snapshot.position else { return nil }
    aim(at: start + offset)
    return cutLag.cuts.isEmpty && !snapshot.isPaused ? nil : target
  }

  /// A position was reported since libmpv was started.
  private(set) var hasPlayed = false

  /// The expected ones in their order.
  private var waiting: [MediaID] { expected.sorted { $0.key < $1.key }.map(\.value) }

  /// A file that was loaded or queued before and has not been started never will be, and libmpv does not report that.
  mutating func expect(_ media: MediaID, asEntry entry: Int64) -> [PlaybackEvent] {
    let dropped = waiting.map { PlaybackEvent.ended($0, .replaced) }
    expected = [entry: media]
    queued = nil
    return dropped
  }

  mutating func queue(_ media: MediaID, asEntry entry: Int64) {
    expected[entry] = media
    queued = entry
  }

  /// Its number in libmpv's playlist, until it has ended.
  func entry(of media: MediaID) -> Int64? {
    playing?.media == media ? playing?.entry : expected.first { $0.value == media }?.key
  }

  /// The end of one that has begun is libmpv's to report.
  mutating func unqueue(_ media: MediaID) -> [PlaybackEvent] {
    guard playing?.media != media, let entry = entry(of: media) else { return [] }
    expected[entry] = nil
    queued = nil
    return [.ended(media, .replaced)]
  }

  /// libmpv is gone, and all that it had with it.
  mutating func lost(_ error: PlaybackError) -> [PlaybackEvent] {
    let gone = (playing.map { [$0.media] } ?? []) + waiting
    playing = nil
    expected = [:]
    queued = nil
    isReady = false
    target = nil
    hasPlayed = false
    return gone.map { .ended($0, .failed(error)) }
  }

  /// libmpv does not report the end of a media file that was stopped before it was started.
  mutating func stopped() -> [PlaybackEvent] {
    defer {
      expected = [:]
      queued = nil
    }
    return waiting.map { .ended($0, .stopped) }
  }

  mutating func take(_ event: EngineEvent) -> [PlaybackEvent] {
    switch event {
    case .started(let entry): start(entry)
    case .opened(let duration, let tagGain): opened(duration, tagGain)
    case .seeking: seeking()
    case .restarted(let seconds): restarted(at: seconds)
    case .ended(let entry, let reason): end(entry, reason)
    case .property(.position(let seconds)): move(to: seconds)
    case .property(let property): change(property)
    case .shutdown: []
    }
  }

  private mutating func start(_ entry: Int64) -> [PlaybackEvent] {
    playing = expected.removeValue(forKey: entry).map { (entry, $0) }
    if queued == entry { queued = nil }
    isReady = false
    isSeeking = false
    (position, target) = (nil, nil)
    lag.reset()
    forgetReported()
    let beginning = playing.map { beginnings[$0.media] ?? .zero }
    corrections = corrections.filter { $0.key == playing?.media || expected.values.contains($0.key) }
    beginnings = beginnings.filter { expected.values.contains($0.key) }
    trimmer = SilenceTrimmer(snapshot.sound, mapped: correction.mapped)
    filter(by: correction)
    cutLag.reset(to: beginning, speed: trimmer.speed)
    fitGain()
    snapshot.timeSaved = .zero
    snapshot.media = playing?.media
    snapshot.position = nil
    snapshot.duration = nil
    snapshot.tagGain = nil
    isTagGainTaken = false
    snapshot.chapters = []
    return []
  }

  private mutating func opened(_ duration: Double?, _ tagGain: TagGain?) -> [PlaybackEvent] {
    snapshot.tagGain = tagGain
    return learn(duration: duration)
  }

  private mutating func seeking() -> [PlaybackEvent] {
    isSeeking = isReady
    lag.reset()
    lead(to: target)
    trimmer.jump()
    return []
  }

  /// libmpv plays nothing before the target of a seek, unless that is behind the end of the file.
  private mutating func lead(to target: Duration?) {
    let isBehindEnd = if let target, let length = snapshot.duration { target >= length } else { false }
    cutLag.reset(to: target, isExact: !isBehindEnd, speed: trimmer.speed)
  }

  private mutating func restarted(at seconds: Double?) -> [PlaybackEvent] {
    guard let media = playing?.media else { return [] }
    target = nil
    let wasReady = isReady
    let wasSeeking = isSeeking
    // At the start of the file libmpv's may be a little before it, and behind its end there is none.
    let landing = wasSeeking ? cutLag.target : nil
    position = seconds.flatMap { Self.isPosition($0) ? $0 : nil } ?? landing ?? position
    isReady = true
    isSeeking = false
    forgetReported()
    let told = heard(at: position, isLanding: true)
    snapshot.position = told ?? snapshot.position
    guard wasReady else { return becameReady(media, at: told) }
    return wasSeeking ? told.map { [.seeked(media, to: $0)] } ?? [] : []
  }

  private func becameReady(_ media: MediaID, at position: Duration?) -> [PlaybackEvent] {
    var events = [PlaybackEvent.ready(media)]
    if let duration = snapshot.duration { events.append(.duration(media, duration)) }
    if !snapshot.chapters.isEmpty { events.append(.chapters(media, snapshot.chapters)) }
    if let position { events.append(.position(media, position)) }
    return events
  }

  private mutating func end(_ entry: Int64, _ reason: EndReason) -> [PlaybackEvent] {
    let media = playing?.entry == entry ? playing?.media : expected.removeValue(forKey: entry)
    guard let media else { return [] }
    var events: [PlaybackEvent] = []
    if playing?.entry == entry {
      events = lastPosition(of: media, reason)
      playing = nil
      isReady = false
    }
    // Another media file is waiting already: it is the reason why this one stopped.
    let isReplaced = expected.contains { $0.key != queued }
    return events + [.ended(media, reason == .stopped && isReplaced ? .replaced : reason)]
  }

  /// The last position, where it was too close to the one before: how far playback came decides whether the episode
  /// was heard. All that is decoded by the end of the file will be heard in any case.
  private mutating func lastPosition(of media: MediaID, _ reason: EndReason) -> [PlaybackEvent] {
    guard isReady, !isSeeking, let position = snapshot.position else { return [] }
    let last = reason == .reachedEnd ? Duration(mpvSeconds: position / .seconds(1) + cutLag.lead) ?? position : position
    snapshot.position = last
    return last == reported ? [] : [.position(media, last)]
  }

  private mutating func forgetReported() {
    reported = nil
    ticks.reset()
  }

  private mutating func change(_ property: EngineProperty) -> [PlaybackEvent] {
    switch property {
    case .position(let seconds): return move(to: seconds)
    case .duration(let seconds): return learn(duration: seconds)
    case .isPaused(let isPaused):
      snapshot.isPaused = isPaused
      trimmer.pause()
      cutLag.pause()
      return [.paused(isPaused)]
    case .isBuffering(let isBuffering):
      snapshot.isBuffering = isBuffering
      trimmer.pause()
      cutLag.pause()
      return [.buffering(isBuffering)]
    case .isSilent(let isSilent):
      trimmer.silence(isSilent, at: position ?? 0)
      return []
    case .chapters(let chapters):
      snapshot.chapters = chapters
      return isReady ? playing.map { [.chapters($0.media, chapters)] } ?? [] : []
    }
  }

  private mutating func move(to seconds: Double?) -> [PlaybackEvent] {
    guard let media = playing?.media, let seconds = seconds.flatMap({ lag.heard($0, at: clock()) }),
      Self.isPosition(seconds)
    else { return [] }
    position = seconds
    // Where the seek leads. libmpv may have counted from a newer position than this reducer knew.
    if isSeeking { lead(to: Duration(mpvSeconds: seconds)) }
    guard isReady, !isSeeking, let position = heard(at: seconds) else { return [] }
    // libmpv plays on, so it has refused the seek.
    if let aimedAt, clock() - aimedAt > .seconds(2) { target = nil }
    hasPlayed = true
    snapshot.position = position
    trimmer.played(to: position, at: clock())
    snapshot.timeSaved = trimmer.saved
    guard ticks.passes(position, speed: trimmer.speed) else { return [] }
    reported = position
    return [.position(media, position)]
  }

  /// The position that is heard, where libmpv is at `seconds`.
  private mutating func heard(at seconds: Double?, isLanding: Bool = false) -> Duration? {
    guard let seconds else { return nil }
    let (now, speed) = (clock(), trimmer.speed + lag.difference)
    let heard =
      isLanding ? cutLag.landed(seconds, at: now, speed: speed) : cutLag.heard(seconds, at: now, speed: speed)
    if snapshot.isPaused || snapshot.isBuffering { cutLag.pause() }
    return Duration(mpvSeconds: max(0, heard))
  }

  private static func isPosition(_ seconds: Double) -> Bool { Duration(mpvSeconds: seconds) != nil }

  private mutating func learn(duration seconds: Double?) -> [PlaybackEvent] {
    guard let media = playing?.media, let seconds, let length = Duration(mpvSeconds: seconds) else { return [] }
    snapshot.duration = length
    return isReady ? [.duration(media, length)] : []
  }
}
