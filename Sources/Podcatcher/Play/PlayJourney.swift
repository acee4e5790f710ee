private import Glibc
internal import Playback
package import PodcastModel
package import PodcastStore
private import Synchronization
internal import System
package import Text

/// One playing of podcli, whole: the player lock, the player, the listener, its companions, the status for other
/// processes and their socket, the end by a signal, the side file for a position that the library does not take, and the
/// trimming of the cache.
///
///     let journey = live.playJourney(options)             // libcurl is being loaded from here on
///     guard journey.takeLock() else { … }                 // another podcli plays
///     let ending = await journey.play(episode, …)
///     await journey.letNextIn(store, after: ending, failure)
///     await journey.close(store, care)
package final class PlayJourney: Sendable {
  /// The command line of one playing.
  package struct Options: Sendable {
    /// Ready, but silent until a key is pressed.
    package var isPaused = false
    /// Settings of the command line alone: they go over those of the podcast and those for all.
    package var settings = Settings()
    /// In percent.
    package var volume: Double?
    /// Set from the start.
    package var sleep: SleepTimer.Mode?
    /// False leaves the library and its history as they are.
    package var savesPosition = true
    /// In the background: it needs its socket, and ends when it is left paused.
    package var isDetached = false
    /// A player in the background that is paused, and that no other process is connected to, ends after so long.
    var idleLimit = Duration.seconds(600)
    /// For media controls and notifications.
    package var texts = DesktopTexts(clean: { $0 }, finished: { finished, _ in (finished.episode.title, "") })
    let version: String
    let words: @Sendable (ControlError) -> JSON

    /// All as it is set. The socket names the version, and answers a request that fails with `words`.
    package init(version: String, words: @escaping @Sendable (ControlError) -> JSON) {
      self.version = version
      self.words = words
    }
  }

  /// How playing ended, and with which episode.
  package struct Ending: Sendable {
    /// The verdict on the last episode.
    package var result: Result<EndVerdict, ListenError>
    /// The last episode, which may be another than the first.
    package var last: EpisodeEntry
    /// Its position, where the side file has it instead of the library.
    package var waiting: Duration?
    /// The positions and ends that neither of them took.
    package var lost: LostProgress?
  }

  private let options: Options
  private let player: Player
  private let paths: Paths
  private let statusFile: PlayerStatusFile
  private let reserve = Mutex<DiskReserve?>(nil)
  private let lock = Mutex<PlayerLock?>(nil)
  private let server = Mutex<PlayerServer?>(nil)
  /// The episode that plays, also while the next one is being looked for.
  private let latest = Mutex<EpisodeEntry?>(nil)
  private let companions = Companions()
  private let artwork: Artwork
  private let hasSoundServer: Bool
  private let examine: @Sendable (EpisodeID, Measurable) -> Void
  private let makeLibrary: @Sendable (PodcastStore, _ patience: Duration) -> MediaLibrary
  private let makeSyncer: @Sendable (PodcastStore) -> Syncer

  /// `hasSoundServer` is false where the sound goes past any.
  init(
    _ options: Options, _ player: Player, _ paths: Paths, _ artwork: Artwork, hasSoundServer: Bool,
    examine: @escaping @Sendable (EpisodeID, Measurable) -> Void,
    library: @escaping @Sendable (PodcastStore, _ patience: Duration) -> MediaLibrary,
    syncer: @escaping @Sendable (PodcastStore) -> Syncer
  ) {
    self.options = options
    self.player = player
    self.paths = paths
    self.artwork = artwork
    self.hasSoundServer = hasSoundServer
    self.examine = examine
    makeLibrary = library
    makeSyncer = syncer
    statusFile = PlayerStatusFile(in: paths.runtime)
  }

  /// False while another podcli plays from this library. A player that saves nothing needs no lock where none is to be had.
  package func takeLock() throws(StoreError) -> Bool {
    do throws(StoreError) {
      guard let taken = try PlayerLock(directory: paths.libraryFolder) else { return false }
      lock.withLock { $0 = taken }
      if options.savesPosition {
        reserve.withLock { $0 = makeReserve() }
      }
    } catch {
      guard !options.savesPosition else { throw error }
    }
    return true
  }

  /// Plays `entry` and what follows, until it ends or is stopped; the first episode no further than `stop`. `onStart` is
  /// called before the first sound, with the objects for keys and signals. The last position is saved when this returns.
  package func play(
    _ entry: EpisodeEntry, from start: Listener.Start, until stop: Duration?, in store: PodcastStore,
    _ config: [String: String], report: @escaping @Sendable (Listener.Report) -> Void,
    onStart: (Listener, Shutdown) -> Void
  ) async -> Ending {
    await store.hurry()
    let listener = makeListener(store, config, report)
    latest.withLock { $0 = entry }
    if let reason = startServer(listener) {
      // Nothing else could end a player in the background.
      if options.isDetached { return Ending(result: .failure(.noSocket(reason)), last: entry) }
      report(.noSocket(reason))
    }
    let shutdown = Shutdown(listener) { [self] in
      writeSideFile(listener, store)
    } release: { [self] in
      companions.end(at: listener.nowPlaying?.position)
      release(status(of: listener, as: .stopped))
    } tellOthers: { [self] in
      await tellOthers(store)
    }
    accompany(listener, store, Settings(config: config), report)
    if let sleep = options.sleep { await listener.setSleep(sleep) }
    if let stop { await listener.stop(at: stop) }
    onStart(listener, shutdown)
    let result = await result(of: listener, entry, start)
    let unsaved = listener.unsaved.all
    let lost = write(unsaved, store)
    await shutdown.yieldToSignal()
    companions.end(at: listener.nowPlaying?.position)
    // Playing may have gone on from one episode to the next.
    let (last, now) = (await listener.last ?? entry, listener.nowPlaying?.entry)
    var ending = Ending(result: result, last: now?.episode.id == last.episode.id ? now ?? last : last)
    ending.lost = lost
    if lost == nil { ending.waiting = unsaved.last { $0.episode.id == last.episode.id && !$0.isEnd }?.position }
    return ending
  }

  /// Lets the next player in, which neither a slow server nor a terminal that takes no output is to keep waiting.
  /// `failure`: the reason of the end, which `status` shows where there was no terminal.
  package func letNextIn(
    _ store: PodcastStore, after ending: Ending, _ failure: PlayerLock.LastFailure?
  ) async {
    let told = options.isDetached ? failure : nil
    var last = (try? await PlayerStatus.stopped(store, paths, after: told)) ?? PlayerStatus(state: .stopped)
    if let waiting = ending.waiting {
      (last.episode, last.entry) = (ending.last.episode.id, ending.last)
      last.entry?.status.lastListenTime = waiting
      last.note = told.map { PlayerStatus.ended($0) }
    }
    release(last, told)
  }

  /// Tells other machines, trims the cache of what was streamed, and closes the library.
  package func close(_ store: PodcastStore, _ care: MediaCare) async {
    await tellOthers(store)
    _ = try? await care.trimCache()
    await store.close()
  }

  private func tellOthers(_ store: PodcastStore) async {
    if options.savesPosition { await makeSyncer(store).runQuietly(withServer: true) }
  }

  /// Removes the signs of a player, which other processes read, and lets the next player in; then tells the clients.
  private func release(_ last: PlayerStatus, _ failure: PlayerLock.LastFailure? = nil) {
    let server = server.withLock { server in
      defer { server = nil }
      return server
    }
    server?.removeFile()
    statusFile.remove()
    lock.withLock { lock in
      lock?.endWell(failure)
      lock = nil
    }
    server?.end(last.document)
  }

  // MARK: The socket

  /// Returns the system's reason when there can be no socket.
  private func startServer(_ listener: Listener) -> String? {
    let target = PlayerServer.Target(
      status: { [self] in status(of: listener).document }, isPaused: { listener.isPaused },
      carryOut: { await listener.carryOut($0) }, words: options.words)
    let server = PlayerServer(
      at: paths.socket, target,
      PlayerServer.Options(version: options.version, idleLimit: options.isDetached ? options.idleLimit : nil))
    let reason = errno
    self.server.withLock { $0 = server }
    return server == nil ? String(cString: strerror(reason)) : nil
  }

  /// The status of the player for other processes, also before an episode is open.
  private func status(of listener: Listener, as state: PlayerStatus.State? = nil) -> PlayerStatus {
    var status = listener.status ?? PlayerStatus(state: listener.stateOfOpening)
    if status.entry == nil { status.entry = latest.withLock { $0 } }
    if let state {
      (status.state, status.start) = (state, nil)
    } else {
      (status.pid, status.socket) = (getpid(), paths.socket)
    }
    status.isDetached = options.isDetached
    return status
  }

  // MARK: The listener

  private func makeListener(
    _ store: PodcastStore, _ config: [String: String], _ report: @escaping @Sendable (Listener.Report) -> Void
  ) -> Listener {
    let patience = Settings(config: config)[SettingKeys.networkPatience]
    return Listener(store: store, player: player, library: makeLibrary(store, patience)) { [options] entry in
      // A library that is busy for a moment must not keep the episode from playing.
      let podcast = (try? await store.settings(of: entry.podcast.id)) ?? [:]
      var settings = Listener.Settings(options.settings.over(podcast: podcast, config: config))
      settings.sound.volume = options.volume ?? settings.sound.volume
      settings.savesPosition = options.savesPosition
      return settings
    } report: { [self] event in
      if case .started(let entry, _, _) = event {
        lock.withLock { $0?.announce(entry.episode.id) }
        latest.withLock { $0 = entry }
      }
      report(event)
      companions.take(event)
    } publish: { [self] status, isTick in
      statusFile.publish(status)
      companions.take(status)
      if !isTick { server.withLock { $0?.statusChanged() } }
    } examine: { [examine] in
      examine($0, $1)
    }
  }

  private func accompany(
    _ listener: Listener, _ store: PodcastStore, _ settings: Settings,
    _ report: @escaping @Sendable (Listener.Report) -> Void
  ) {
    let desktop = DesktopLink(listener, settings, options.texts, hasSoundServer: hasSoundServer) { [artwork] entry in
      var address = entry.episode.image
      if address == nil { address = try? await store.podcast(entry.podcast.id)?.image }
      return if let address { await artwork.path(of: address) } else { nil }
    } writeSideFile: { [self] in
      _ = writeSideFile(listener, store)
    }
    let hooks = Hooks(settings, paths) { report(.hookFailed($0)) }
    companions.begin(desktop, hooks.map { PlayerHooks($0) }, PlayerSync(makeSyncer(store)))
  }

  private func result(
    of listener: Listener, _ entry: EpisodeEntry, _ start: Listener.Start
  ) async -> Result<EndVerdict, ListenError> {
    do throws(ListenError) {
      return .success(try await listener.listen(to: entry, from: start, isPaused: options.isPaused))
    } catch {
      return .failure(error)
    }
  }

  // MARK: The side file

  /// The last resort for positions, when the library is locked or full. Returns those that the side file does not take
  /// either.
  private func writeSideFile(_ listener: Listener, _ store: PodcastStore) -> LostProgress? {
    if let now = listener.nowPlaying, let position = now.position {
      // An approximate position whose byte is known is the better one, unless a jump leads elsewhere meanwhile.
      let approximate = now.heardPosition.flatMap { heard in
        let isNear = heard.position < position + .seconds(2) && position < heard.position + .seconds(2)
        return heard.position == position || isNear && !heard.byte.isExact ? heard : nil
      }
      listener.unsaved.keep(
        .init(
          episode: now.entry.episode, position: approximate?.position ?? position, byte: approximate?.byte))
    }
    return write(listener.unsaved.all, store)
  }

  private func write(_ unsaved: [UnsavedProgress.Item], _ store: PodcastStore) -> LostProgress? {
    guard !unsaved.isEmpty else { return nil }
    let pending = unsaved.map { item in
      PendingProgress(
        item.episode, position: item.position, number: store.positionNumbers.next(), byte: item.byte,
        isEnd: item.isEnd, heardAt: item.heardAt)
    }
    // One at a time: a signal may come while the machine goes to sleep.
    return reserve.withLock { reserve in
      var isWritten = PendingProgress.write(pending, in: paths.libraryFolder)
      if !isWritten, [ENOSPC, EDQUOT].contains(errno) {
        reserve?.release()
        reserve = nil
        isWritten = PendingProgress.write(pending, in: paths.libraryFolder)
      }
      let reason = errno
      if reserve == nil { reserve = makeReserve() }
      guard !isWritten else { return nil }
      return LostProgress(
        items: unsaved.map { .init(episode: $0.episode, position: $0.isEnd ? nil : $0.position) },
        isDiskFull: [ENOSPC, EDQUOT].contains(reason), reason: String(cString: strerror(reason)))
    }
  }

  private func makeReserve() -> DiskReserve? {
    DiskReserve(path: paths.libraryFolder + "/progress.reserve", bytes: Self.reserved)
  }

  /// Enough for the side file's draft, its name and its inode.
  private static let reserved = 1 << 16
}
