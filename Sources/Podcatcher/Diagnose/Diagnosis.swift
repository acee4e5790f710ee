private import Glibc
internal import Playback
internal import PodcastModel
package import PodcastStore
internal import System
internal import Transfer

/// The journey that examines everything podcli needs on this machine, one thing after the other, and changes nothing.
package struct Diagnosis: Sendable {
  private let paths: Paths
  private let config: ConfigFile
  private let isOffline: Bool
  private let player: @Sendable () -> Player
  private let client: @Sendable () throws(TransferError) -> HTTPClient

  init(
    paths: Paths, config: ConfigFile, isOffline: Bool, player: @escaping @Sendable () -> Player,
    client: @escaping @Sendable () throws(TransferError) -> HTTPClient
  ) {
    self.paths = paths
    self.config = config
    self.isOffline = isOffline
    self.player = player
    self.client = client
  }

  /// `openLibrary` is called only when the library exists.
  package func findings(
    isThorough: Bool, openLibrary: () throws(StoreError) -> PodcastStore
  ) async -> [MachineFinding] {
    var findings = await library(isThorough, openLibrary)
    findings += [space(), .rights(wideFiles), settings()] + hook()
    findings += [.player(PlayerLock.holder(in: paths.libraryFolder)), await audio(), network()]
    return findings
  }

  // MARK: The library

  private func library(
    _ isThorough: Bool, _ open: () throws(StoreError) -> PodcastStore
  ) async -> [MachineFinding] {
    do throws(StoreError) {
      guard try PodcastStore.exists(at: paths.library) else {
        return [.noLibrary(path: paths.library, backup: PodcastStore.backups(of: paths.library).first)]
      }
      let store = try open()
      var findings = [try await contents(store, isThorough), try await feeds(store), try await downloads(store)]
      findings += await sync(store)
      await store.close()
      return findings
    } catch {
      return [.unusableLibrary(error)]
    }
  }

  private func contents(_ store: PodcastStore, _ isThorough: Bool) async throws(StoreError) -> MachineFinding {
    let problems = try await store.problems(isThorough ? .full : .quick)
    guard problems.isEmpty else { return .damagedLibrary(path: paths.library, problems: problems) }
    let podcasts = try await store.podcasts()
    return .library(
      MachineFinding.LibraryFacts(
        path: paths.library, podcasts: podcasts.count, episodes: podcasts.reduce(0) { $0 + $1.episodeCount },
        size: Int64(Files.size(of: paths.library) ?? 0), lacksWAL: try await store.hasClassicJournal(),
        isReadOnly: access(paths.library, W_OK) != 0 || access(paths.libraryFolder, W_OK) != 0))
  }

  private func feeds(_ store: PodcastStore) async throws(StoreError) -> MachineFinding {
    let podcasts = try await store.podcasts()
    return .feeds(failed: podcasts.filter { $0.refreshError != nil || $0.isGone }, count: podcasts.count)
  }

  private func downloads(_ store: PodcastStore) async throws(StoreError) -> MachineFinding {
    let media = try await store.mediaRecords(.complete)
    let missing = media.filter { record in
      record.path.map { access($0.hasPrefix("/") ? $0 : paths.media + "/" + $0, R_OK) != 0 } ?? true
    }
    return .downloads(
      count: media.count, size: try await store.mediaSize(), missing: missing.map(\.episode),
      unnamed: try await UnnamedFiles(store: store, media: paths.media).files())
  }

  /// Nothing where none is set, and the library lies well.
  private func sync(_ store: PodcastStore) async -> [MachineFinding] {
    let settings = Settings(config: (try? config.values()) ?? [:])
    guard let status = try? await Syncer(store: store, data: paths.data, settings: settings).status() else { return [] }
    let server = (try? await ServerStatus(of: store)).map { MachineFinding.server($0) }
    let folder =
      status.folder == nil && syncedFolder == nil ? nil : MachineFinding.sync(status, libraryLiesIn: syncedFolder)
    return [folder, server].compactMap(\.self)
  }

  /// A program that syncs the library's own files would mix the states of two machines.
  private var syncedFolder: String? {
    var folder = paths.libraryFolder
    while let slash = folder.lastIndex(of: "/") {
      if (Files.names(in: folder) ?? []).contains(where: { name in
        name == ".stfolder" || (name.hasPrefix(".sync_") && name.hasSuffix(".db"))
      }) {
        return folder
      }
      folder = String(folder[..<slash])
    }
    return nil
  }

  // MARK: The machine

  /// The folder may not exist yet: then the free space is that of the folder above.
  private func space() -> MachineFinding {
    var folder = paths.libraryFolder
    var space = FreeSpace.at(folder)
    while space == nil, let slash = folder.lastIndex(of: "/"), slash != folder.startIndex {
      folder = String(folder[..<slash])
      space = FreeSpace.at(folder)
    }
    return .space(free: space, folder: paths.libraryFolder)
  }

  /// The files and folders with rights for other users.
  private var wideFiles: [String] {
    let library = Files.target(of: paths.library)
    return [
      paths.data, library, library + "-wal", library + "-shm", paths.data + "/secrets",
      config.path,
    ].filter {
      path in
      var information = stat()
      return stat(path, &information) == 0 && information.st_mode & 0o077 != 0
    }
  }

  /// Takes the rights of other users away.
  package func tightenRights() {
    for path in wideFiles {
      var information = stat()
      if stat(path, &information) == 0 { chmod(path, information.st_mode & 0o700) }
    }
  }

  private func settings() -> MachineFinding {
    do throws(ConfigFile.Mistake) {
      let (values, badLines) = try config.read()
      return badLines.isEmpty
        ? .settings(path: config.path, .success(values.count)) : .badSettings(path: config.path, badLines)
    } catch {
      return .settings(path: config.path, .failure(error))
    }
  }

  /// Nothing where none is set.
  private func hook() -> [MachineFinding] {
    let program = Settings(config: (try? config.values()) ?? [:])[SettingKeys.hook]
    return program.isEmpty ? [] : [.hook(program: program, HookNote(paths).failure(of: program))]
  }

  private func audio() async -> MachineFinding {
    do throws(PlaybackError) {
      try await SoundCheck(player()).run()
      return .audio(nil)
    } catch {
      return .audio(PlaybackFailure(error))
    }
  }

  private func network() -> MachineFinding {
    if isOffline { return .offline }
    do throws(TransferError) {
      _ = try client()
      return .network(nil)
    } catch {
      return .network(NetworkFailure(error))
    }
  }
}
