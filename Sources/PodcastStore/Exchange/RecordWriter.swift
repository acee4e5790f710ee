internal import PodcastModel

/// Writes what records say into the rows of their episodes, as far as nothing newer is there. Inside a transaction, or
/// with `isDry` only to count.
struct RecordWriter {
  private let connection: Connection
  private let isDry: Bool
  private let now: Timestamp
  private(set) var steps: [UndoStep] = []
  private(set) var result = AppliedRecords()
  private var queued: [(number: Int64, episode: EpisodeID)] = []
  /// Episodes that this finished, which leave the queue.
  private var finished: Set<EpisodeID> = []

  init(_ connection: Connection, isDry: Bool, now: Timestamp) {
    self.connection = connection
    self.isDry = isDry
    self.now = now
  }

  private struct State {
    var position: Int64?
    var number: Int64 = 0
    var playedAt: Timestamp?
    var isPlayed = false
    var isFavourite = false
    var isCurrent = false
    var isNew = false

    var isUntouched: Bool { number == 0 && position == nil && playedAt == nil && !isPlayed }

    /// The form of an undo step's value.
    var text: String {
      [position, playedAt?.seconds, isPlayed ? 1 : 0, number, isCurrent ? 1 : 0, isNew ? 1 : 0].map { number in
        number.map(String.init) ?? "-"
      }.joined(separator: " ")
    }
  }

  mutating func write(_ match: RecordMatcher.Match) throws(StoreError) {
    let record = match.record
    let state = try state(of: match.episode)
    let isHeard = try writeListening(record, match.episode, state)
    let isMarked = record.isFavourite && !state.isFavourite
    if isMarked { try markFavourite(match.episode) }
    if isHeard {
      steps.append(
        UndoStep(
          kind: .record, subject: match.episode.rawValue, name: "listening", value: state.text, number: state.number + 1
        ))
    }
    if isMarked {
      steps.append(
        UndoStep(
          kind: .record, subject: match.episode.rawValue, name: "favourite", value: state.isNew ? Self.new : nil))
    }
    let added = try addBookmarks(record.bookmarks, match.episode)
    let isQueued = try queue(
      record, match.episode, isOver: isHeard ? record.isOver : state.isPlayed && state.position == nil)
    result.favourites += isMarked ? 1 : 0
    result.bookmarks += added
    if isHeard || isMarked || added > 0 || isQueued { result.changed += 1 }
  }

  private func state(of id: EpisodeID) throws(StoreError) -> State {
    try connection.first(
      """
      SELECT s.last_listen_time, s.position_number, s.last_played_at, s.has_completed, s.is_favourite,
        s.is_currently_playing, e.is_new
      FROM episodes e LEFT JOIN statuses s ON s.episode_id = e.id WHERE e.id = \(id)
      """
    ) { row in
      State(
        position: row.optionalInteger(0), number: row.integer(1), playedAt: row.optionalTime(2),
        isPlayed: row.flag(3), isFavourite: row.flag(4), isCurrent: row.flag(5), isNew: row.flag(6))
    } ?? State()
  }

  // MARK: Listening

  /// False where there is nothing to write, or something newer in the library. Without a date only what is untouched is
  /// filled.
  private mutating func writeListening(
    _ record: ListeningRecord, _ id: EpisodeID, _ state: State
  ) throws(StoreError) -> Bool {
    guard record.isAboutListening else { return false }
    let at = record.listenedAt.map { min($0, now) }
    // A mark by hand does not change the date of the listening before it.
    let isMarked = record.isPlayed && !state.isPlayed && state.position != nil
    let isNewer =
      if let at, let known = state.playedAt { at > known || at == known && isMarked } else { state.isUntouched }
    guard isNewer else {
      let isSame =
        state.isPlayed == record.isPlayed && state.position == record.position?.inMilliseconds && state.playedAt == at
      if !isSame { result.kept += 1 }
      return false
    }
    if record.isPlayed { result.played += 1 } else if record.position != nil { result.positions += 1 }
    if record.isOver { finished.insert(id) }
    guard !isDry else { return true }
    try connection.execute(
      """
      INSERT INTO statuses (episode_id, last_listen_time, position_number, last_played_at, has_completed)
      VALUES (\(id), \(record.position), 1, \(at), \(record.isPlayed))
      ON CONFLICT (episode_id) DO UPDATE SET last_listen_time = excluded.last_listen_time,
        position_number = position_number + 1, last_played_at = excluded.last_played_at,
        has_completed = excluded.has_completed,
        is_currently_playing = is_currently_playing AND NOT excluded.has_completed
      """)
    return true
  }

