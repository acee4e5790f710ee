import CommandKit

/// Every command entry, by topic. A new command is a file in `Commands/<topic>` and a line here.
enum CommandList {
  static let topics: [(title: String, entries: [CommandEntry])] = [
    ("Follow", follow), ("Listen", listen), ("Control", ControlCommands.entries + [AttachCommand.entry]),
    ("Look", look), ("Mark", mark),
    ("Sound", sound), ("Keep", keep), ("Share", [SyncCommand.entry]), ("Tend", tend),
  ]

  private static let follow = [
    SubscribeCommand.entry,
    UnsubscribeCommand.entry,
    PodcastsCommand.entry,
    RefreshCommand.entry,
    PreviewCommand.entry,
    FindCommand.entry,
    ImportCommand.entry,
    ExportCommand.entry,
  ]

  private static let listen = [
    PlayCommand.entry,
    ResumeCommand.entry,
    StatusCommand.entry,
    QueueCommand.entry,
  ]

  private static let look = [
    PlaylistCommand.entry,
    EpisodesCommand.entry,
    InfoCommand.entry,
    ChaptersCommand.entry,
    TranscriptCommand.entry,
    SearchCommand.entry,
    HistoryCommand.entry,
    StatsCommand.entry,
  ]

  private static let mark = [
    MarkCommand.entry,
    BookmarkCommand.entry,
    BookmarksCommand.entry,
  ]

  private static let sound = [
    ClipCommand.entry,
    QuoteCommand.entry,
    TranscribeCommand.entry,
  ]

  private static let keep = [
    DownloadCommand.entry,
    DownloadsCommand.entry,
    MeasureCommand.entry,
  ]

  private static let tend = [
    SetCommand.entry,
    ConfigCommand.entry,
    UndoCommand.entry,
    BackupCommand.entry,
    RestoreCommand.entry,
    DoctorCommand.entry,
  ]

  static let all = topics.flatMap(\.entries)

  static func entry(for invocation: Invocation) -> CommandEntry? {
    all.first { $0.command.name == invocation.path.first }
  }
}

extension Program {
  /// podcli's declaration: commands by topic, global options, examples and the manual's sections.
  static let podcli = Program(
    "podcli", version: "1.0.0", summary: "a podcast player for the command line",
    discussion: """
      Subscribe to a feed, look at the playlist, play an episode. Whatever ends it, `podcli resume` goes on \
      where you stopped.
      """,
    topics: CommandList.topics.map { Topic($0.title, $0.entries.map(\.command)) }
      + [Topic("Help", [.help, .completions, .version])],
    options: GlobalOptions.all,
    examples: [
      Example("podcli subscribe https://example.org/feed.xml", "follow a podcast"),
      Example("podcli playlist", "show its episodes, newest first"),
      Example("podcli play 1 --resume", "play the episode with that number"),
      Example("podcli resume", "go on tomorrow where you stopped"),
    ],
    sections: ManualPages.sections)
}
