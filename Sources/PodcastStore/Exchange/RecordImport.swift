internal import PodcastModel

/// Applies a portable library: its records are matched, then written in one transaction with one undo step.
struct RecordImport {
  let library: PortableLibrary
  let now: Timestamp

  /// Records by podcast, and those without one.
  private struct Plan {
    var matches: [RecordMatcher.Match] = []
    var unmatched: [ListeningRecord] = []
    var withoutPodcast: [ListeningRecord] = []
  }

  /// Counts only.
  func compare(_ connection: Connection) throws(StoreError) -> AppliedRecords {
    let plan = try plan(connection)
    var writer = RecordWriter(connection, isDry: true, now: now)
    for match in plan.matches { try writer.write(match) }
    try writer.finishQueue()
    return counted(writer, plan)
  }

  /// Matching needs no transaction: ids never change.
  func apply(
    from app: String, _ following: [MergeResult], in entry: ImportEntry?, _ library: OpenLibrary
  ) throws(StoreError) -> AppliedRecords {
    let plan = try plan(library.connection)
    return try library.write(patience: BusyHandler.usualPatience, toleratedWAL: Checkpoint.toleratedByMerges) {
      connection throws(StoreError) in
      var writer = RecordWriter(connection, isDry: false, now: now)
      for match in plan.matches where try exists(match.episode, connection) { try writer.write(match) }
      try writer.finishQueue()
      let parked = try ParkedRecords(connection: connection).park(plan.unmatched + plan.withoutPodcast)
      let steps = writer.steps + UndoStep.following(following) + parked
      if !steps.isEmpty {
        _ = try UndoLog(connection: connection).recordImport(from: app, in: entry, count: writer.result.changed, steps)
      }
      return counted(writer, plan)
    }
  }

  private func counted(_ writer: RecordWriter, _ plan: Plan) -> AppliedRecords {
    var result = writer.result
    result.parked = plan.unmatched.count + plan.withoutPodcast.count
    result.withoutPodcast = plan.withoutPodcast.count
    return result
  }

  private func exists(_ episode: EpisodeID, _ connection: Connection) throws(StoreError) -> Bool {
    try connection.integer("SELECT 1 FROM episodes WHERE id = \(episode)") != nil
  }

  private func plan(_ connection: Connection) throws(StoreError) -> Plan {
    let matcher = RecordMatcher(connection: connection)
    var byFeed: [String: [ListeningRecord]] = [:]
    for record in library.episodes where !record.isEmpty { byFeed[record.feedURL, default: []].append(record) }
    var byPodcast: [PodcastID: [ListeningRecord]] = [:]
    var plan = Plan()
    for (feedURL, records) in byFeed.sorted(by: { $0.key < $1.key }) {
      if let podcast = try matcher.podcast(at: feedURL) {
        byPodcast[podcast, default: []] += records
      } else {
        plan.withoutPodcast += records
      }
    }
    for (podcast, records) in byPodcast.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      let result = try matcher.match(records, in: podcast)
      plan.matches += result.matches
      plan.unmatched += result.unmatched
    }
    return plan
  }
}

extension UndoStep {
  /// Podcasts that an import has followed. The number is 1 for a podcast that was never followed before.
  static func following(_ results: [MergeResult]) -> [UndoStep] {
    results.map { UndoStep(kind: .following, subject: $0.podcast.rawValue, number: $0.isReturning ? nil : 1) }
  }
}
