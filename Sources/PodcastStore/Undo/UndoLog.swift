package import PodcastModel

/// The actions that `undo` goes back by: those that can be undone, and a subscription, a new address and a deletion, which end it
/// once: otherwise it would take back what was done before them.
package enum UndoAction: String, Hashable, Sendable, CaseIterable {
  case markedPlayed, markedUnplayed, markedFavourite, unmarkedFavourite
  case queueAdded, queueRemoved, queueCleared, queueShuffled
  case subscribed, unsubscribed, renamed
  /// It was given another address.
  case movedFeed
  case changedSetting
  case addedTag, removedTag
  case tiedTranscript
  /// A range that playing jumps over.
  case addedSkip
  case imported
  case movedMarks
  /// Of a podcast.
  case deleted

  /// The action was taken back.
  package var canBeUndone: Bool { ![.deleted, .subscribed, .movedFeed].contains(self) }
}

/// An action that was undone.
package struct Undone: Hashable, Sendable {
  /// The action.
  package var action: UndoAction
  /// A title or a setting's name; empty for several.
  package var subject: String
  /// The number of episodes, podcasts or settings.
  package var count: Int
  /// The time of the action.
  package var doneAt: Timestamp
  /// Nothing is left of it: what it added to the queue was heard since, or another machine changed the same. So nothing was
  /// undone.
  package var isOver = false
}

/// The entry of an import that goes on.
package struct ImportEntry: Hashable, Sendable {
  let id: Int64
}

/// A former value: enough to restore it.
struct UndoStep {
  enum Kind: String {
    case status, subscription, setting, anchor
    /// A podcast's title: the name is the one that was shown, the value the user's own.
    case title
    /// A tag; the number is 1 for one that was added, 0 for one that was removed.
    case tag
    /// An episode of the queue before the change, and one after it.
    case queue, queueAfter
    /// Of an import: a status, a bookmark, a podcast that was followed for it, and records that wait.
    case record, bookmark, following, parking
    /// An episode that a record which waited added to the queue.
    case queued
    /// Of a mark that followed to another rendition.
    case moved
    /// A range to jump over, by its number.
    case skip
  }

  var kind: Kind
  var subject: Int64
  var name: String?
  var value: String?
  var number: Int64?

  /// The whole queue before and after a change, one step for each episode. An empty one is a state too.
  static func queue(_ before: [EpisodeID], after: [EpisodeID]) -> [UndoStep] {
    steps(.queue, before) + steps(.queueAfter, after)
  }

  static func following(_ podcasts: [PodcastID]) -> [UndoStep] {
    podcasts.map { UndoStep(kind: .following, subject: $0.rawValue) }
  }

  private static func steps(_ kind: Kind, _ ids: [EpisodeID]) -> [UndoStep] {
    (ids.isEmpty ? [EpisodeID(rawValue: 0)] : ids).map { UndoStep(kind: kind, subject: $0.rawValue) }
  }
}

/// The actions, with the steps that restore the former state. Inside a transaction.
struct UndoLog {
  let connection: Connection

  /// Older entries are deleted.
  private static let kept = 50

  func record(_ action: UndoAction, subject: String, count: Int, steps: [UndoStep]) throws(StoreError) {
    try connection.execute(
      """
      INSERT INTO undo_log (done_at, action, subject, count)
      VALUES (\(Timestamp.now), \(action.rawValue), \(subject), \(count))
      """)
    let entry = connection.lastInsertedID
    try add(steps, to: entry)
    try connection.execute("DELETE FROM undo_log WHERE id <= \(entry - Int64(Self.kept))")
  }

  private func add(_ steps: [UndoStep], to entry: Int64) throws(StoreError) {
    let first =
      try connection.integer("SELECT coalesce(max(place) + 1, 0) FROM undo_steps WHERE entry_id = \(entry)") ?? 0
    for (index, step) in steps.enumerated() {
      try connection.execute(
        """
        INSERT INTO undo_steps (entry_id, place, kind, subject, name, value, number)
        VALUES (\(entry), \(first + Int64(index)), \(step.kind.rawValue), \(step.subject), \(step.name), \(step.value),
          \(step.number))
        """)
    }
  }

