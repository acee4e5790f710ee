private import Playback
internal import PodcastModel
internal import PodcastStore
private import Text

/// The episode to play where one cannot be played; the wait for the network.
extension Listener {
  typealias Instead = (entry: EpisodeEntry, start: Start, isPaused: Bool)

  /// The way out of an episode, and back.
  struct Departure: Sendable {
    let from: EpisodeEntry
    let at: Duration?
    let stop: Duration?
    let isPaused: Bool
    /// It had ended: nothing leads back.
    let isOver: Bool
    var asked: Request?
    /// Those that could not be played since.
    var tried: Set<EpisodeID> = []
    /// Those that no server answered for, in turn, since the network was waited for last, and how they were to start.
    var unanswered: [(entry: EpisodeEntry, start: Start)] = []

    var hasWayBack: Bool { asked != nil && !isOver }
  }

  /// The episode to play instead of one that cannot be played: the next one in turn, unless the reason would keep that
  /// from playing, too: where a server is away, the next one that is on this machine or another server. Without one, the
  /// episode that a key or control word has left, or the same once more.
  func instead(
    of entry: EpisodeEntry, from start: Start, _ error: ListenError, _ departure: inout Departure?, _ settings: Settings
  ) async -> Instead? {
    guard var left = departure, !hasBegun(entry) else { return nil }
    defer { departure = left }
    if error.isOfNetwork, !left.hasWayBack {
      left.unanswered.append((entry, start))
      if let other = await reachable(besides: left, settings) {
        tellPassed(entry, error)
        stopPosition = nil
        return (await upToDate(other), .resume, isPaused: false)
      }
    } else if error.isOfEpisode || left.hasWayBack && error.isOfMedium {
      left.tried.insert(entry.episode.id)
      passedOver.insert(entry.episode.id)
      if error.isOfEpisode, let following = await following(left, after: entry, settings) {
        tellPassed(entry, error)
        return (await upToDate(following), .resume, isPaused: false)
      }
      if left.hasWayBack, entry.episode.id != left.from.episode.id { return await goBack(from: entry, error, &left) }
    }
    return await awaitNetwork(error, &left, settings)
  }

  private func goBack(from entry: EpisodeEntry, _ error: ListenError, _ left: inout Departure) async -> Instead {
    // They may be there later.
    passedOver.subtract(left.tried.union([left.from.episode.id]))
    if heardBefore.last?.episode.id == left.from.episode.id { heardBefore.removeLast() }
    stopPosition = left.stop
    playing.refuse(entry, error)
    tellPassed(entry, error)
    left.asked = nil
    return (await upToDate(left.from), left.at.map { .at($0) } ?? .resume, left.isPaused)
  }

  private func following(_ left: Departure, after entry: EpisodeEntry, _ settings: Settings) async -> EpisodeEntry? {
    // A podcast whose server is gone is not asked for each of its episodes.
    guard left.tried.count < Self.mostTried else { return nil }
    switch left.asked {
    case .next?: return await requested(after: entry, settings)
    case nil: return try? await next(after: entry, settings.autoplay)
    default: return nil
    }
  }

  private static let mostTried = 50

  func tellPassed(_ entry: EpisodeEntry, _ error: ListenError) {
    playing.passOver(entry)
    report(.cannotPlay(entry, error))
  }

  // MARK: The network

  /// The next one that needs no network, or else the next one on another server. Those of the queue that are passed over
  /// come up again. Any other would not: it is waited for first.
  private func reachable(besides left: Departure, _ settings: Settings) async -> EpisodeEntry? {
    let wait = networkWait ?? NetworkWait(from: followsSince)
    let isLastAttempt = !player.isPauseWanted && wait.isOver(at: clock(), patience: library.patience)
    guard settings.autoplay != .off, wait.attempts > 0 || isLastAttempt, let first = left.unanswered.first?.entry else {
      return nil
    }
    let queue = (try? await store.queue()) ?? []
    let isQueued = queue.contains { $0.episode.id == first.episode.id }
    guard isQueued || isLastAttempt else { return nil }
    var candidates = queue
    if settings.autoplay == .next, isLastAttempt { candidates += await successors(of: first) }
    let unanswered = Set(left.unanswered.map(\.entry.episode.id))
    let besides = passedOver.union(unsaved.ends).union(left.tried).union(unanswered)
    candidates.removeAll { besides.contains($0.episode.id) }
    for candidate in candidates where candidate.needsNoNetwork {
      if await library.isHere(candidate) { return candidate }
    }
    // Two servers that are away are most likely the network.
    guard unanswered.count == 1, wait.asksOthers || isLastAttempt else { return nil }
    return candidates.first { candidate in candidate.server.map { $0 != first.server } ?? false }
  }

  private func successors(of entry: EpisodeEntry) async -> [EpisodeEntry] {
    var successors: [EpisodeEntry] = []
    // Episodes without dates may follow each other in a circle.
    while successors.count < Self.mostTried,
      let next = try? await store.next(after: (successors.last ?? entry).episode.id)
    {
      successors.append(next)
    }
    return successors
  }

  /// An episode that follows by itself is not given up at once: the user may be asleep, and the network back in a moment.
  /// Waits a little, and returns the first one that no server answered for. Nil where the patience is over.
  private func awaitNetwork(
    _ error: ListenError, _ left: inout Departure, _ settings: Settings
  ) async -> Instead? {
    guard error.isOfNetwork || error.isOfEpisode, request == nil, let first = left.unanswered.first else { return nil }
    var wait = networkWait ?? NetworkWait(from: followsSince)
    // A pause has no end of its own.
    if !player.isPauseWanted, wait.isOver(at: clock(), patience: library.patience) { return nil }
    wait.tryAgain()
    if await isQueued(first.entry) { wait.queued.insert(first.entry.episode.id) }
    playing.setNote("waiting for the network")
    var (now, isPaused) = (clock(), !player.isPauseWanted)
    let end = now + NetworkWait.pause
    while request == nil, now < end || player.isPauseWanted {
      if isPaused != player.isPauseWanted {
        isPaused.toggle()
        keepSleepFromPause()
        publishStatus(isTick: false)
      }
      try? await Task.sleep(for: .milliseconds(50))
      now = clock()
      if player.isPauseWanted { wait.begin(at: now) }
    }
    keepSleepFromPause()
    networkWait = wait
    playing.setNote(sleepNote)
    left.unanswered = []
    guard request == nil else { return nil }
    if await isStillWanted(first.entry, wait) {
      return (await upToDate(first.entry), first.start, isPaused: false)
    }
    if let next = try? await next(after: first.entry, settings.autoplay) { return (next, .resume, isPaused: false) }
    // Nothing follows, which is no failure.
    ask(for: .stop)
    return nil
  }

  /// It was not marked as played meanwhile, nor taken out of the queue.
  private func isStillWanted(_ entry: EpisodeEntry, _ wait: NetworkWait) async -> Bool {
    if wait.queued.contains(entry.episode.id), await !isQueued(entry) { return false }
    guard let current = try? await store.episode(entry.episode.id) else { return true }
    return entry.status.hasCompleted || !current.status.hasCompleted
  }

  private func isQueued(_ entry: EpisodeEntry) async -> Bool {
    (try? await store.queue())?.contains { $0.episode.id == entry.episode.id } ?? false
  }
}

extension EpisodeEntry {
  /// The server of its media file, by its name and port; nil for a file on this machine.
  fileprivate var server: String? {
    episode.enclosure.flatMap { WebURL($0.url).authority }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// As the library has it; the file may be gone.
  fileprivate var needsNoNetwork: Bool { download?.state == .complete || server == nil }
}
