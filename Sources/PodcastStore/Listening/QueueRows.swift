internal import PodcastModel

/// The slot at which episodes enter the queue.
package enum QueueSlot: Hashable, Sendable {
  case end
  /// Before everything else.
  case next
  /// 1 is the first.
  case number(Int)
}

/// The rows of `queue`. They are always read and written as a whole, so that their slots stay 1, 2, 3 without a gap.
struct QueueRows {
  let connection: Connection

  func read() throws(StoreError) -> [EpisodeID] {
    try connection.rows("SELECT episode_id FROM queue ORDER BY place") { EpisodeID(rawValue: $0.integer(0)) }
  }

  func entries() throws(StoreError) -> [EpisodeEntry] {
    try EpisodeRows.read(
      """
      SELECT \(EpisodeRows.columns) FROM queue q CROSS JOIN episodes e ON e.id = q.episode_id
      LEFT JOIN statuses s ON s.episode_id = e.id CROSS JOIN podcasts p ON p.id = e.podcast_id
      LEFT JOIN media m ON m.episode_id = e.id ORDER BY q.place
      """, from: connection)
  }

  /// Episodes that do not exist are left out.
  func replace(with ids: [EpisodeID]) throws(StoreError) {
    try connection.execute("DELETE FROM queue")
    var slot = 1
    for id in ids {
      try connection.execute(
        "INSERT INTO queue (place, episode_id) SELECT \(slot), id FROM episodes WHERE id = \(id)")
      slot += connection.changedRows
    }
  }

  func remove(_ id: EpisodeID) throws(StoreError) {
    guard try connection.integer("SELECT place FROM queue WHERE episode_id = \(id)") != nil else { return }
    try replace(with: try read().filter { $0 != id })
  }

  /// Changes the queue and records how to undo it.
  func edit(_ action: UndoAction, _ change: (inout [EpisodeID]) -> Void) throws(StoreError) {
    let before = try read()
    var after = before
    change(&after)
    guard after != before else { return }
    try UndoLog(connection: connection).record(
      action, subject: "", count: abs(after.count - before.count), steps: UndoStep.queue(before, after: after))
    try replace(with: after)
  }

  /// Inserts them in the order given. Episodes in the queue already move.
  func insert(_ ids: [EpisodeID], at slot: QueueSlot) throws(StoreError) {
    let ids = ids.withoutRepetitions
    let moved = Set(ids)
    try edit(.queueAdded) { queue in
      queue.removeAll { moved.contains($0) }
      let index =
        switch slot {
        case .end: queue.count
        case .next: 0
        case .number(let number): min(max(0, number - 1), queue.count)
        }
      queue.insert(contentsOf: ids, at: index)
    }
  }

  /// Restores a former queue, but for what has left or entered the queue since the change: an episode that was heard to
  /// its end, or taken out on another machine, does not come back. Returns whether anything changed.
  func revert(_ steps: [UndoStep], doneAt: Timestamp) throws(StoreError) -> Bool {
    let ids = { (kind: UndoStep.Kind) in steps.filter { $0.kind == kind }.map { EpisodeID(rawValue: $0.subject) } }
    let (before, after) = (ids(.queue), ids(.queueAfter))
    // Nothing is known of what followed a change that an earlier version recorded.
    let present = try read()
    let now = after.isEmpty ? after : present
    let heard = Set(
      try connection.rows("SELECT episode_id FROM statuses WHERE has_completed = 1 AND last_played_at >= \(doneAt)") {
        EpisodeID(rawValue: $0.integer(0))
      })
    try replace(with: before.applying(from: after, to: now).filter { !heard.contains($0) || now.contains($0) })
    return try read() != present
  }
}

extension [EpisodeID] {
  /// With the same removals and additions as lead from one queue to another. What is added stays beside its neighbour.
  fileprivate func applying(from old: [EpisodeID], to new: [EpisodeID]) -> [EpisodeID] {
    let (former, present) = (Set(old), Set(new))
    var result = filter { present.contains($0) || !former.contains($0) }
    for (index, id) in new.enumerated() where !former.contains(id) && !result.contains(id) {
      let neighbour = index > 0 ? new[index - 1] : new.dropFirst().first
      let found = neighbour.flatMap { result.firstIndex(of: $0) }
      result.insert(id, at: found.map { index > 0 ? $0 + 1 : $0 } ?? result.count)
    }
    return result
  }

  fileprivate var withoutRepetitions: [EpisodeID] {
    var seen: Set<EpisodeID> = []
    return filter { seen.insert($0).inserted }
  }
}
