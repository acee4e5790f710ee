internal import Desktop
private import Dispatch
internal import Playback
package import PodcastModel
internal import PodcastStore
private import Synchronization
private import System

/// Connects a player with the desktop: media keys and controls, the sleep of the machine, headphones, and a notification
/// when an episode has ended. It begins with the first sound, so that it never delays it.
final class DesktopLink: Sendable {
  private struct State {
    var publication: MediaPublication
    var bus: DesktopBus?
    var sound: SoundServer?
    var jumps: Observation?
    var episode: EpisodeID?
    var isPlaying = false
    /// Paused for the sleep of the machine.
    var sleptWhilePlaying = false
    /// To be named with the one that follows.
    var finished: EpisodeEntry?
    var isOver = false
  }

  private let listener: Listener
  private let settings: Settings
  private let texts: DesktopTexts
  private let picture: @Sendable (EpisodeEntry) async -> String?
  private let hasSoundServer: Bool
  private let writeSideFile: @Sendable () -> Void
  private let state: Mutex<State>

  /// `picture` finds the path of an episode's picture. `hasSoundServer` is false where the sound goes past any.
  /// `writeSideFile` keeps the position where the library does not take it.
  init(
    _ listener: Listener, _ settings: Settings, _ texts: DesktopTexts, hasSoundServer: Bool,
    picture: @escaping @Sendable (EpisodeEntry) async -> String?, writeSideFile: @escaping @Sendable () -> Void
  ) {
    self.listener = listener
    self.settings = settings
    self.texts = texts
    self.hasSoundServer = hasSoundServer
    self.picture = picture
    self.writeSideFile = writeSideFile
    state = Mutex(State(publication: MediaPublication(clean: texts.clean)))
  }

  /// Leaves the desktop.
  func close() {
    let finished = state.withLock { state in
      defer {
        (state.bus, state.sound, state.jumps, state.finished) = (nil, nil, nil, nil)
        state.isOver = true
      }
      return state.finished
    }
    if let finished { notify(finished, nil) }
  }

  // MARK: From the player

  func take(_ status: PlayerStatus) {
    let sound = listener.player.snapshot.sound
    let isNew = state.withLock { state in
      let isUneven = sound.speed != 1 || sound.trim != .off
      guard !state.isOver, let news = state.publication.take(status, isUneven: isUneven, at: Monotonic.now()) else {
        return false
      }
      show(news, &state)
      noticePlaying(news.state.playback == .playing, &state)
      defer { state.episode = status.episode }
      return state.episode != status.episode
    }
    if status.state == .playing { listener.forgetHeadphones() }
    if isNew, let entry = status.entry { showPicture(of: entry) }
  }

  func take(_ report: Listener.Report) {
    switch report {
    case .finished(let entry): state.withLock { $0.finished = entry }
    case .started(let next, _, _):
      let finished = state.withLock { state in
        defer { state.finished = nil }
        return state.finished
      }
      if let finished { notify(finished, next) }
    default: break
    }
  }

  private func show(_ news: MediaPublication.News, _ state: inout State) {
    if let bus = state.bus { return bus.show(news.state, jumpedTo: news.jump) }
    let bus = DesktopBus(MediaIdentity(name: "podcli", rates: Sound.speeds)) { [listener] in
      listener.status?.positionOrKept ?? .zero
    } handle: { [weak self] event in
      self?.obey(event)
    }
    bus.show(news.state, jumpedTo: news.jump)
    state.bus = bus
    state.jumps = listener.player.observe(Jumps()) { [weak bus] in bus?.jumped(to: $0) }
    guard settings[SettingKeys.headphones] == .pause, hasSoundServer else { return }
    state.sound = SoundServer { [listener] _ in listener.headphonesGone() }
  }

  private func noticePlaying(_ isPlaying: Bool, _ state: inout State) {
    guard isPlaying != state.isPlaying else { return }
    state.isPlaying = isPlaying
    state.bus?.keepAwake(isPlaying ? settings[SettingKeys.keepAwake].wakefulness : .none)
    // After a pause there may be another sound server.
    if isPlaying { state.sound?.watch() }
  }