  /// Adds to the entry, or to a new one where that is none or is gone.
  func recordImport(
    from app: String, in entry: ImportEntry?, count: Int, _ steps: [UndoStep]
  ) throws(StoreError) -> ImportEntry {
    if let entry, try connection.integer("SELECT 1 FROM undo_log WHERE id = \(entry.id)") != nil {
      try add(steps, to: entry.id)
      try connection.execute("UPDATE undo_log SET count = count + \(count) WHERE id = \(entry.id)")
      return entry
    }
    try record(.imported, subject: app, count: count, steps: steps)
    return ImportEntry(id: try connection.integer("SELECT max(id) FROM undo_log") ?? 0)
  }

  /// Adds records that waited to the entry of their import, while that is kept. An entry has one change of the queue; what
  /// these added to it is a step each.
  func add(_ steps: [UndoStep], count: Int, toImport number: Int64) throws(StoreError) {
    let entry = try connection.integer(
      "SELECT max(entry_id) FROM undo_steps WHERE kind = \(UndoStep.Kind.parking.rawValue) AND subject = \(number)")
    guard let entry else { return }
    let before = Set(steps.filter { $0.kind == .queue }.map(\.subject))
    let queued = steps.filter { $0.kind == .queueAfter && $0.subject != 0 && !before.contains($0.subject) }
    try add(
      steps.filter { $0.kind != .queue && $0.kind != .queueAfter }
        + queued.map { UndoStep(kind: .queued, subject: $0.subject) }, to: entry)
    try connection.execute("UPDATE undo_log SET count = count + \(count) WHERE id = \(entry)")
  }

  /// An episode plays on behind its mark as played: taking that back leads to where it was heard.
  func heardOn(_ id: EpisodeID, to position: Duration) throws(StoreError) {
    try connection.execute(
      """
      UPDATE undo_steps SET number = \(position) WHERE kind = \(UndoStep.Kind.status.rawValue) AND subject = \(id)
        AND entry_id = (SELECT max(l.id) FROM undo_log l JOIN undo_steps t ON t.entry_id = l.id
          WHERE t.kind = \(UndoStep.Kind.status.rawValue) AND t.subject = \(id)
            AND l.action = \(UndoAction.markedPlayed.rawValue))
      """)
  }

  /// Deletes the entries about a podcast that is deleted, and those about its episodes alone.
  func forget(_ podcast: PodcastID) throws(StoreError) {
    var entries = try connection.rows(
      """
      DELETE FROM undo_steps WHERE kind IN (\(UndoStep.Kind.status.rawValue), \(UndoStep.Kind.record.rawValue),
          \(UndoStep.Kind.anchor.rawValue), \(UndoStep.Kind.moved.rawValue), \(UndoStep.Kind.skip.rawValue))
        AND subject IN (SELECT id FROM episodes WHERE podcast_id = \(podcast)) RETURNING entry_id
      """
    ) { $0.integer(0) }
    entries += try connection.rows(
      """
      DELETE FROM undo_steps
      WHERE kind IN (\(UndoStep.Kind.following.rawValue), \(UndoStep.Kind.subscription.rawValue)) AND subject = \(podcast)
        AND entry_id IN (SELECT id FROM undo_log
          WHERE action IN (\(UndoAction.subscribed.rawValue), \(UndoAction.unsubscribed.rawValue),
            \(UndoAction.movedFeed.rawValue))) RETURNING entry_id
      """
    ) { $0.integer(0) }
    for entry in Set(entries) {
      try connection.execute(
        """
        DELETE FROM undo_log WHERE id = \(entry) AND id NOT IN (SELECT entry_id FROM undo_steps)
          AND action <> \(UndoAction.deleted.rawValue)
        """)
    }
    // Marks of several episodes, and subscriptions to several podcasts, say how many are left of them.
    try connection.execute(
      """
      UPDATE undo_log SET count = (SELECT count(*) FROM undo_steps
        WHERE entry_id = undo_log.id
          AND kind IN (\(UndoStep.Kind.status.rawValue), \(UndoStep.Kind.following.rawValue),
            \(UndoStep.Kind.subscription.rawValue)))
      WHERE count > 1 AND action IN (\(UndoAction.subscribed.rawValue), \(UndoAction.unsubscribed.rawValue), \(UndoAction.markedPlayed.rawValue), \(UndoAction.markedUnplayed.rawValue),
        \(UndoAction.markedFavourite.rawValue), \(UndoAction.unmarkedFavourite.rawValue))
      """)
    try connection.execute(
      """
      DELETE FROM undo_log WHERE id IN (SELECT entry_id FROM undo_steps
        WHERE kind IN (\(UndoStep.Kind.subscription.rawValue), \(UndoStep.Kind.setting.rawValue),
            \(UndoStep.Kind.tag.rawValue), \(UndoStep.Kind.title.rawValue)) AND subject = \(podcast))
      """)
  }

