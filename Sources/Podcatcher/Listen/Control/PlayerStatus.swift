package import PodcastModel
package import PodcastStore
private import System

/// The state of a player, or of none: `status --json` prints it, and the line under an episode that plays shows it.
package struct PlayerStatus: Hashable, Sendable {
  /// Its name is what `status` prints.
  package enum State: String, Sendable { case stopped, playing, paused, buffering }

  /// The chapter that plays.
  package struct Chapter: Hashable, Sendable {
    /// Counted from 1.
    package var index: Int
    /// As the publisher wrote it.
    package var title: String
    /// How many there are, where the player says so.
    package var count: Int?
  }

  /// Whether sound is on right now.
  package var state: State
  /// The episode that plays, or would be resumed.
  package var episode: EpisodeID?
  /// The same episode with its texts, where it was looked up.
  package var entry: EpisodeEntry?
  /// The process that plays.
  package var pid: Int32?
  /// Its socket, where there is one.
  package var socket: String?
  /// It plays in the background, without a terminal.
  package var isDetached = false
  /// Absent until the media file is ready.
  package var position: Duration?
  /// The position at which a player begins, or began.
  package var start: Duration?
  /// The position was estimated from a byte. It is corrected when the bytes before it are here.
  package var isApproximate = false
  /// The length of the media file, where it is known.
  package var duration: Duration?
  /// Absent where no player publishes it.
  package var speed: Double?
  /// In percent; absent where no player publishes it.
  package var volume: Double?
  /// How much silence is shortened, by name; absent where no player says so.
  package var trim: String?
  /// Absent where no player says so.
  package var boost: Bool?
  /// Decibels by which the episode is made louder or quieter; nil where nothing is known of it.
  package var gain: Double?
  /// The voices of the episode are levelled; absent where no player says so.
  package var isLevelled: Bool?
  /// Absent before the first chapter, and where there are none.
  package var chapter: Chapter?
  /// The end by the sleep timer, where it has a time.
  package var sleepAt: Timestamp?
  /// A message for the listener: that the player waits for the network, or when it will stop.
  package var note: String?

  /// All else unknown.
  package init(state: State, episode: EpisodeID? = nil) {
    self.state = state
    self.episode = episode
  }

  /// The position, or where it will be once the media file is open; without a player the one that is kept.
  package var positionOrKept: Duration? { position ?? start ?? entry?.status.lastListenTime }
  /// The length of the media file, or that which the feed gives.
  package var durationOrAnnounced: Duration? { duration ?? entry?.duration }
}

extension PlayerStatus {
  /// The status of any podcli that plays from this library; stopped, with the episode that `resume` would play. `known` is
  /// an episode that was read just now: the current one is not read again.
  package static func current(
    _ store: PodcastStore, _ paths: Paths, known: EpisodeEntry? = nil
  ) async throws(StoreError) -> PlayerStatus {
    try await of(PlayerLock.holder(in: paths.libraryFolder), store, paths, known: known)
  }

  /// The status after the end of a player.
  static func stopped(
    _ store: PodcastStore, _ paths: Paths, after failure: PlayerLock.LastFailure?
  ) async throws(StoreError) -> PlayerStatus {
    var status = try await of(nil, store, paths)
    status.note = try await note(failure, status.entry, store)
    return status
  }

  private static func of(
    _ holder: PlayerLock.Holder?, _ store: PodcastStore, _ paths: Paths, known: EpisodeEntry? = nil
  ) async throws(StoreError) -> PlayerStatus {
    var entry = known?.status.isCurrentlyPlaying == true ? known : nil
    if let id = holder?.episode, id != entry?.episode.id { entry = try await store.episode(id) }
    if entry == nil { entry = try await store.current() }
    if entry == nil { entry = try await store.resumable(limit: 1).first }
    let id = entry?.episode.id
    let published = holder.flatMap { PlayerStatusFile.read(of: $0.pid, in: paths.runtime) }
    var status = PlayerStatus(state: holder == nil ? .stopped : .playing, episode: id)
    if let published, published.episode == id { status = published }
    status.entry = entry
    status.pid = holder?.pid
    if holder == nil {
      status.note = try await note(PlayerLock.lastFailure(in: paths.libraryFolder), entry, store)
    }
    if holder != nil, LocalSocket.isThere(paths.socket) { status.socket = paths.socket }
    return status
  }

  static func ended(_ failure: PlayerLock.LastFailure) -> String { "ended: " + failure.reason }

  /// Tells why the last player in the background ended, where nothing was heard since.
  private static func note(
    _ failure: PlayerLock.LastFailure?, _ entry: EpisodeEntry?, _ store: PodcastStore
  ) async throws(StoreError) -> String? {
    guard let failure, entry?.status.lastPlayedAt.map({ $0 <= failure.time }) ?? true else { return nil }
    if failure.episode == entry?.episode.id { return ended(failure) }
    let other = try await store.episode(failure.episode)?.episode.title
    return "ended: " + (other.map { "\($0): " } ?? "") + failure.reason
  }

  /// A line for each value, the title last; an unknown value is an empty line.
  var text: String {
    let lines: [String?] = [
      state.rawValue, episode.map { String($0.rawValue) }, positionOrKept.map { String($0.inMilliseconds) },
      durationOrAnnounced.map { String($0.inMilliseconds) }, speed.map { String($0) }, volume.map { String($0) },
      sleepAt.map { String($0.seconds) }, chapter.map { String($0.index) }, chapter?.title,
    ]
    return lines.map { line in line?.split(whereSeparator: \.isNewline).joined(separator: " ") ?? "" }
      .joined(separator: "\n") + "\n"
  }

  init?(text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard lines.count >= 9, let state = State(rawValue: lines[0]), let episode = Int64(lines[1]),
      let speed = Double(lines[4]), let volume = Double(lines[5])
    else { return nil }
    self.init(state: state, episode: EpisodeID(rawValue: episode))
    position = Int64(lines[2]).map { .milliseconds($0) }
    duration = Int64(lines[3]).map { .milliseconds($0) }
    self.speed = speed
    self.volume = volume
    sleepAt = Int64(lines[6]).map { Timestamp(seconds: $0) }
    chapter = Int(lines[7]).map { Chapter(index: $0, title: lines[8]) }
  }
}
