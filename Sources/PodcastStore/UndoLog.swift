package import PodcastModel

/// What can be undone.
package enum UndoAction: String, Hashable, Sendable, CaseIterable {
  case markedPlayed, markedUnplayed, markedFavourite, unmarkedFavourite
  case queueAdded, queueRemoved, queueCleared, queueShuffled
  case unsubscribed
  case changedSetting
}

/// What was undone, in words for the one who asked.
package struct Undone: Hashable, Sendable {
  package var action: UndoAction
  /// A title or a setting's name; empty when it was many things.
  package var subject: String
  package var count: Int
  package var doneAt: Timestamp
}

/// How something was before: enough to bring it back.
struct UndoStep {
  enum Kind: String { case status, queue, subscription, setting }

  var kind: Kind
  var subject: Int64
  var name: String?
  var value: String?
  var number: Int64?

  static func queue(_ ids: [EpisodeID]) -> [UndoStep] {
    // An empty queue is a state too.
    ids.isEmpty
      ? [UndoStep(kind: .queue, subject: 0)]
      : ids.map { UndoStep(kind: .queue, subject: $0.rawValue) }
  }
}

struct UndoLog {
  let connection: Connection

  /// Older entries are forgotten.
  private static let kept = 50

  func record(_ action: UndoAction, subject: String, count: Int, steps: [UndoStep]) throws(StoreError) {
    try connection.execute(
      """
      INSERT INTO undo_log (done_at, action, subject, count)
      VALUES (\(Timestamp.now), \(action.rawValue), \(subject), \(count))
      """)
    let entry = connection.lastInsertedID
    for (place, step) in steps.enumerated() {
      try connection.execute(
        """
        INSERT INTO undo_steps (entry_id, place, kind, subject, name, value, number)
        VALUES (\(entry), \(place), \(step.kind.rawValue), \(step.subject), \(step.name), \(step.value), \(step.number))
        """)
    }
    try connection.execute("DELETE FROM undo_log WHERE id <= \(entry - Int64(Self.kept))")
  }

  /// Of a podcast that is deleted there is nothing to be brought back.
  func forget(_ podcast: PodcastID) throws(StoreError) {
    try connection.execute(
      """
      DELETE FROM undo_log WHERE id IN (SELECT entry_id FROM undo_steps
        WHERE kind IN (\(UndoStep.Kind.subscription.rawValue), \(UndoStep.Kind.setting.rawValue)) AND subject = \(podcast))
      """)
  }

  /// Inside a transaction.
  func undoLast() throws(StoreError) -> Undone? {
    let last = try connection.first(
      "SELECT id, action, subject, count, done_at FROM undo_log ORDER BY id DESC LIMIT 1"
    ) { row in
      UndoAction(rawValue: row.text(1)).map { action in
        let done = Timestamp(seconds: row.integer(4))
        return (row.integer(0), Undone(action: action, subject: row.text(2), count: row.count(3), doneAt: done))
      }
    }
    guard let last, let (entry, undone) = last else { return nil }
    try revert(try steps(of: entry))
    try connection.execute("DELETE FROM undo_log WHERE id = \(entry)")
    return undone
  }

  private func steps(of entry: Int64) throws(StoreError) -> [UndoStep] {
    try connection.rows(
      "SELECT kind, subject, name, value, number FROM undo_steps WHERE entry_id = \(entry) ORDER BY place"
    ) { row in
      UndoStep.Kind(rawValue: row.text(0)).map {
        UndoStep(
          kind: $0, subject: row.integer(1), name: row.optionalText(2), value: row.optionalText(3),
          number: row.optionalInteger(4))
      }
    }.compactMap(\.self)
  }

  private func revert(_ steps: [UndoStep]) throws(StoreError) {
    if steps.first?.kind == .queue {
      return try QueueRows(connection: connection).replace(with: steps.map { EpisodeID(rawValue: $0.subject) })
    }
    for step in steps { try revert(step) }
  }

  private func revert(_ step: UndoStep) throws(StoreError) {
    switch step.kind {
    case .queue: break
    case .status where step.name == "has_completed":
      // Who has listened since is at a place of their own.
      try connection.execute(
        """
        UPDATE statuses SET has_completed = \(step.value == "1"),
          last_listen_time = ifnull(last_listen_time, \(step.number)), position_number = position_number + 1
        WHERE episode_id = \(step.subject)
        """)
    case .status:
      try connection.execute(
        "UPDATE statuses SET is_favourite = \(step.value == "1") WHERE episode_id = \(step.subject)")
    case .subscription:
      try connection.execute("UPDATE podcasts SET is_subscribed = 1, unsubscribed_at = NULL WHERE id = \(step.subject)")
    case .setting:
      try SettingRows.set(step.name ?? "", to: step.value, of: PodcastID(rawValue: step.subject), connection)
    }
  }
}

extension PodcastStore {
  /// Takes back the last mark, change of the queue, unsubscription or setting. Nil when there is none left.
  package func undo() throws(StoreError) -> Undone? {
    let undone = try write { connection throws(StoreError) in try UndoLog(connection: connection).undoLast() }
    try finishUnfinishedWork()
    return undone
  }
}