  private func markFavourite(_ id: EpisodeID) throws(StoreError) {
    guard !isDry else { return }
    try connection.execute(
      """
      INSERT INTO statuses (episode_id, is_favourite) VALUES (\(id), 1)
      ON CONFLICT (episode_id) DO UPDATE SET is_favourite = 1
      """)
  }

  // MARK: Bookmarks and the queue

  /// Returns the number of those that were not there.
  private mutating func addBookmarks(_ bookmarks: [Bookmark], _ id: EpisodeID) throws(StoreError) -> Int {
    guard !bookmarks.isEmpty else { return 0 }
    let rows = BookmarkRows(connection: connection)
    var known = Set(try rows.read(of: id).map { [$0.position.inMilliseconds.description, $0.note] })
    var added = 0
    for bookmark in bookmarks
    where known.insert([bookmark.position.inMilliseconds.description, bookmark.note]).inserted {
      added += 1
      guard !isDry else { continue }
      let new = try rows.add(at: bookmark.position, note: bookmark.note, in: id, now: bookmark.createdAt)
      steps.append(UndoStep(kind: .bookmark, subject: new.id))
    }
    return added
  }

  private mutating func queue(
    _ record: ListeningRecord, _ id: EpisodeID, isOver: Bool
  ) throws(StoreError) -> Bool {
    guard let number = record.queueNumber, !isOver,
      try connection.integer("SELECT 1 FROM queue WHERE episode_id = \(id)") == nil
    else { return false }
    queued.append((number, id))
    return true
  }

  /// Appends the queued episodes in their order, and removes those that are finished now.
  mutating func finishQueue() throws(StoreError) {
    result.queued = queued.count
    guard !isDry else { return }
    let rows = QueueRows(connection: connection)
    let before = try rows.read()
    let after = before.filter { !finished.contains($0) } + queued.sorted { $0.number < $1.number }.map(\.episode)
    guard after != before else { return }
    steps += UndoStep.queue(before, after: after)
    try rows.replace(with: after)
  }

  // MARK: Undo

  /// Restores a former status. Listening since then stays.
  static func revert(_ step: UndoStep, _ connection: Connection) throws(StoreError) {
    let statuses = StatusRows(connection: connection)
    guard step.name == "listening" else {
      try connection.execute("UPDATE statuses SET is_favourite = 0 WHERE episode_id = \(step.subject)")
      if step.value == new { try statuses.makeNewAgain(step.subject) }
      return
    }
    let values = (step.value ?? "").split(separator: " ").map { Int64($0) }
    guard values.count >= 4, let isPlayed = values[2], let number = values[3] else { return }
    // Earlier versions did not note these.
    let (wasCurrent, wasNew) = (values.count > 4 && values[4] == 1, values.count > 5 && values[5] == 1)
    try connection.execute(
      """
      UPDATE statuses SET last_listen_time = \(values[0]), last_played_at = \(values[1]), has_completed = \(isPlayed),
        position_number = \(number), is_currently_playing = is_currently_playing
          OR \(wasCurrent) AND NOT EXISTS (SELECT 1 FROM statuses WHERE is_currently_playing = 1)
      WHERE episode_id = \(step.subject) AND position_number = \(step.number)
      """)
    if wasNew { try statuses.makeNewAgain(step.subject) }
  }

  private static let new = "new"
}

/// The counts of records that were applied, or would be.
package struct AppliedRecords: Hashable, Sendable {
  /// Episodes that changed.
  package var changed = 0
  /// Positions of unfinished episodes.
  package var positions = 0
  package var played = 0
  package var favourites = 0
  package var queued = 0
  package var bookmarks = 0
  /// Episodes with something newer in this library.
  package var kept = 0
  /// Records without an episode, which are tried again after each refresh.
  package var parked = 0
  /// Those of them whose podcast is not in the library.
  package var withoutPodcast = 0
}

extension PortableLibrary {
  /// The counts of everything in it, before it is compared with any library.
  package var counts: AppliedRecords {
    var counts = AppliedRecords()
    for record in episodes {
      if record.isPlayed { counts.played += 1 } else if record.position != nil { counts.positions += 1 }
      counts.favourites += record.isFavourite ? 1 : 0
      counts.queued += record.queueNumber == nil || record.isOver ? 0 : 1
      counts.bookmarks += record.bookmarks.count
    }
    return counts
  }
}