  /// A value that another machine has changed.
  struct Overwritten: Hashable {
    var kind: UndoStep.Kind
    var subject: Int64
    /// In lower case.
    var name: String?
  }

  private static let overwritable: [UndoAction] = [
    .changedSetting, .addedTag, .removedTag, .renamed, .markedFavourite, .unmarkedFavourite, .markedPlayed,
    .markedUnplayed, .unsubscribed,
  ]

  /// Deletes the steps about values that another machine has changed since: they would restore older ones. An entry that loses
  /// its last one stays, so that `undo` does not take back the entry before it instead.
  func forgetSteps(_ overwritten: Set<Overwritten>) throws(StoreError) {
    guard !overwritten.isEmpty else { return }
    let actions = Self.overwritable.map { "\($0.rawValue)" as SQL }.joined(by: ", ")
    let steps = try connection.rows(
      """
      SELECT entry_id, place, kind, subject, name FROM undo_steps
      WHERE entry_id IN (SELECT id FROM undo_log WHERE action IN (\(actions)))
      """
    ) { row in
      let (kind, name) = (UndoStep.Kind(rawValue: row.text(2)), row.optionalText(4)?.lowercased())
      return (entry: row.integer(0), place: row.integer(1), kind: kind, subject: row.integer(3), name: name)
    }
    var entries: Set<Int64> = []
    for step in steps {
      guard let kind = step.kind else { continue }
      // The name of a title's step is the title.
      let value = Overwritten(kind: kind, subject: step.subject, name: kind == .title ? nil : step.name)
      guard overwritten.contains(value) else { continue }
      entries.insert(step.entry)
      try connection.execute("DELETE FROM undo_steps WHERE entry_id = \(step.entry) AND place = \(step.place)")
    }
    for entry in entries {
      try connection.execute(
        """
        UPDATE undo_log SET count = (SELECT count(*) FROM undo_steps WHERE entry_id = \(entry))
        WHERE id = \(entry) AND EXISTS (SELECT 1 FROM undo_steps WHERE entry_id = \(entry))
        """)
    }
  }

  /// Removes the last entry and returns it with its steps. Nil when there is none.
  func takeLast() throws(StoreError) -> (undone: Undone, steps: [UndoStep])? {
    let last = try connection.first(
      "SELECT id, action, subject, count, done_at FROM undo_log ORDER BY id DESC LIMIT 1"
    ) { row in
      UndoAction(rawValue: row.text(1)).map { action in
        let done = Timestamp(seconds: row.integer(4))
        return (row.integer(0), Undone(action: action, subject: row.text(2), count: row.count(3), doneAt: done))
      }
    }
    guard let last, let (entry, undone) = last else { return nil }
    let steps = try steps(of: entry)
    try connection.execute("DELETE FROM undo_log WHERE id = \(entry)")
    return (undone, steps)
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
}
