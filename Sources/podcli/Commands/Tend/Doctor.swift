import CommandKit
import Glibc
import Playback
import PodcastModel
import PodcastStore
import Podcatcher
import System
import Transfer

/// Looks at everything podcli needs, one thing after the other.
struct Doctor: Sendable {
  let context: Context
  var isThorough: Bool
  private var live: Live { context.live }

  init(_ context: Context, isThorough: Bool) {
    self.context = context
    self.isThorough = isThorough
  }

  func findings() async -> [Finding] {
    await library() + [space(), settings(), player(), await audio(), network()]
  }

  // MARK: The library

  private func library() async -> [Finding] {
    let path = live.paths.library
    guard access(path, F_OK) == 0 else {
      return [.fine("library", "there is none yet; the first podcli subscribe makes \(path)")]
    }
    do throws(Failure) {
      return try await context.withStore(.readOnly) { store in
        [try await soundness(store, path), try await feeds(store), try await downloads(store)]
      }
    } catch {
      return [.bad("library", error)]
    }
  }

  private func soundness(_ store: PodcastStore, _ path: String) async throws -> Finding {
    let problems = try await store.problems(isThorough ? .full : .quick)
    guard let first = problems.first else {
      let podcasts = try await store.podcasts()
      let episodes = podcasts.reduce(0) { $0 + $1.episodeCount }
      let size = SizeText.short(Self.size(of: path))
      let text = "\(path): \(counted(podcasts.count, "podcast")), \(counted(episodes, "episode")), \(size)"
      guard try await store.hasClassicJournal() else { return .fine("library", text) }
      return .doubtful(
        "library", "\(text); \(Context.lacksWAL), so one podcli may have to wait for another",
        hint: "PODCLI_HOME or --library names a folder on a disk of this machine")
    }
    let rest = problems.count > 1 ? ", and \(problems.count - 1) more" : ""
    return .bad(
      "library",
      Failure(
        .damagedLibrary, "\(path): \(first)\(rest)",
        hint: "podcli doctor --repair may mend it; podcli backup --list shows older copies"))
  }

  private func feeds(_ store: PodcastStore) async throws -> Finding {
    let podcasts = try await store.podcasts()
    let ill = podcasts.filter { $0.refreshError != nil || $0.isGone }
    guard let first = ill.first else { return .fine("feeds", "no podcast failed at its last refresh") }
    let titles = ill.prefix(3).map(\.title).joined(separator: ", ") + (ill.count > 3 ? ", …" : "")
    return .doubtful(
      "feeds", "\(ill.count) of \(podcasts.count) failed at the last refresh: \(titles)",
      hint: "podcli info \(first.id.rawValue) --podcast says why")
  }

  private func downloads(_ store: PodcastStore) async throws -> Finding {
    let media = try await store.media(.complete)
    let missing = media.filter { medium in
      medium.path.map { access($0.hasPrefix("/") ? $0 : live.paths.media + "/" + $0, R_OK) != 0 } ?? true
    }
    guard let first = missing.first else {
      return .fine("downloads", "\(counted(media.count, "file")), \(SizeText.short(try await store.mediaSize()))")
    }
    return .doubtful(
      "downloads", "\(missing.count) of \(counted(media.count, "file")) cannot be read",
      hint: "podcli info \(first.episode.rawValue) shows one of them; it is streamed instead")
  }

  private static func size(of path: String) -> Int64 {
    var information = stat()
    return stat(path, &information) == 0 ? Int64(information.st_size) : 0
  }

  // MARK: Around it

  /// Below this a download may be the last straw.
  private static let littleSpace: Int64 = 200_000_000

  private func space() -> Finding {
    var folder = live.paths.data
    var space = FreeSpace.at(folder)
    while space == nil, let slash = folder.lastIndex(of: "/"), slash != folder.startIndex {
      folder = String(folder[..<slash])
      space = FreeSpace.at(folder)
    }
    guard let free = space else { return .doubtful("space", "\(live.paths.data) cannot be looked at", hint: nil) }
    let text = "\(SizeText.short(free)) free for \(live.paths.data)"
    return free < Self.littleSpace
      ? .doubtful("space", text, hint: "podcli keeps every place, but has no room for downloads") : .fine("space", text)
  }

  private func settings() -> Finding {
    do throws(Failure) {
      let count = try context.config().count
      return .fine("settings", "\(live.config.path): \(counted(count, "setting"))")
    } catch {
      return .bad("settings", error)
    }
  }

  private func player() -> Finding {
    guard let holder = live.otherPlayer() else { return .fine("player", "no podcli is playing") }
    return .fine("player", "pid \(holder.pid) is playing" + (holder.episode.map { " \($0.rawValue)" } ?? ""))
  }

  private func audio() async -> Finding {
    if !context.console.isVerbose { StandardError.keepLibrariesQuiet() }
    do throws(PlaybackError) {
      try await SoundCheck(live.player()).run()
      return .fine("audio", "libmpv plays" + (Environment.process["PODCLI_AO"].map { " to \($0)" } ?? ""))
    } catch {
      return .bad("audio", Failure(error, about: "a moment of silence"))
    }
  }

  private func network() -> Finding {
    if live.isOffline { return .fine("network", "not looked at, as --offline was given") }
    do throws(TransferError) {
      _ = try live.client()
      return .fine("network", "libcurl is there")
    } catch {
      return .bad("network", Failure(error, about: "the network"))
    }
  }
}
