package import PodcastModel

/// The library: subscriptions, their episodes, and the user's data about them.
///
/// The eight files `PodcastStore*.swift` are the entirety of the API; the folder of each call's subject has its SQL:
///
/// - `PodcastStore.swift`: opening, changes, durability, backups, checks, undo
/// - `PodcastStore+Subscriptions.swift`: merging feeds, podcasts, the state of feeds, settings and tags
/// - `PodcastStore+Episodes.swift`: lists, filters, search, details, chapters and transcripts
/// - `PodcastStore+Listening.swift`: positions, marks, the queue, bookmarks, history, media records
/// - `PodcastStore+Renditions.swift`: marks that follow an episode from one rendition to the next, what episodes share
/// - `PodcastStore+Exchange.swift`: records from other apps, and for them
/// - `PodcastStore+Sync.swift`: the registers that this library shares with other machines
/// - `PodcastStore+Server.swift`: sync with a server
///
/// Only `subscribe` and `merge` await, between whole jobs: no other calls of one process interleave. A write is one
/// transaction, a long one several short transactions. Several processes may use the library; they meet at the file only.
package actor PodcastStore {
  /// The path of the library.
  package nonisolated let path: String
  /// Numbers for positions that are written to the side file instead of the library.
  package nonisolated let positionNumbers = PositionNumbers()
  /// Opening found that the file system allows no WAL.
  package nonisolated let hasLostWAL: Bool

  let library: OpenLibrary
  var positions: PositionSaver
  nonisolated let mergeQueue = MergeQueue()
  private nonisolated let executor: any SerialExecutor

  // MARK: Opening and closing

  /// The actor's thread may wait for the disk: `executor`, or one of its own.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Opens the library at `path`. Its directory must exist; the library itself need not. `toleratesDamage`: to look for
  /// damage, or to mend it.
  package init(
    path: String, access: StoreAccess = .readWrite, toleratesDamage: Bool = false,
    executor: (any SerialExecutor)? = nil
  ) throws(StoreError) {
    var file = LibraryFile.named(path)
    file.toleratesDamage = toleratesDamage
    self.path = file.path
    self.executor = executor ?? StoreExecutor()
    positions = PositionSaver(numbers: positionNumbers)
    let library = try OpenLibrary(file, access)
    hasLostWAL = library.hasLostWAL
    self.library = library
    let directory = file.directory
    if access == .readWrite {
      positionNumbers.startAbove(try PendingProgress.merge(into: library, directory: directory))
      if !toleratesDamage { UnfinishedWork.goOn(in: library) }
    } else {
      try PendingProgress.show(on: library.connection, directory: directory)
    }
  }

  /// Ends the use of the library. A process that wrote copies the WAL into the library.
  package func close() { library.close() }

  /// From now on no write waits for long, because a player's position would have to wait behind it.
  package func hurry() { library.hurry() }

  var connection: Connection {
    get throws(StoreError) { try library.connection }
  }

  func write<Result>(
    _ durability: Connection.Durability = .full, patience: Duration? = nil,
    _ body: (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try library.write(durability, patience: patience, body)
  }

  // MARK: Changes and durability

  /// One element for each change of the library by any process, or for several in a row. No change after this call is
  /// missed. After a restore the store reads the library that is there now. The stream ends with its consumer. `rest`, asked
  /// after each, is how long the next ones may be told of late, as one: while a player saves its position each second,
  /// looking into each write costs more than all else.
  package nonisolated func changes(
    rest: @escaping @Sendable () -> Duration = { .zero }
  ) throws(StoreError) -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let announce: @Sendable () -> Void = { [weak self] in
      // The library that is there now may have been busy before.
      Task {
        try? await self?.reopenIfMoved()
        continuation.yield()
      }
    }
    let changes = try LibraryChanges(path: path, announce: announce, rest: rest)
    continuation.onTermination = { _ in changes.stop() }
    return stream
  }

  private func reopenIfMoved() throws(StoreError) { try library.reopenIfMoved() }

  /// Makes every earlier commit durable, after many writes that were not durable by themselves.
  package func makeDurable() throws(StoreError) { try library.makeDurable() }

  /// Whether the library has a rollback journal, because the file system allows no WAL: then readers may have to wait
  /// for writers, and each position takes longer.
  package func hasClassicJournal() throws(StoreError) -> Bool {
    try connection.first("PRAGMA journal_mode") { $0.text(0) } == "delete"
  }

  // MARK: Backups

  /// Copies the library to `file`, or to a dated backup, of which five are kept. Returns the copy's path. Best called on
  /// a store of its own, where it delays no position. The backup carries `document` beside the library.
  @discardableResult
  package func backUp(to file: String? = nil, carrying document: String? = nil) throws(StoreError) -> String {
    try Backups(of: path).make(from: connection, to: file, carrying: document)
  }

  /// Whether this file is a podcli library, by its header.
  package nonisolated static func isLibrary(_ file: String) -> Bool { LibraryFile(path: file).isLibrary }

  /// Whether a backup at this path would replace the library itself.
  package nonisolated static func wouldReplace(_ library: String, at file: String) -> Bool {
    Backups(of: library).wouldReplaceLibrary(file)
  }

  /// Makes one backup a week, and one a day in the first week, of a library no larger than `limit`. Nil when none is due.
  @discardableResult
  package func backUpWeekly(upTo limit: Int = quicklyCopied, now: Timestamp = .now) throws(StoreError) -> String? {
    try Backups(of: path).makeWeekly(from: connection, upTo: limit, now: now)
  }

  /// In bytes: copied in a second or so on a slow disk. Only a timer has time for a larger library.
  package static let quicklyCopied = 100_000_000

  /// The paths of the dated backups, the newest first.
  package nonisolated static func backups(of path: String) -> [String] { Backups(of: path).paths }

  /// Replaces the library with a backup, once that has proved sound. Returns the path to which the old library was moved,
  /// if there was one. Stores that are open refuse to write from then on. `adopt` takes the document that the backup carries.
  @discardableResult
  package static func restore(
    _ backup: String, to path: String, adopt: (String) -> Void = { _ in }
  ) throws(StoreError) -> String? {
    try LibraryFile.named(path).restore(backup, adopt: adopt)
  }

  /// Throws where the library is a symbolic link, or lies behind one, that leads nowhere: its disk is not there.
  package static func refuseLostLink(at path: String) throws(StoreError) {
    try LibraryFile.named(path).refuseLostLink()
  }

  /// Puts an empty library in the place of a damaged one. Returns the path to which that was moved, if it was there.
  @discardableResult
  package static func startAnew(at path: String) throws(StoreError) -> String? {
    try LibraryFile.named(path).startAnew()
  }

  // MARK: Checks and repair

  /// False when there is no library yet; throws when that cannot be told.
  package nonisolated static func exists(at path: String) throws(StoreError) -> Bool {
    try LibraryFile.named(path).exists()
  }

  /// The paths of libraries that were set aside for damage, the newest first.
  package nonisolated static func setAside(from path: String) -> [String] { LibraryFile.named(path).setAside }

  /// The library's defects; empty when it is sound. Reads the whole file: best called on a store of its own.
  package func problems(_ depth: CheckDepth) throws(StoreError) -> [String] {
    let check = LibraryCheck(connection: try connection)
    var problems = try check.damage()
    guard depth == .full, problems.isEmpty else { return problems }
    problems += try check.violations()
    guard library.access == .readWrite else { return problems }
    try SearchIndexer(library: library).removeCopies()
    if try !SearchIndex.isSound(in: library) { problems.append("the full-text index does not fit the texts") }
    return problems
  }

  /// Rebuilds everything derived: indexes, counters, flags and the queue's numbers. The full-text index is emptied, and
  /// every episode queued for it.
  package func rebuild() throws(StoreError) {
    try write { connection throws(StoreError) in
      try connection.execute("REINDEX")
      try LibraryCheck(connection: connection).repairDerivedColumns()
      try SearchIndex.empty(connection)
      try PodcastIndex.rebuild(connection)
      let queue = QueueRows(connection: connection)
      try queue.replace(with: try queue.read())
    }
  }

  // MARK: Undo

  /// Notes that these podcasts were subscribed to, which `undo` does not take back.
  package func noteSubscribed(_ podcasts: [PodcastID]) throws(StoreError) {
    guard let first = podcasts.first else { return }
    try write { connection throws(StoreError) in
      let title = try connection.first("SELECT title FROM podcasts WHERE id = \(first)") { $0.text(0) }
      try UndoLog(connection: connection).record(
        .subscribed, subject: podcasts.count == 1 ? title ?? "" : "", count: podcasts.count,
        steps: UndoStep.following(podcasts))
    }
  }

  /// Notes that the user gave the podcast another address, which `undo` does not take back. A server gets it with the next sync.
  package func noteMoved(_ podcast: PodcastID) throws(StoreError) {
    try write { connection throws(StoreError) in
      let title = try connection.first("SELECT title FROM podcasts WHERE id = \(podcast)") { $0.text(0) }
      try UndoLog(connection: connection).record(
        .movedFeed, subject: title ?? "", count: 1, steps: UndoStep.following([podcast]))
      let state = SyncStateRows(connection: connection)
      if try state["server-url"] != nil { try state.set(ServerFeed.movedKey(podcast), to: "1") }
    }
  }

  /// Undoes the last mark, change of the queue, unsubscription, setting, tag, title, tied transcript, range to skip, import or
  /// move of marks to another rendition. A deletion, subscription or new address is returned, once, instead of what was done
  /// before it; so is a change of which nothing is left. Nil when there is none left.
  package func undo() throws(StoreError) -> Undone? {
    let undone = try write { connection throws(StoreError) -> Undone? in
      guard let last = try UndoLog(connection: connection).takeLast() else { return nil }
      var undone = last.undone
      if undone.action.canBeUndone { undone.isOver = try !Self.revert(last.steps, of: undone, connection) }
      return undone
    }
    try UnfinishedWork.finishOrLeave(in: library)
    return undone
  }

  /// Lists and deletions that a process has left that was ended.
  package func finishLeftWork() throws(StoreError) { try UnfinishedWork.finishOrLeave(in: library) }

  /// Returns false where no step is left, or where they are about the queue alone, or about marks in another rendition, and
  /// all of that stays as it is.
  private static func revert(
    _ steps: [UndoStep], of undone: Undone, _ connection: Connection
  ) throws(StoreError) -> Bool {
    guard !steps.isEmpty else { return false }
    let queue = steps.filter { $0.kind == .queue || $0.kind == .queueAfter }
    let isQueueChanged =
      queue.isEmpty ? false : try QueueRows(connection: connection).revert(queue, doneAt: undone.doneAt)
    var movedBack: [Bool] = []
    for step in steps {
      switch step.kind {
      case .queue, .queueAfter: break
      case .status: try StatusRows(connection: connection).revert(step, of: undone)
      case .subscription: try SubscriptionRows(connection: connection).revert(step)
      case .setting: try SettingRows(connection: connection).revert(step)
      case .tag: try SettingRows(connection: connection).revertTag(step)
      case .title: try SubscriptionRows(connection: connection).revertTitle(step)
      case .anchor: try AnchorRows(connection: connection).revert(step)
      case .record: try RecordWriter.revert(step, connection)
      case .bookmark: try BookmarkRows(connection: connection).remove(step.subject)
      case .following: try SubscriptionRows(connection: connection).revertFollowing(step)
      case .queued: try QueueRows(connection: connection).remove(EpisodeID(rawValue: step.subject))
      case .parking: try ParkedRecords(connection: connection).revert(step)
      case .moved: movedBack.append(try FormerRows(connection: connection).revert(step))
      case .skip: try SkipRows(connection: connection).revert(step)
      }
    }
    if movedBack.count == steps.count { return movedBack.contains(true) }
    return isQueueChanged || queue.isEmpty || queue.count < steps.count
  }
}
