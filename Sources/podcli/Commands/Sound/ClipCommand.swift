import CommandKit
import Glibc
import PodcastModel
import PodcastStore
import Podcatcher
import Text

enum ClipCommand {
  private static let episode = OptionalArgument(
    "EPISODE", kind: .dynamic("episode"), help: "which one; with --last what plays, or was played last")
  private static let from = OptionalArgument<TimeExpression>("FROM", kind: .time, help: StretchWords.fromHelp)
  private static let to = OptionalArgument<TimeExpression>("TO", kind: .time, help: StretchWords.toHelp)
  private static let file = OptionalArgument(
    "FILE", kind: .file, help: "where to, `-` for standard output; else a readable name in this folder")
  private static let last = Flag("last", short: "l", help: "the 30 seconds before the position")
  private static let exact = Flag(
    "exact", short: "x", help: "cut right at FROM and TO; else the ends of a measured episode move into pauses")
  private static let yes = Flag("yes", short: "y", help: "replace FILE without asking")

  static let entry = CommandEntry(
    command: Command(
      "clip", summary: "cut a stretch out of an episode, as a file",
      discussion: """
        An MP3 is cut between two samples, an .aac file between two frames of 20 ms or so, and nothing of them is \
        encoded again: the clip sounds as the episode does. Other kinds are encoded anew; the ending of FILE says which \
        kind it becomes, else that of the episode. The clip has the titles, a link to the time, and in an MP3 or .aac \
        file the chapters and the picture of the episode's file.

        Where the pauses of the episode are known (`podcli measure`), both ends move outwards into the nearest pause, by \
        a second and a half at most, so that no word is cut.

        What is not on this machine of the episode is fetched, and kept as when it is played.
        """,
      arguments: [episode, from, to, file], options: [last, exact, yes],
      examples: [
        Example("podcli clip 142 40:00 40:45", "a file with a readable name"),
        Example("podcli clip 142 40:00 +45 quote.mp3", "45 seconds"),
        Example("podcli clip --last", "what was just said, while it plays or afterwards"),
      ])
  ) { invocation, context throws(Failure) in
    let path = invocation[file] ?? lastFile(invocation)
    try check(path, context.console)
    try await context.withStore(.readWrite) { store in
      let (entry, range) = try await stretch(invocation, store, context)
      let chapters = try? await context.live.sideDocuments(store: store).chapters(of: entry.episode.id)
      let clip = Clip(entry: entry, range: range, chapters: chapters ?? [], isExact: invocation[exact])
      let target = try target(path, clip, replaces: invocation[yes])
      do throws(ClipError) {
        report(try await context.live.clipper(store: store).cut(clip, to: target), clip, target, context)
      } catch {
        // Enough was read.
        if case .closedPipe = error { return }
        throw Failure(error, about: entry)
      }
    }
  }

  private static func check(_ path: String?, _ console: Console) throws(Failure) {
    if path?.isEmpty == true {
      throw Failure(.usage, "the clip's file has no name", hint: "leave it out for a readable one")
    }
    guard path == "-" else { return }
    guard !console.isOutputTerminal, !console.isJSON else {
      throw Failure(
        .usage, "the clip would go to standard output, which is \(console.isJSON ? "for JSON" : "a terminal")",
        hint: "name a file, or give `-` in a pipe")
    }
  }

  // MARK: Which stretch

  private static func stretch(
    _ invocation: Invocation, _ store: PodcastStore, _ context: Context
  ) async throws -> (EpisodeEntry, Range<Duration>) {
    if invocation[last] {
      guard invocation[from] == nil else {
        throw Failure(.usage, "--last says which stretch, so FROM says nothing", hint: "podcli clip --last")
      }
      return try await lastHeard(lastFile(invocation) == nil ? invocation[episode] : nil, store, context)
    }
    guard let words = invocation[episode], let from = invocation[from], let to = invocation[to] else {
      throw Failure(
        .usage, "clip needs EPISODE, FROM and TO", hint: "podcli clip 142 41:07 41:52, or podcli clip --last")
    }
    let entry = try await EpisodeWords.choice(words, in: store, context).entry
    return (entry, try StretchWords.range(from: from, to: to, in: entry))
  }

  /// With --last the only word may be FILE: one that names a sound file, or standard output.
  private static func lastFile(_ invocation: Invocation) -> String? {
    guard invocation[last], let word = invocation[episode] else { return nil }
    return word == "-" || MediaFileEnding.known(in: word) != nil ? word : nil
  }

  private static func lastHeard(
    _ words: String?, _ store: PodcastStore, _ context: Context
  ) async throws -> (EpisodeEntry, Range<Duration>) {
    let status = try await status(store, context)
    let entry = try await lastEntry(words, status, store, context)
    let isPlaying = status.episode == entry.episode.id
    let kept = entry.status.lastListenTime ?? (entry.status.hasCompleted ? entry.duration : nil)
    guard let end = isPlaying ? status.position ?? kept : kept, end > .zero else {
      throw Failure(
        .notFound, "nothing of \(entry.episode.title) has been heard yet",
        hint: "say where: podcli clip \(entry.episode.id.rawValue) 41:07 41:52")
    }
    return (entry, max(.zero, end - .seconds(30))..<end)
  }

  /// A player that runs knows its position best.
  private static func status(_ store: PodcastStore, _ context: Context) async throws(StoreError) -> PlayerStatus {
    if let status = PlayerStatus.ofPlayer(context.live.paths) { return status }
    return try await PlayerStatus.current(store, context.live.paths)
  }

  private static func lastEntry(
    _ words: String?, _ status: PlayerStatus, _ store: PodcastStore, _ context: Context
  ) async throws -> EpisodeEntry {
    if let words { return try await context.episode(words, in: store).entry }
    if status.state != .stopped, let id = status.episode, let entry = try await store.episode(id) { return entry }
    return try await context.episode("@last", in: store).entry
  }

  // MARK: The file

  private static func target(_ path: String?, _ clip: Clip, replaces: Bool) throws(Failure) -> ClipTarget {
    if path == "-" { return .descriptor(1) }
    var information = stat()
    var path = path ?? clip.fileName
    if stat(path, &information) == 0, information.st_mode & S_IFMT == S_IFDIR {
      path += (path.hasSuffix("/") ? "" : "/") + clip.fileName
    } else if Clip.isOfOtherKind(path) {
      throw Failure(
        .usage, "no clip can be written as \(path)",
        hint: "end its name with one of: " + Clip.endings.joined(separator: " "))
    }
    guard stat(path, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
      return .file(path, replaces: replaces)
    }
    try Confirmation.ask("Replace \(path)?", unless: replaces)
    return .file(path, replaces: true)
  }

  private static func report(_ made: CutClip, _ clip: Clip, _ target: ClipTarget, _ context: Context) {
    let console = context.console
    if made.range.upperBound < clip.range.upperBound - .seconds(1) {
      console.say("The episode ends at \(ClockText.short(made.range.upperBound)), and so does the clip")
    }
    guard case .file(let path, _) = target else { return }
    if console.isJSON {
      return context.printJSON([
        "episode": EpisodeJSON.document(clip.entry), "from": EpisodeJSON.seconds(made.range.lowerBound),
        "to": EpisodeJSON.seconds(made.range.upperBound), "path": JSON(path), "bytes": JSON(made.size),
      ])
    }
    guard console.isOutputTerminal else { return console.report(path) }
    console.report("\(made.range.clockText) is in \(CleanText.line(path, limit: .max)), \(SizeText.short(made.size))")
  }
}
