/// Turns libmpv's events into a player's. Pure, so that every order of events can be tested.
///
/// libmpv tells positions of a medium that is only opening, or of the one before; none counts until
/// "restarted" has come for the medium that was started last.
struct EventReducer {
  private(set) var snapshot = PlaybackSnapshot()
  private var trimmer = SilenceTrimmer(Sound())
  private let clock: () -> Duration
  private static let beginning = ContinuousClock.now
  private var expected: [Int64: MediaID] = [:]
  /// The expected one that follows by itself.
  private var queued: Int64?
  private var playing: (entry: Int64, media: MediaID)?
  private var isReady = false
  private var isSeeking = false
  /// What libmpv last said; shown only once it counts.
  private var position: Duration?
  /// What was last told.
  private var told: Duration?
  /// As long as nobody needs them closer, positions come so far apart, by the clock.
  private static let grain = Duration.milliseconds(80)

  init(clock: @escaping () -> Duration = { ContinuousClock.now - EventReducer.beginning }) { self.clock = clock }

  /// What the engine has to play at: the listener's speed, or more in silence.
  var speed: Double { trimmer.speed }
  /// A factor on the volume, whatever becomes of that.
  var fade = 1.0
  var volume: Double { snapshot.sound.volume * fade }

  mutating func change(_ sound: Sound) -> [PlaybackEvent] {
    trimmer.change(sound)
    snapshot.sound = sound
    return [.sound(sound)]
  }

  /// Something has been heard of a medium since the engine was started.
  private(set) var hasPlayed = false

  /// The expected ones in their order.
  private var waiting: [MediaID] { expected.sorted { $0.key < $1.key }.map(\.value) }

  /// What was loaded or queued before and has not been started never will be, and libmpv says nothing of it.
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

  /// libmpv tells how one ends that has begun.
  mutating func unqueue(_ media: MediaID) -> [PlaybackEvent] {
    guard playing?.media != media, let entry = entry(of: media) else { return [] }
    expected[entry] = nil
    queued = nil
    return [.ended(media, .replaced)]
  }

  /// The engine is gone, and all that it had with it.
  mutating func lost(_ error: PlaybackError) -> [PlaybackEvent] {
    let gone = (playing.map { [$0.media] } ?? []) + waiting
    playing = nil
    expected = [:]
    queued = nil
    isReady = false
    hasPlayed = false
    return gone.map { .ended($0, .failed(error)) }
  }

  /// libmpv says nothing of a medium that was stopped before it was started.
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
    case .opened(let duration): learn(duration: duration)
    case .seeking: seeking()
    case .restarted(let place): restarted(at: place)
    case .ended(let entry, let reason): end(entry, reason)
    case .property(let property): change(property)
    case .shutdown: []
    }
  }

  private mutating func start(_ entry: Int64) -> [PlaybackEvent] {
    playing = expected.removeValue(forKey: entry).map { (entry, $0) }
    if queued == entry { queued = nil }
    isReady = false
    isSeeking = false
    position = nil
    told = nil
    trimmer = SilenceTrimmer(snapshot.sound)
    snapshot.timeSaved = .zero
    snapshot.media = playing?.media
    snapshot.position = nil
    snapshot.duration = nil
    snapshot.chapter = nil
    snapshot.chapters = []
    return []
  }

  private mutating func seeking() -> [PlaybackEvent] {
    isSeeking = isReady
    trimmer.jump()
    return []
  }

  private mutating func restarted(at place: Double?) -> [PlaybackEvent] {
    guard let media = playing?.media else { return [] }
    position = place.flatMap { Duration(mpvSeconds: $0) } ?? position
    let wasReady = isReady
    let wasSeeking = isSeeking
    isReady = true
    isSeeking = false
    told = nil
    snapshot.position = position ?? snapshot.position
    guard wasReady else { return becameReady(media) }
    return wasSeeking ? position.map { [.seeked(media, to: $0)] } ?? [] : []
  }

  private func becameReady(_ media: MediaID) -> [PlaybackEvent] {
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
      events = untold(of: media)
      playing = nil
      isReady = false
    }
    // Another medium is waiting already: it is the reason why this one stopped.
    let isReplaced = expected.contains { $0.key != queued }
    return events + [.ended(media, reason == .stopped && isReplaced ? .replaced : reason)]
  }

  /// What was too close to the position before: how far it came tells whether it was heard.
  private func untold(of media: MediaID) -> [PlaybackEvent] {
    guard isReady, !isSeeking, let place = snapshot.position, place != told else { return [] }
    return [.position(media, place)]
  }

  private mutating func change(_ property: EngineProperty) -> [PlaybackEvent] {
    switch property {
    case .position(let seconds): return move(to: seconds)
    case .duration(let seconds): return learn(duration: seconds)
    case .isPaused(let isPaused):
      snapshot.isPaused = isPaused
      trimmer.pause()
      return [.paused(isPaused)]
    case .isBuffering(let isBuffering):
      snapshot.isBuffering = isBuffering
      trimmer.pause()
      return [.buffering(isBuffering)]
    case .isSilent(let isSilent):
      trimmer.silence(isSilent)
      return []
    case .chapter(let index):
      snapshot.chapter = index
      return isReady ? playing.map { [.chapter($0.media, index: index)] } ?? [] : []
    case .chapters(let chapters):
      snapshot.chapters = chapters
      return isReady ? playing.map { [.chapters($0.media, chapters)] } ?? [] : []
    }
  }

  private mutating func move(to seconds: Double?) -> [PlaybackEvent] {
    guard let media = playing?.media, let seconds, let place = Duration(mpvSeconds: seconds) else { return [] }
    position = place
    guard isReady, !isSeeking else { return [] }
    hasPlayed = true
    snapshot.position = place
    trimmer.played(to: place, at: clock())
    snapshot.timeSaved = trimmer.saved
    if let told, place >= told, place - told < Self.grain * trimmer.speed { return [] }
    told = place
    return [.position(media, place)]
  }

  private mutating func learn(duration seconds: Double?) -> [PlaybackEvent] {
    guard let media = playing?.media, let seconds, let length = Duration(mpvSeconds: seconds) else { return [] }
    snapshot.duration = length
    return isReady ? [.duration(media, length)] : []
  }
}

extension Duration {
  fileprivate init?(mpvSeconds seconds: Double) {
    guard seconds >= 0, seconds < 1e10 else { return nil }
    self = .milliseconds(Int64((seconds * 1000).rounded()))
  }
}
