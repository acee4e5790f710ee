internal import PodcastModel

/// A mark that the user sets on an episode, as opposed to the status that playing it changes.
package enum EpisodeMark: Hashable, Sendable {
  case played
  /// As if never played. The history stays.
  case unplayed
  case favourite, unfavourite

  fileprivate var isAboutPlaying: Bool { self == .played || self == .unplayed }

  fileprivate var undoAction: UndoAction {
    switch self {
    case .played: .markedPlayed
    case .unplayed: .markedUnplayed
    case .favourite: .markedFavourite
    case .unfavourite: .unmarkedFavourite
    }
  }
}

extension StatusRows {
  /// Marks all of them; one undo takes all of it back. Returns how many were changed by it. `held`: the one that a player has,
  /// which stays the current one as long as it is not played.
  func mark(
    _ mark: EpisodeMark, _ ids: [EpisodeID], _ isToggled: Bool = false, held: EpisodeID? = nil
  ) throws(StoreError) -> Int {
    var steps: [UndoStep] = []
    for id in ids {
      let restored = isToggled && mark == .unplayed ? try positionBeforeLastMark(id) : nil
      let leavesOff = mark == .played || mark == .unplayed && id != held && restored == nil
      if let step = try step(before: mark, id, restored, leavesOff) { steps.append(step) }
      try apply(mark, id, restored)
      if leavesOff {
        try connection.execute(
          "UPDATE statuses SET is_currently_playing = 0 WHERE episode_id = \(id) AND is_currently_playing = 1")
      }
      try connection.execute("UPDATE episodes SET is_new = 0 WHERE id = \(id) AND is_new = 1")
    }
    // A mark that is there already leaves nothing to undo.
    guard let first = steps.first else { return 0 }
    let title = try connection.first("SELECT title FROM episodes WHERE id = \(first.subject)") { $0.text(0) }
    try UndoLog(connection: connection).record(
      mark.undoAction, subject: steps.count == 1 ? title ?? "" : "", count: steps.count, steps: steps)
    return steps.count
  }

  /// Nil where the mark changes nothing. `restored`: the position that it brings back.
  private func step(
    before mark: EpisodeMark, _ id: EpisodeID, _ restored: Int64?, _ leavesOff: Bool
  ) throws(StoreError) -> UndoStep? {
    let status = try connection.first(
      "SELECT has_completed, is_favourite, last_listen_time, is_currently_playing FROM statuses WHERE episode_id = \(id)"
    ) {
      (hasCompleted: $0.flag(0), isFavourite: $0.flag(1), position: $0.optionalInteger(2), isCurrent: $0.flag(3))
    }
    let was = mark.isAboutPlaying ? status?.hasCompleted : status?.isFavourite
    let wasCurrent = leavesOff && status?.isCurrent == true
    let wasNew = try connection.integer("SELECT 1 FROM episodes WHERE id = \(id) AND is_new = 1") != nil
    let isToBe = mark == .played || mark == .favourite
    let losesPosition = mark.isAboutPlaying && (status?.position != nil || wasCurrent)
    guard (was ?? false) != isToBe || losesPosition || wasNew else { return nil }
    return UndoStep(
      kind: .status, subject: id.rawValue, name: mark.isAboutPlaying ? "has_completed" : "is_favourite",
      value: (was == true ? "1" : "0") + (wasCurrent ? Self.current : "") + (wasNew ? Self.new : "")
        + (restored == nil ? "" : Self.restored),
      number: restored ?? status?.position)
  }

  /// Behind the value of a step: it was the current episode, it was new, the mark brought the step's position back.
  private static let restored = " restored"
  private static let current = " current"
  private static let new = " new"

  /// The position that the last action took from an episode by marking it as played. Nil where it was heard since.
  private func positionBeforeLastMark(_ id: EpisodeID) throws(StoreError) -> Int64? {
    try connection.integer(
      """
      SELECT t.number FROM undo_log l JOIN undo_steps t ON t.entry_id = l.id JOIN statuses s ON s.episode_id = t.subject
      WHERE l.id = (SELECT max(id) FROM undo_log) AND l.action = \(UndoAction.markedPlayed.rawValue)
        AND t.subject = \(id) AND s.last_listen_time IS NULL AND ifnull(s.last_played_at, 0) <= l.done_at
      """)
  }

  /// `position`: of an episode that is to be unplayed.
  private func apply(_ mark: EpisodeMark, _ id: EpisodeID, _ position: Int64?) throws(StoreError) {
    switch mark {
    case .played:
      _ = try upsert(
        id, "has_completed", "1",
        """
        has_completed = 1, last_listen_time = NULL, position_number = position_number + 1
        """)
    case .unplayed:
      _ = try upsert(
        id, "has_completed", "0",
        "has_completed = 0, last_listen_time = \(position), position_number = position_number + 1")
    case .favourite, .unfavourite:
      _ = try upsert(id, "is_favourite", "\(mark == .favourite)", "is_favourite = excluded.is_favourite")
    }
  }

  /// Takes a mark back. A position reached since then stays, and an end.
  func revert(_ step: UndoStep, of undone: Undone) throws(StoreError) {
    if step.name == "has_completed" {
      let hasEndedSince = try connection.integer(
        """
        SELECT 1 FROM statuses WHERE episode_id = \(step.subject) AND has_completed = 1 AND last_listen_time IS NULL
          AND last_played_at > \(undone.doneAt)
        """)
      guard hasEndedSince == nil else { return }
      let position: SQL =
        step.value?.contains(Self.restored) == true
        ? "nullif(last_listen_time, \(step.number))" : "ifnull(last_listen_time, \(step.number))"
      try connection.execute(
        """
        UPDATE statuses SET has_completed = \(step.value?.hasPrefix("1") == true),
          last_listen_time = \(position), position_number = position_number + 1
        WHERE episode_id = \(step.subject)
        """)
      if step.value?.contains(Self.current) == true { try makeCurrentUnlessAnotherIs(step.subject) }
    } else {
      try connection.execute(
        "UPDATE statuses SET is_favourite = \(step.value?.hasPrefix("1") == true) WHERE episode_id = \(step.subject)")
    }
    if step.value?.contains(Self.new) == true { try makeNewAgain(step.subject) }
  }

  /// Of an episode that was new before what is undone. One that was begun or marked since is new no longer.
  func makeNewAgain(_ id: Int64) throws(StoreError) {
    try connection.execute(
      """
      UPDATE episodes SET is_new = 1 WHERE id = \(id) AND EXISTS (
        SELECT 1 FROM statuses WHERE episode_id = \(id) AND last_listen_time IS NULL
          AND last_played_at IS NULL AND has_completed = 0 AND is_favourite = 0)
      """)
  }

  private func makeCurrentUnlessAnotherIs(_ id: Int64) throws(StoreError) {
    try connection.execute(
      """
      UPDATE statuses SET is_currently_playing = 1 WHERE episode_id = \(id)
        AND NOT EXISTS (SELECT 1 FROM statuses WHERE is_currently_playing = 1)
      """)
  }
}
