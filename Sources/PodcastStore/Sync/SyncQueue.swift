internal import PodcastModel
internal import Text

/// The queue that the registers give, and the keys that turn it into another.
struct SyncQueue {
  private struct Item {
    var id: EpisodeID
    var key: String
  }

  /// In order.
  private let items: [Item]
  var ids: [EpisodeID] { items.map(\.id) }

  /// An episode that was finished after it was queued is not in it.
  init(connection: Connection, onlyApplied: Bool = false) throws(StoreError) {
    let found = try connection.rows(
      """
      SELECT q.entity, q.value, q.stamp, p.stamp, p.value, e.guid FROM sync_registers q INDEXED BY sync_by_name
      CROSS JOIN episodes e ON e.id = q.entity
      LEFT JOIN sync_registers p ON p.kind = 'episode' AND p.entity = q.entity AND p.name = 'play'
        AND (p.is_applied OR NOT \(onlyApplied))
      WHERE q.name = 'q' AND q.kind = 'episode' AND q.value <> 'null' AND (q.is_applied OR NOT \(onlyApplied))
      """
    ) { row -> (item: Item, guid: String)? in
      let isFinished = row.integer(3) > row.integer(2) && JSON(parsing: row.text(4))?["done"]?.int == 1
      guard !isFinished, let key = JSON(parsing: row.text(1))?.text else { return nil }
      return (Item(id: EpisodeID(rawValue: row.integer(0)), key: key), row.text(5))
    }
    // Equal keys are as good as impossible; then every machine must still find one order.
    items = found.compactMap(\.self).sorted { left, right in
      left.item.key == right.item.key
        ? QueueKey.precedes(left.guid, right.guid) : QueueKey.precedes(left.item.key, right.item.key)
    }.map(\.item)
  }

  /// The keys that change, as few as possible; nil for episodes that leave.
  func changes(to wanted: [EpisodeID]) -> [(id: EpisodeID, key: String?)] {
    guard wanted != ids else { return [] }
    let known = Dictionary(items.map { ($0.id, $0.key) }) { first, _ in first }
    let left = Set(ids).subtracting(wanted)
    let gone = ids.filter(left.contains).map { (id: $0, key: String?.none) }
    return gone + (moved(wanted, known) ?? dealt(wanted))
  }

  private func moved(_ wanted: [EpisodeID], _ known: [EpisodeID: String]) -> [(id: EpisodeID, key: String?)]? {
    var generator = SystemRandomNumberGenerator()
    let keys = wanted.map { known[$0] }
    let kept = QueueKey.longestRun(keys)
    var changes: [(id: EpisodeID, key: String?)] = []
    var low: String?
    for (index, id) in wanted.enumerated() {
      if kept.contains(index) {
        low = keys[index]
        continue
      }
      let high = (index + 1..<wanted.count).first(where: kept.contains).flatMap { keys[$0] }
      guard let key = QueueKey.between(low, high, using: &generator) else { return nil }
      changes.append((id, key))
      low = key
    }
    return changes
  }

  private func dealt(_ wanted: [EpisodeID]) -> [(id: EpisodeID, key: String?)] {
    var generator = SystemRandomNumberGenerator()
    return zip(wanted, QueueKey.dealt(wanted.count, using: &generator)).map { ($0, $1) }
  }

  /// The queue with the episodes that are not shared, each behind the one that it was behind.
  func merged(into queue: [EpisodeID], isShared: (EpisodeID) -> Bool) -> [EpisodeID] {
    var followers: [EpisodeID?: [EpisodeID]] = [:]
    let shared = Set(ids)
    var last: EpisodeID?
    for id in queue {
      if shared.contains(id) { last = id } else if !isShared(id) { followers[last, default: []].append(id) }
    }
    return (followers[nil] ?? []) + ids.flatMap { [$0] + (followers[$0] ?? []) }
  }
}
