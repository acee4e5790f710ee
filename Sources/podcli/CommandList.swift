import CommandKit

/// Every command entry, by topic. A new command is a file in `Commands/<topic>` and a line here.
enum CommandList {
  /// A command's name, and its entry, which is made only where the command line names it: most of the time of a start
  /// would be spent on the others.
  struct Line: Sendable {
    let name: String
    let entry: @Sendable () -> CommandEntry

    init(_ name: String, _ entry: @escaping @autoclosure @Sendable () -> CommandEntry) {
      self.name = name
      self.entry = entry
    }
  }

  static func entry(named name: String) -> CommandEntry? {
    for lines in [follow, listen, look, mark, sound, keep, share, tend, attach] {
      if let line = lines.first(where: { $0.name == name }) { return line.entry() }
    }
    return ControlCommands.entry(named: name)
  }

  private static let follow = [
    Line("subscribe", SubscribeCommand.entry),
    Line("unsubscribe", UnsubscribeCommand.entry),
    Line("podcasts", PodcastsCommand.entry),
    Line("tag", TagCommand.entry),
    Line("refresh", RefreshCommand.entry),
    Line("preview", PreviewCommand.entry),
    Line("find", FindCommand.entry),
    Line("import", ImportCommand.entry),
    Line("export", ExportCommand.entry),
  ]

  private static let listen = [
    Line("play", PlayCommand.entry),
    Line("resume", ResumeCommand.entry),
    Line("status", StatusCommand.entry),
    Line("queue", QueueCommand.entry),
  ]

  private static let look = [
    Line("playlist", PlaylistCommand.entry),
    Line("episodes", EpisodesCommand.entry),
    Line("info", InfoCommand.entry),
    Line("chapters", ChaptersCommand.entry),
    Line("transcript", TranscriptCommand.entry),
    Line("search", SearchCommand.entry),
    Line("history", HistoryCommand.entry),
    Line("stats", StatsCommand.entry),
  ]

  private static let mark = [
    Line("mark", MarkCommand.entry),
    Line("bookmark", BookmarkCommand.entry),
    Line("bookmarks", BookmarksCommand.entry),
  ]

  private static let sound = [
    Line("clip", ClipCommand.entry),
    Line("quote", QuoteCommand.entry),
    Line("skips", SkipsCommand.entry),
    Line("transcribe", TranscribeCommand.entry),
  ]

  private static let keep = [
    Line("download", DownloadCommand.entry),
    Line("downloads", DownloadsCommand.entry),
    Line("measure", MeasureCommand.entry),
  ]

  private static let share = [Line("sync", SyncCommand.entry)]

  private static let tend = [
    Line("set", SetCommand.entry),
    Line("config", ConfigCommand.entry),
    Line("undo", UndoCommand.entry),
    Line("backup", BackupCommand.entry),
    Line("restore", RestoreCommand.entry),
    Line("doctor", DoctorCommand.entry),
  ]

  private static let attach = [Line("attach", AttachCommand.entry)]

  /// Of no entry: CommandKit runs them.
  private static let help: [Command] = [.help, .completions, .version]

  static func command(named name: String) -> Command? {
    help.first { $0.name == name } ?? entry(named: name)?.command
  }

  static let topics: [Topic] = [
    topic("Follow", follow), topic("Listen", listen),
    Topic("Control", (ControlCommands.entries + attach.map { $0.entry() }).map(\.command)),
    topic("Look", look), topic("Mark", mark), topic("Sound", sound), topic("Keep", keep), topic("Share", share),
    topic("Tend", tend), Topic("Help", help),
  ]

  private static func topic(_ title: String, _ lines: [Line]) -> Topic {
    Topic(title, lines.map { $0.entry().command })
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
    topics: CommandList.topics,
    options: GlobalOptions.all,
    examples: [
      Example("podcli subscribe https://example.org/feed.xml", "follow a podcast"),
      Example("podcli playlist", "show its episodes, newest first"),
      Example("podcli play 1 --resume", "play the episode with that number"),
      Example("podcli resume", "go on tomorrow where you stopped"),
    ],
    find: CommandList.command,
    sections: ManualPages.sections)
}
