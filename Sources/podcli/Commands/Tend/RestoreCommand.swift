import CommandKit
import Glibc
import PodcastModel
import PodcastStore
import Podcatcher
import System
import Text

enum RestoreCommand {
  private static let file = OptionalArgument("FILE", kind: .file, help: "a backup")
  private static let startAnew = Flag("start-anew", help: "put an empty library in the place of a damaged one")

  static let entry = CommandEntry(
    command: Command(
      "restore", summary: "put a backup in the library's place",
      discussion: """
        The backup is looked at before anything is touched, and the library that was there is kept beside it under \
        another name. Nothing else may be using the library. A damaged library is refused by every command until it is \
        replaced here; where there is no backup, --start-anew begins an empty one.
        """,
      arguments: [file], options: [startAnew],
      examples: [
        Example("podcli restore ~/podcli.db", "as it was then"),
        Example("podcli restore --start-anew", "give up a damaged library, which is kept"),
      ])
  ) { invocation, context throws(Failure) in
    guard (invocation[file] == nil) == invocation[startAnew] else {
      throw Failure(.usage, "restore takes a FILE, or --start-anew", hint: "podcli backup --list shows the backups")
    }
    let live = context.live
    do throws(StoreError) { try PodcastStore.refuseLostLink(at: live.paths.library) } catch { throw Failure(error) }
    let folder = live.paths.libraryFolder
    guard Files.makeFolder(folder), access(folder, W_OK) == 0 else {
      throw Failure(.library, "the library cannot be written: \(folder)", hint: "another folder: --library DIR")
    }
    let lock = try lock(live)
    defer { withExtendedLifetime(lock) {} }
    guard let backup = invocation[file] else { return try beginEmpty(context) }
    try restore(backup, context)
    // No sync yet: it would bring back later changes, which podcli sync reset --mine keeps away.
    let store = try context.openStore(.readOnly)
    try await context.using(store) { store in
      let unnamed = try await live.unnamedFiles(store: store).files()
      if unnamed.contains(where: \.isWhole) {
        context.console.say("Media files that came since are on the disk: podcli doctor --fix takes them in")
      }
      let gone = try await live.downloadFiles(store: store).entries().count { $0.download?.state == .failed }
      if gone > 0 {
        context.console.say("\(counted(gone, "download")) failed or not on this machine: podcli downloads")
      }
      nameThoseWithoutSecret(try await live.podcastsWithoutSecret(store), context)
      let (hasFolder, server) = (try await store.hasSyncFolder(), try await ServerStatus(of: store))
      if hasFolder || server != nil {
        context.console.say(
          "The next sync brings back what was changed since, here too: podcli sync reset --mine keeps it as it is")
      }
    }
    await store.close()
  }

  private static func lock(_ live: Live) throws(Failure) -> PlayerLock {
    do throws(StoreError) {
      if let lock = try live.playerLock() { return lock }
    } catch {
      throw Failure(error)
    }
    let other = live.otherPlayer()
    let pid = other.map { " (pid \($0.pid))" } ?? ""
    guard other?.episode != nil else {
      throw Failure(
        .alreadyPlaying, "another podcli\(pid) restores this library, or begins to play from it", hint: "try again")
    }
    throw Failure(.alreadyPlaying, "another podcli\(pid) is playing from this library", hint: "stop it first")
  }

  private static func restore(_ backup: String, _ context: Context) throws(Failure) {
    do throws(StoreError) {
      let old = try PodcastStore.restore(backup, to: context.live.paths.library) { document in
        guard !context.live.adoptSecrets(document) else { return }
        context.console.complain("The secrets of private feeds in it could not be written")
      }
      report(backup, old, context)
    } catch {
      throw failure(error, backup)
    }
  }

  private static func nameThoseWithoutSecret(_ podcasts: [PodcastEntry], _ context: Context) {
    guard !podcasts.isEmpty else { return }
    context.console.say("\(counted(podcasts.count, "private feed")) cannot be refreshed before signing in again:")
    for podcast in podcasts {
      let address = podcast.reference.feedURL
      let command =
        address.hasPrefix("private:")
        ? "podcli subscribe FEED-URL --instead-of \(podcast.id.rawValue)"
        : Failure.signingIn(at: SafeAddress.shown(address))
      context.console.say("  \(CleanText.line(podcast.title)): \(CleanText.line(command))")
    }
  }

  private static func beginEmpty(_ context: Context) throws(Failure) {
    let library = context.live.paths.library
    do throws(StoreError) {
      report(nil, try PodcastStore.startAnew(at: library), context)
    } catch {
      guard error.code == .refused else { throw Failure(error) }
      throw Failure(
        .refused, "\(error.message): \(library)", hint: "another, empty library is begun by: podcli --library DIR")
    }
  }

  /// A fault of the backup is no fault of the library.
  private static func failure(_ error: StoreError, _ backup: String) -> Failure {
    guard error.subject == backup else { return Failure(error) }
    let hint = "the library was not touched; podcli backup --list shows other backups"
    return switch error.code {
    case .notFound: Failure(.notFound, "there is no file \(backup)", hint: hint)
    case .damaged: Failure(.damagedLibrary, "\(backup) is damaged: \(error.message)", hint: hint)
    case .notALibrary: Failure(.failed, "\(backup) is no podcli library", hint: hint)
    default: Failure(error)
    }
  }

  private static func report(_ backup: String?, _ old: String?, _ context: Context) {
    if context.console.isJSON { return context.printJSON(["restored": JSON(backup), "previous": JSON(old)]) }
    context.console.say(backup.map { "Restored \(CleanText.line($0))" } ?? "The library is empty now")
    if let old { context.console.say("The library that was there is now \(CleanText.line(old))") }
  }
}
