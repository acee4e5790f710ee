import CommandKit
import Glibc
import PodcastModel
import PodcastStore
import Podcatcher
import System
import Text

enum BackupCommand {
  private static let file = OptionalArgument("FILE", kind: .file, help: "where to; else beside the library")
  private static let list = Flag("list", help: "show the backups beside the library")
  private static let withSecrets = Flag(
    "with-secrets", help: "also the passwords and secret addresses of private feeds, for a move to another machine")
  private static let force = Flag("force", short: "f", help: "replace FILE even if it is no library")

  static let entry = CommandEntry(
    command: Command(
      "backup", summary: "copy the library, even while it is in use",
      discussion: """
        One file holds all of it: what you follow, every position, the queue, bookmarks and history. Beside the library \
        the last five are kept, one of each week by itself, in the first week one of each day: `podcli refresh` makes it, \
        of a library above 100 MB `podcli refresh --scheduled` alone. Downloads are not part of it, and neither are \
        the secrets of private feeds unless --with-secrets asks for them: keep that file to yourself. Addresses of media files are in every copy, and those of a private feed may open its episodes to whoever has them.
        """,
      arguments: [file], options: [list, withSecrets, force],
      examples: [
        Example("podcli backup ~/podcli.db", "to a file of your own"),
        Example("podcli backup --with-secrets ~/moving.db", "to move to another machine"),
        Example("podcli backup --list", "what there is to restore"),
      ])
  ) { invocation, context throws(Failure) in
    if invocation[list] { return try showAll(context) }
    let library = context.live.paths.library
    guard try exists(library) else {
      throw Failure(.notFound, "there is no library yet: \(library)", hint: "the first podcli subscribe makes it")
    }
    let target = invocation[file]
    if let target {
      try checkName(target, library)
      if !invocation[force] { try check(target) }
    }
    guard target != nil || !invocation[withSecrets] else {
      throw Failure(.usage, "--with-secrets needs a FILE", hint: "podcli backup --with-secrets ~/moving.db")
    }
    let secrets = context.live.secretsToCarry
    try await context.withStore(.readOnly) { store in
      do throws(StoreError) {
        report(try await store.backUp(to: target, carrying: invocation[withSecrets] ? secrets : nil), context)
      } catch {
        throw Failure(copying: library, error)
      }
    }
    guard secrets != nil else { return }
    context.console.say(
      invocation[withSecrets]
        ? "The passwords and secret addresses of private feeds are in it: keep it to yourself"
        : "Without the passwords and secret addresses of private feeds; with them: podcli backup --with-secrets FILE")
  }

  private static func exists(_ library: String) throws(Failure) -> Bool {
    do throws(StoreError) { return try PodcastStore.exists(at: library) } catch { throw Failure(error) }
  }

  private static func checkName(_ target: String, _ library: String) throws(Failure) {
    guard target.contains(where: { $0 != " " }) else {
      throw Failure(.usage, "the FILE is empty", hint: "for example: podcli backup ~/podcli.db")
    }
    guard target != "-" else {
      throw Failure(.usage, "a library is not written to standard output", hint: "give a FILE; ./- is one of that name")
    }
    guard !PodcastStore.wouldReplace(library, at: target) else {
      throw Failure(.usage, "\(target) is the library itself", hint: "give the copy another name, such as ~/podcli.db")
    }
  }

  /// Refuses to replace a file that is not a library, so that a mistyped name overwrites nothing else.
  private static func check(_ path: String) throws(Failure) {
    var information = stat()
    guard stat(path, &information) == 0 else { return }
    guard information.st_mode & S_IFMT == S_IFREG else {
      throw Failure(.failed, "\(path) is no file", hint: "give the backup a name: podcli backup \(path)/podcli.db")
    }
    guard information.st_size == 0 || PodcastStore.isLibrary(path) else {
      throw Failure(.refused, "\(path) is something else than a library", hint: "replace it with --force")
    }
  }

  private static func report(_ path: String, _ context: Context) {
    if context.console.isJSON { return context.printJSON(SavedLibrary(path).json) }
    context.console.report(context.console.isOutputTerminal ? "Backed up to \(CleanText.line(path))" : path)
  }

  private static func showAll(_ context: Context) throws(Failure) {
    let folder = context.live.paths.libraryFolder
    guard access(folder, X_OK) == 0 || errno == ENOENT else {
      throw Failure(.library, "the backups cannot be listed: \(String(cString: strerror(errno))): \(folder)", hint: nil)
    }
    SavedLibrary.listing.print(PodcastStore.backups(of: context.live.paths.library).map(SavedLibrary.init), context)
  }
}

/// A backup of the library, as a file.
private struct SavedLibrary {
  var path: String
  var size: Int64 = 0
  var madeAt: Timestamp?

  init(_ path: String) {
    self.path = path
    size = Int64(Files.size(of: path) ?? 0)
    madeAt = Files.writtenAt(path).map { Timestamp(seconds: Int64($0)) }
  }

  var json: JSON { ["path": JSON(path), "bytes": JSON(size), "madeAt": JSON(madeAt)] }

  static var listing: Listing<SavedLibrary> {
    Listing(
      columns: [
        Column { $0.path },
        Column(limit: 12, from: 60, full: { $0.madeAt?.description ?? "" }) {
          $0.madeAt.map { DateText.relative($0, now: .now) } ?? ""
        },
        Column(limit: 9, isAlignedRight: true, full: { String($0.size) }) { SizeText.short($0.size) },
      ], json: \.json, emptyText: "There are no backups yet. Make one with: podcli backup")
  }
}
