import CommandKit

/// A command as the terminal shows it: its declaration and what it does.
struct CommandEntry: Sendable {
  let command: Command
  /// Its signals must be answered with last words, so they are blocked before any thread starts.
  var endsByShutdown = false
  let run: @Sendable (Invocation, Context) async throws(Failure) -> Void
}

/// Every command there is, by topic. A new command is a file in `Commands` and a line here.
enum CommandList {
  static let topics: [(title: String, faces: [CommandEntry])] = [
    ("Follow", follow), ("Listen", listen), ("Look", look), ("Mark", mark), ("Keep", keep), ("Tend", tend),
  ]

  private static let follow = [
    SubscribeCommand.face,
    UnsubscribeCommand.face,
    PodcastsCommand.face,
    RefreshCommand.face,
    PreviewCommand.face,
    FindCommand.face,
    ImportCommand.face,
    ExportCommand.face,
  ]

  private static let listen = [
    PlayCommand.face,
    ResumeCommand.face,
    StatusCommand.face,
    QueueCommand.face,
  ]

  private static let look = [
    PlaylistCommand.face,
    EpisodesCommand.face,
    InfoCommand.face,
    ChaptersCommand.face,
    TranscriptCommand.face,
    SearchCommand.face,
    HistoryCommand.face,
    StatsCommand.face,
  ]

  private static let mark = [
    MarkCommand.face,
    BookmarkCommand.face,
    BookmarksCommand.face,
  ]

  private static let keep = [
    DownloadCommand.face,
    DownloadsCommand.face,
  ]

  private static let tend = [
    SetCommand.face,
    ConfigCommand.face,
    UndoCommand.face,
    BackupCommand.face,
    RestoreCommand.face,
    DoctorCommand.face,
  ]

  static let all = topics.flatMap(\.faces)

  static func face(for invocation: Invocation) -> CommandEntry? {
    all.first { $0.command.name == invocation.path.first }
  }
}
