import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import System
import Text

enum SyncCommand {
  private static let path = OptionalArgument(
    "PATH", kind: .file, help: "a folder that Syncthing, Nextcloud, a network drive or a stick brings to all machines")
  private static let name = Option<String>(
    "name", value: "NAME", kind: .text, help: "what the others call this machine; else its host's name")
  private static let off = Flag("off", help: "share through no folder any more; what came from there stays")
  private static let device = Argument<String>(
    "DEVICE", kind: .text, help: "its name or id, as `sync devices` shows it")
  private static let number = Option<Int>(
    "number", short: "n", value: "N", kind: .integer(in: 1...500), help: "show the last N")

  private static let mine = Flag("mine", help: "what this machine has counts as set now")

  static let entry = CommandEntry(
    command: Command(
      "sync", summary: "keep in step with your other machines",
      discussion: """
        Subscriptions, positions, what was played, favourites, the queue, bookmarks, titles, tags and the settings of the \
        sound are shared through a folder that some other program brings to all machines. Each machine writes one file \
        there, so that none overwrites another's. Of two changes the later one counts, for positions the later listening; \
        one goes to the others once twenty seconds were heard, and through a folder also where it was set as far from the \
        place before. `resume` goes on with the episode that was heard last on any of them.

        Once a folder is set, it goes by itself: after each command that changes something, before lists, at pause, stop and \
        end, and every five minutes while something plays; \
        `podcli config set sync=manual` ends that. A folder that is not there makes no command fail, and the next sync \
        catches up. Private podcasts, and those whose address looks like a secret, stay on this machine. The files are \
        not encrypted: they say what you listen to.

        A server takes subscriptions, positions and what was played, also for other apps: gpodder.net, oPodSync, Nextcloud \
        with GPodder Sync, PodFetch. That goes by itself after a refresh, and at pause, stop and end.
        """,
      examples: [
        Example("podcli sync", "now"),
        Example("podcli sync status", "whether it works, and what waits"),
      ],
      subcommands: actions.map(\.command), defaultSubcommand: "now")
  ) { invocation, context throws(Failure) in
    guard let action = actions.first(where: { $0.command.name == invocation.path.last }) else { return }
    // A command that syncs by itself needs no other sync behind it.
    let store = try context.openStore(action.isReading ? .readOnly : .readWrite)
    try await context.using(store) { store in
      do {
        try await action.run(invocation, context.live.syncer(store: store), store, context)
      } catch let error as SyncError {
        throw Failure(error)
      }
    }
    await store.close()
  }

  private struct Action: Sendable {
    var command: Command
    var isReading = false
    var run: @Sendable (Invocation, Syncer, PodcastStore, Context) async throws -> Void
  }