  /// The picture may have to be fetched first.
  private func showPicture(of entry: EpisodeEntry) {
    guard DesktopNotification.hasDesktop() else { return }
    Task(priority: .background) { [weak self, picture] in
      guard let path = await picture(entry), let self else { return }
      self.state.withLock { $0.publication.setPicture(path, of: entry.episode.id) }
      if let status = self.listener.status { self.take(status) }
    }
  }

  private func notify(_ finished: EpisodeEntry, _ next: EpisodeEntry?) {
    guard settings[SettingKeys.notifyPlaying] else { return }
    let (summary, body) = texts.finished(finished, next)
    let notification = DesktopNotification(summary: summary, body: body)
    notification?.leave()
  }

  // MARK: From the desktop

  private func obey(_ event: DesktopEvent) {
    switch event {
    case .play: listener.perform(.play)
    case .pause: listener.perform(.pause)
    case .playPause: listener.perform(.toggle)
    case .stop, .quit: listener.perform(.stop)
    case .next: step(forward: true)
    case .previous: step(forward: false)
    case .seek(let offset): seekOrPerform(.seek(.relative(offset)))
    case .setPosition(let position): listener.perform(.seek(.at(position)))
    case .setRate(let rate): listener.perform(rate > 0 ? .speed(.to(rate)) : .pause)
    case .setVolume(let volume): listener.perform(.volume(.to(volume * 100)))
    case .prepareForSleep(true): prepareForSleep()
    case .prepareForSleep(false): wakeUp()
    case .headphonesGone: listener.headphonesGone()
    }
  }

  private func step(forward isForward: Bool) {
    let hasChapters = listener.nowPlaying?.chapters.isEmpty == false
    seekOrPerform(settings[SettingKeys.mediaKeys].command(forward: isForward, hasChapters: hasChapters))
  }

  /// A step over the end leads to the next episode, as MPRIS wants it; the position is kept.
  private func seekOrPerform(_ command: PlayerCommand) {
    if case .seek(.relative(let offset)) = command, let now = listener.nowPlaying?.snapshot,
      let position = now.position, let duration = now.duration, position + offset >= duration
    {
      listener.perform(.next)
    } else {
      listener.perform(command)
    }
  }

  // MARK: Sleep

  /// How long the library may take before the side file is used instead.
  private static let patience = DispatchTimeInterval.seconds(2)

  private func prepareForSleep() {
    state.withLock { $0.sleptWhilePlaying = !listener.isPaused }
    let isSaved = Once()
    let end: @Sendable (_ isWritten: Bool) -> Void = { [weak self] isWritten in
      guard isSaved.claim() else { return }
      if !isWritten { self?.writeSideFile() }
      self?.state.withLock { $0.bus?.allowSleep() }
    }
    DispatchQueue(label: "podcli.sleep").asyncAfter(deadline: .now() + Self.patience) { end(false) }
    Task { [listener] in end(await listener.pauseAndSave()) }
  }

  private func wakeUp() {
    let goesOn = state.withLock { state in
      defer { state.sleptWhilePlaying = false }
      return state.sleptWhilePlaying && settings[SettingKeys.wake] == .goOn
    }
    if goesOn { listener.perform(.play) }
  }
}

/// Says yes to the first caller only.
private final class Once: Sendable {
  private let isUsed = Atomic(false)

  func claim() -> Bool {
    isUsed.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
  }
}

/// Finds the jumps.
private struct Jumps: EventFilter {
  mutating func take(_ event: PlaybackEvent) -> [Duration] {
    if case .seeked(_, let position) = event { [position] } else { [] }
  }
}

/// The words for a desktop.
package struct DesktopTexts: Sendable {
  /// One line of a text, without control characters.
  package var clean: @Sendable (String) -> String
  /// A notification: an episode has ended, and another follows, or none.
  package var finished: @Sendable (EpisodeEntry, _ next: EpisodeEntry?) -> (summary: String, body: String)

  package init(
    clean: @escaping @Sendable (String) -> String,
    finished: @escaping @Sendable (EpisodeEntry, _ next: EpisodeEntry?) -> (summary: String, body: String)
  ) {
    self.clean = clean
    self.finished = finished
  }
}

extension SettingKeys.KeepAwake {
  fileprivate var wakefulness: Wakefulness {
    switch self {
    case .on: .system
    case .idle: .session
    case .off: .none
    }
  }
}
