package import PodcastModel

extension PodcastStore {
  package enum QueuePosition: Hashable, Sendable {
    case end
    /// Before everything else.
    case next
    /// 1 is the first.
    case place(Int)
  }

  package func queue() throws(StoreError) -> [EpisodeEntry] {
    try entries(
      """
      SELECT \(EpisodeRows.columns) FROM queue q CROSS JOIN episodes e ON e.id = q.episode_id
      LEFT JOIN statuses s ON s.episode_id = e.id CROSS JOIN podcasts p ON p.id = e.podcast_id
      LEFT JOIN media m ON m.episode_id = e.id ORDER BY q.place
      """)
  }

  /// What is in the queue already moves. In the order given.
  package func enqueue(_ ids: [EpisodeID], at place: QueuePosition = .end) throws(StoreError) {
    let ids = ids.withoutRepetitions
    try editQueue(.queueAdded) { queue in
      queue.removeAll { ids.contains($0) }
      let index =
        switch place {
        case .end: queue.count
        case .next: 0
        case .place(let number): min(max(0, number - 1), queue.count)
        }
      queue.insert(contentsOf: ids, at: index)
    }
  }

  package func removeFromQueue(_ ids: [EpisodeID]) throws(StoreError) {
    try editQueue(.queueRemoved) { queue in queue.removeAll { ids.contains($0) } }
  }

  package func clearQueue() throws(StoreError) {
    try editQueue(.queueCleared) { queue in queue = [] }
  }

  package func shuffleQueue(using generator: inout some RandomNumberGenerator) throws(StoreError) {
    let before = try connection.rows("SELECT episode_id FROM queue ORDER BY place") {
      EpisodeID(rawValue: $0.integer(0))
    }
    let shuffled = before.shuffled(using: &generator)
    try editQueue(.queueShuffled) { queue in
      // Somebody may have added or removed one meanwhile.
      let known = shuffled.filter(queue.contains)
      queue = known + queue.filter { !known.contains($0) }
    }
  }

  /// Reads, changes and writes the whole queue, so that its places stay 1, 2, 3 without a gap.
  private func editQueue(
    _ action: UndoAction, _ change: (inout [EpisodeID]) -> Void
  ) throws(StoreError) {
    try write { connection throws(StoreError) in
      let rows = QueueRows(connection: connection)
      let before = try rows.read()
      var after = before
      change(&after)
      guard after != before else { return }
      try UndoLog(connection: connection).record(
        action, subject: "", count: abs(after.count - before.count), steps: UndoStep.queue(before))
      try rows.replace(with: after)
    }
  }
}

struct QueueRows {
  let connection: Connection

  func read() throws(StoreError) -> [EpisodeID] {
    try connection.rows("SELECT episode_id FROM queue ORDER BY place") { EpisodeID(rawValue: $0.integer(0)) }
  }

  /// Episodes that are no more are left out.
  func replace(with ids: [EpisodeID]) throws(StoreError) {
    try connection.execute("DELETE FROM queue")
    var place = 1
    for id in ids {
      try connection.execute(
        "INSERT INTO queue (place, episode_id) SELECT \(place), id FROM episodes WHERE id = \(id)")
      place += connection.changedRows
    }
  }

  func remove(_ id: EpisodeID) throws(StoreError) {
    guard try connection.integer("SELECT place FROM queue WHERE episode_id = \(id)") != nil else { return }
    try replace(with: try read().filter { $0 != id })
  }
}

extension [EpisodeID] {
  fileprivate var withoutRepetitions: [EpisodeID] {
    var seen: Set<EpisodeID> = []
    return filter { seen.insert($0).inserted }
  }
}
