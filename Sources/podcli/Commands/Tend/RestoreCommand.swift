import CommandKit
import Glibc
import PodcastModel
import PodcastStore
import Podcatcher
import System
import Text

enum RestoreCommand {
  private static let file = Argument("FILE", kind: .file, help: "a backup")

  static let entry = CommandEntry(
    command: Command(
      "restore", summary: "put a backup in the library's place",
      discussion: """
        The backup is looked at before anything is touched, and the library that was there is kept beside it under \
        another name. Nothing else may be using the library.
        """,
      arguments: [file],
      examples: [Example("podcli restore ~/podcli.db", "as it was then")])
  ) { invocation, context throws(Failure) in
    let live = context.live
    let folder = live.paths.data
    guard Files.makeFolder(folder), access(folder, W_OK) == 0 else {
      throw Failure(.library, "the library cannot be written: \(folder)", hint: "another folder: --library DIR")
    }
    guard let lock = live.playerLock() else {
      let pid = live.otherPlayer().map { " (pid \($0.pid))" } ?? ""
      throw Failure(.alreadyPlaying, "another podcli\(pid) is playing from this library", hint: "stop it first")
    }
    defer { withExtendedLifetime(lock) {} }
    let backup = invocation[file]
    do throws(StoreError) {
      report(backup, try PodcastStore.restore(backup, to: live.paths.library), context)
    } catch {
      throw failure(error, backup)
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

  private static func report(_ backup: String, _ old: String?, _ context: Context) {
    if context.console.isJSON { return context.printJSON(["restored": JSON(backup), "previous": JSON(old)]) }
    context.console.say("Restored \(CleanText.line(backup))")
    if let old { context.console.say("The library that was there is now \(CleanText.line(old))") }
  }
}