  private static let actions = [
    Action(
      command: Command(
        "now", summary: "sync now", options: [ServerCommands.full, ServerCommands.force],
        examples: [
          Example("podcli sync now", "the same as podcli sync"),
          Example("podcli sync now --full", "ask the server for everything"),
        ])
    ) { invocation, syncer, store, context in try await syncNow(invocation, syncer, store, context) },
    Action(command: ServerCommands.login) { invocation, _, store, context in
      try await ServerCommands.logIn(invocation, store, context)
    },
    Action(command: ServerCommands.logout) { _, _, store, context in try await ServerCommands.logOut(store, context) },
    Action(
      command: Command(
        "folder", summary: "share through this folder, or say which one it is", arguments: [path],
        options: [name, off],
        examples: [
          Example("podcli sync folder ~/Sync", "once on each machine"),
          Example("podcli sync folder --off", "no more"),
        ])
    ) { invocation, syncer, store, context in try await setFolder(invocation, syncer, store, context) },
    Action(
      command: Command(
        "status", summary: "how it is set, how it went, and what waits",
        examples: [Example("podcli sync status --json", "for a program")]),
      isReading: true
    ) { _, syncer, store, context in
      SyncText.show(try await syncer.status(), try await ServerStatus(of: store), context)
    },
    Action(
      command: Command(
        "devices", summary: "the machines that share, and when they were last there",
        examples: [Example("podcli sync devices", "who is in it")]),
      isReading: true
    ) { _, syncer, _, context in SyncText.devices.print(try await syncer.status().devices, context) },
    Action(
      command: Command(
        "forget", summary: "remove the file of a machine that is no more", arguments: [device],
        examples: [Example("podcli sync forget \"old laptop\"", "what it said is kept")])
    ) { invocation, syncer, _, context in
      let gone = try await syncer.forget(invocation[device])
      if context.console.isJSON { return context.printJSON(SyncText.json(gone)) }
      context.console.say("Forgotten: \(CleanText.line(gone.label ?? gone.id)); its podcasts and positions stay")
    },
    Action(
      command: Command(
        "reset", summary: "let this machine's state win on all others, as after restoring an old backup",
        discussion: """
          A restored library gets back at its next sync what was done since its backup, on this machine, too. This \
          command, before that sync, makes the backup's state count instead: marks, positions, tags, settings and the queue \
          that it has or lacks. Podcasts and episodes that came since stay.
          """,
        options: [mine], examples: [Example("podcli sync reset --mine", "then: podcli sync")])
    ) { invocation, syncer, store, context in
      guard invocation[mine] else {
        throw Failure(.usage, "sync reset needs --mine", hint: "what others have of the same is overwritten then")
      }
      if try await syncer.status().folder == nil, try await ServerStatus(of: store) == nil {
        throw Failure(SyncError.notSet)
      }
      try await syncer.claim()
      if context.console.isJSON { return context.printJSON(["reset": true]) }
      context.console.say("This machine's state counts from now on. Tell the others with: podcli sync")
    },
    Action(
      command: Command(
        "log", summary: "the last syncs that did something, the latest first", options: [number],
        examples: [Example("podcli sync log -n 5", "the last five")]),
      isReading: true
    ) { invocation, _, store, context in
      SyncText.log.print(try await store.syncLog(limit: invocation[number] ?? 50).map(SyncText.Event.init), context)
    },
  ]

  /// With the folder and the server, whichever are set. A failure of one does not keep the other from its sync.
  private static func syncNow(
    _ invocation: Invocation, _ syncer: Syncer, _ store: PodcastStore, _ context: Context
  ) async throws {
    var report: SyncReport?
    var failures: [Failure] = []
    do throws(SyncError) {
      report = try await syncer.run()
    } catch {
      if error != .notSet { failures.append(Failure(error)) }
      if error == .notSet, try await ServerStatus(of: store) == nil { throw error }
    }
    let server = await ServerCommands.sync(invocation, store, context, &failures)
    if let earlier = report, server?.report.hasChanges == true, let later = try? await syncer.run() {
      report = earlier.followed(by: later)
    }
    guard var failure = failures.first else {
      return try await SyncText.show(report, server, store, context)
    }
    if report != nil || server?.report.hasChanges == true { failure.code = .partial }
    if !context.console.isJSON || failure.code == .partial {
      try await SyncText.show(report, server, store, context)
    }
    for other in failures.dropFirst() where !context.console.isJSON { context.console.complain(other) }
    throw failure
  }

  private static func setFolder(
    _ invocation: Invocation, _ syncer: Syncer, _ store: PodcastStore, _ context: Context
  ) async throws {
    if invocation[off] {
      guard invocation[path] == nil, invocation[name] == nil else {
        throw Failure(.usage, "--off ends the sharing, whatever the folder", hint: "podcli sync folder --off")
      }
      try await syncer.setFolder(nil)
      if context.console.isJSON { return context.printJSON(["folder": .null]) }
      return context.console.say("This library is shared through no folder any more")
    }
    guard let path = invocation[path] else {
      guard invocation[name] == nil else {
        throw Failure(.usage, "--name needs a PATH", hint: "podcli sync folder ~/Sync --name laptop")
      }
      return try SyncText.showFolder(try await syncer.status(), context)
    }
    guard path.contains(where: { $0 != " " }) else {
      throw Failure(.usage, "the PATH is empty", hint: "for example: podcli sync folder ~/Sync")
    }
    // A regular file.
    guard Files.writtenAt(path) == nil else {
      throw Failure(.usage, "\(path) is no folder", hint: "say one that all machines have: podcli sync folder ~/Sync")
    }
    try await syncer.setFolder(path, label: invocation[name])
    let report = try await syncer.run()
    let status = try await syncer.status()
    if !context.console.isJSON {
      context.console.say("This library is shared through \(CleanText.line(status.folder ?? path))")
    }
    try await SyncText.show(report, nil, store, context)
  }
}
