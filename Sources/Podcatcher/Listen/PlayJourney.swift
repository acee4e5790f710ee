internal import Playback
package import PodcastModel
package import PodcastStore
private import Synchronization

/// One playing of podcli, whole: the player lock, the player, the listener, the status for other processes, the end by a
/// signal, the side file for a position that the library does not take, and the trimming of the cache.
///
///     let journey = live.playJourney(options)             // libmpv is being loaded from here on
///     guard journey.takeLock() else { … }                 // another podcli plays
///     let ending = await journey.play(episode, …)
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

    /// All as it is set.
    package init() {}
  }

  /// How playing ended, and with which episode.
  package struct Ending: Sendable {
    /// The verdict on the last episode.
    package var result: Result<EndVerdict, ListenError>
    /// The last episode, which may be another than the first.
    package var last: EpisodeEntry
  }

  private let options: Options
  private let player: Player
  private let paths: Paths
  private let statusFile: PlayerStatusFile
  private let lock = Mutex<PlayerLock?>(nil)
  private let makeLibrary: @Sendable (PodcastStore, _ patience: Duration) -> MediaLibrary

  init(
    _ options: Options, _ player: Player, _ paths: Paths,
    library: @escaping @Sendable (PodcastStore, _ patience: Duration) -> MediaLibrary
  ) {
    self.options = options
    self.player = player
    self.paths = paths
    makeLibrary = library
    statusFile = PlayerStatusFile(in: paths.runtime)
  }

  /// False while another podcli plays from this library.
  package func takeLock() -> Bool {
    lock.withLock { lock in
      lock = PlayerLock(directory: paths.data)
      return lock != nil
    }
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
    let shutdown = Shutdown(listener) { [self] in
      listener.nowPlaying.map { writeSideFile($0, store) }
    } release: { [self] in
      release()
    }
    if let sleep = options.sleep { await listener.setSleep(sleep) }
    if let stop { await listener.stop(at: stop) }
    onStart(listener, shutdown)
    let result = await result(of: listener, entry, start)
    if let unsaved = await listener.unsaved { write(unsaved, store) }
    await shutdown.yieldToSignal()
    statusFile.remove()
    // Playing may have gone on from one episode to the next.
    return Ending(result: result, last: listener.nowPlaying?.entry ?? entry)
  }

  /// Trims the cache of what was streamed, closes the library, and lets the next player in.
  package func close(_ store: PodcastStore, _ care: MediaCare) async {
    _ = try? await care.trimCache()
    await store.close()
    release()
  }

  /// Removes the signs of a player, which other processes read.
  private func release() {
    statusFile.remove()
    lock.withLock { $0?.endWell() }
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
      if case .started(let entry, _) = event { lock.withLock { $0?.announce(entry.episode.id) } }
      report(event)
    } publish: { [statusFile] status in
      statusFile.publish(status)
    }
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

  /// The last resort for a position, when the library is locked or full.
  private func writeSideFile(_ now: NowPlaying, _ store: PodcastStore) {
    guard let position = now.position else { return }
    // An approximate position whose byte is known is the better one: it is of this very moment, or nearly.
    let approximate = now.approximatePosition
    write(
      UnsavedPosition(
        episode: now.entry.episode.id, position: approximate?.position ?? position, byte: approximate?.byte), store)
  }

  private func write(_ unsaved: UnsavedPosition, _ store: PodcastStore) {
    let number = store.positionNumbers.next()
    PendingProgress(episode: unsaved.episode, position: unsaved.position, number: number, byte: unsaved.byte)
      .write(in: paths.data)
  }
}
