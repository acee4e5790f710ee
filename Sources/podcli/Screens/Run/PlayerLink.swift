import Dispatch
import PodcastModel
import PodcastStore
import Podcatcher
import Synchronization
import System
import Text

/// The screen's connection to the player of the library, if one runs: its status at each change and each second, and
/// control words to it.
final class PlayerLink: Sendable {
  private let live: Live
  private let store: PodcastStore
  private let send: @Sendable (ScreenEvent) -> Void
  /// Words are sent one after the other.
  private let queue = DispatchQueue(label: "podcli.player")
  private let isFollowing = Mutex(false)
  /// The library has changed since the episode that plays was read from it.
  private let isEntryOld = Mutex(false)
  private let latest = Mutex((state: PlayerStatus.State.stopped, episode: EpisodeID?.none))

  /// Episodes that were asked for, and that no player has yet.
  private let starts = Mutex(0)
  var isStarting: Bool { starts.withLock { $0 > 0 } }

  /// Whether sound is on.
  var isPlaying: Bool { latest.withLock { $0.state == .playing } }

  init(_ live: Live, _ store: PodcastStore, send: @escaping @Sendable (ScreenEvent) -> Void) {
    self.live = live
    self.store = store
    self.send = send
  }

  // MARK: Following

  /// The library has changed, or a player may have started. Follows a player that runs; without one, shows what would be
  /// resumed.
  func look() {
    let isFollowed = isFollowing.withLock { value in
      defer { value = true }
      return value
    }
    guard !isFollowed else { return renewEntry() }
    onThread { [self] in
      let client = PlayerClient.ifReachable(live.paths)
      if let client, let first = try? client.ask(["watch", "1"]) { follow(client, first) }
      isFollowing.withLock { $0 = false }
      Task { await showNoPlayer() }
    }
  }

  /// Shows the episode as the library has it now. While it plays, with the next status: reading it here would wake another
  /// thread for each saved position.
  private func renewEntry() {
    isEntryOld.withLock { $0 = true }
    let (state, episode) = latest.withLock { $0 }
    guard state != .playing, let episode else { return }
    Task { if let entry = try? await store.episode(episode) { send(.entry(entry)) } }
  }

  /// Waits on this thread: a task would wake others for the status of each second.
  private func follow(_ client: PlayerClient, _ first: JSON) {
    var entry: EpisodeEntry?
    var told: PlayerStatus?
    var answer: Result<JSON, ControlError>? = .success(first)
    while case .success(let document)? = answer {
      if let status = PlayerStatus(document: document) {
        show(status, &entry)
        told = status
      }
      answer = client.next()
    }
    let last = latest.withLock { latest in
      defer { latest = (.stopped, nil) }
      return latest.state
    }
    // A player that ends says so in its last status; one that lives may have dropped a screen that did not read. One that
    // was killed holds its lock a moment longer than its connections, and then answers nothing.
    if last != .stopped, PlayerStatus.ofPlayer(live.paths) == nil {
      // A key that comes before the library tells what was played last is for no player any more.
      if var status = told {
        (status.state, status.entry) = (.stopped, entry)
        send(.status(status))
      }
      send(.said(.init(text: "The player has died; space goes on", isError: true, isUntilPlaying: true)))
    }
    send(.libraryChanged)
  }

  /// `entry`: the episode as it was last read.
  private func show(_ status: PlayerStatus, _ entry: inout EpisodeEntry?) {
    let isOld = isEntryOld.withLock { value in
      defer { value = false }
      return value
    }
    if let id = status.episode, isOld || id != entry?.episode.id {
      if let read = read(id) { entry = read } else { isEntryOld.withLock { $0 = true } }
      if entry?.episode.id != id { entry = nil }
    }
    var status = status
    status.entry = entry ?? status.entry
    latest.withLock { $0 = (status.state, status.episode) }
    send(.status(status))
  }

  /// Nil also while the library is busy with something else: the clock goes on meanwhile.
  private func read(_ id: EpisodeID) -> EpisodeEntry? {
    let answer = WaitableState(EpisodeEntry??.none)
    Task {
      let entry = try? await store.episode(id)
      answer.change { $0 = .some(entry) }
    }
    return answer.wait(atMost: .milliseconds(200)) { $0 } ?? nil
  }

  /// A player without a socket is shown, too.
  private func showNoPlayer() async {
    guard let status = try? await PlayerStatus.current(store, live.paths) else { return }
    send(.status(status))
  }

  // MARK: Control words

  /// Sends a control word with its arguments. The player's next status shows what came of it; a message tells the rest.
  func ask(_ words: [String]) {
    queue.async { [self] in
      do throws(ControlError) {
        let document = try PlayerClient(live.paths).ask(words)
        if let text = Self.answer(to: words, document) { send(.said(.init(text: text))) }
      } catch {
        send(.said(.refusal(Failure(error))))
      }
    }
  }

  /// The answer where the line of the player does not show it.
  private static func answer(to words: [String], _ document: JSON) -> String? {
    guard let status = PlayerStatus(document: document) else { return nil }
    switch words.first {
    case "volume", "trim", "boost":
      guard let volume = status.volume, let trim = status.trim, let boost = status.boost else { return nil }
      return PlayingLine.soundText(volume: volume, trim: trim, boost: boost)
    case "bookmark": return "Bookmarked" + (status.position.map { " at " + ClockText.short($0) } ?? "")
    default: return nil
    }
  }

  /// Plays an episode in the player that runs, whichever terminal it is in; without one `start` starts a player, and
  /// returns soon, once it can be reached. Words that come meanwhile wait.
  func play(
    _ id: EpisodeID, at position: Duration?, orStart start: @escaping @Sendable (_ until: () -> Bool) -> Void
  ) {
    starts.withLock { $0 += 1 }
    queue.async { [self] in
      defer { starts.withLock { $0 -= 1 } }
      guard !open(id, at: position) else { return }
      start { PlayerClient.ifReachable(live.paths) != nil }
      look()
    }
  }

  private func open(_ id: EpisodeID, at position: Duration?) -> Bool {
    guard let client = PlayerClient.ifReachable(live.paths) else { return false }
    let time = position.map { ["\($0.inMilliseconds / 1000)s"] } ?? []
    do throws(ControlError) {
      _ = try client.ask(["open", String(id.rawValue)] + time)
      return true
    } catch {
      // A player that refuses, or is still busy with the episode before, is one all the same; not one that is ending.
      if case .silent = error { return false }
      let failure = Failure(error)
      if failure.code == .notPlaying { return false }
      send(.said(.refusal(failure)))
      return true
    }
  }

  /// Returns when every word is sent.
  func finish() async { await withCheckedContinuation { end in queue.async { end.resume() } } }

  /// Stops the player, and waits until it says so; one that is starting, once it can be reached. Returns why it plays on.
  func stop() -> Failure? {
    if isStarting { queue.sync {} }
    do throws(ControlError) {
      // One that is suspended has a socket, and does not answer.
      if LocalSocket.isThere(live.paths.socket) { _ = try PlayerClient(live.paths).ask(["stop"]) }
      return nil
    } catch {
      return if case .noPlayer = error { nil } else { Failure(error) }
    }
  }
}
