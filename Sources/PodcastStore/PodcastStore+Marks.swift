package import PodcastModel

extension PodcastStore {
  /// What somebody says about an episode, as opposed to what playing it says.
  package enum Mark: Hashable, Sendable {
    case played
    /// As if never played. The history stays.
    case unplayed
    case favourite, unfavourite
  }

  /// All of them or none; one undo takes all of them back.
  package func mark(_ mark: Mark, _ ids: [EpisodeID]) throws(StoreError) {
    try write { connection throws(StoreError) in
      var steps: [UndoStep] = []
      for id in ids {
        steps.append(try Self.step(before: mark, id, connection))
        try Self.apply(mark, id, connection)
      }
      guard let first = ids.first else { return }
      let title = try connection.first("SELECT title FROM episodes WHERE id = \(first)") { $0.text(0) }
      try UndoLog(connection: connection).record(
        mark.undoAction, subject: ids.count == 1 ? title ?? "" : "", count: ids.count, steps: steps)
    }
  }

  private static func step(
    before mark: Mark, _ id: EpisodeID, _ connection: Connection
  ) throws(StoreError) -> UndoStep {
    let status = try connection.first(
      "SELECT has_completed, is_favourite, last_listen_time FROM statuses WHERE episode_id = \(id)"
    ) { (hasCompleted: $0.flag(0), isFavourite: $0.flag(1), place: $0.optionalInteger(2)) }
    let was = mark.isAboutPlaying ? status?.hasCompleted : status?.isFavourite
    return UndoStep(
      kind: .status, subject: id.rawValue, name: mark.isAboutPlaying ? "has_completed" : "is_favourite",
      value: was == true ? "1" : "0", number: status?.place)
  }

  private static func apply(_ mark: Mark, _ id: EpisodeID, _ connection: Connection) throws(StoreError) {
    switch mark {
    case .played:
      _ = try upsert(
        id, "has_completed", "1",
        """
        has_completed = 1, last_listen_time = NULL, is_currently_playing = 0, position_number = position_number + 1
        """, connection)
    case .unplayed:
      _ = try upsert(
        id, "has_completed", "0", "has_completed = 0, last_listen_time = NULL, position_number = position_number + 1",
        connection)
    case .favourite, .unfavourite:
      _ = try upsert(
        id, "is_favourite", "\(mark == .favourite)", "is_favourite = excluded.is_favourite", connection)
    }
  }
}

extension PodcastStore.Mark {
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
