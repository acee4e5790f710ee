internal import PodcastModel

/// The durability of a position.
package enum PositionUrgency: Sendable {
  /// One of many while playing. It may be skipped when the library is busy, and a power cut loses five at most.
  case tick
  /// The last position for now: durable when it is saved.
  case flush
}

/// Saves the positions of a player: numbered, and synced to the disk at every fourth tick and at every flush.
struct PositionSaver {
  let numbers: PositionNumbers
  /// Ticks since the WAL was last synced, or its sync begun.
  private var unsyncedTicks = 0
  /// The episode that was started or saved last, with its position and the number of what is stored for it.
  private var stored: (id: EpisodeID, position: Duration?, number: Int64)?

  init(numbers: PositionNumbers) { self.numbers = numbers }

  /// Makes this the current episode, and no other one.
  mutating func start(_ id: EpisodeID, at now: Timestamp, in library: OpenLibrary) throws(StoreError) {
    try number(above: id, in: library)
    // The sound is already on its way: a locked library must not keep the player from numbering its positions.
    let next = numbers.next()
    let number = try library.write(patience: Self.flushPatience, despiteFullDisk: true) {
      connection throws(StoreError) in
      try StatusRows(connection: connection).makeCurrent(id, number: next, at: now)
    }
    numbers.startAbove(number)
    stored = (id, nil, number)
  }

  /// Reading works where writing does not, and a position in the side file must have a higher number than the stored one.
  private func number(above id: EpisodeID, in library: OpenLibrary) throws(StoreError) {
    numbers.startAbove(try StatusRows(connection: library.connection).positionNumber(of: id))
  }

  /// An end that this process has written, perhaps late, is no mark of another.
  mutating func forget(_ id: EpisodeID) {
    if stored?.id == id { stored = nil }
  }

  /// Saves a position. `byte` is the one of the media file that sounds there. Where the episode was marked as played since the
  /// last position or its start, the mark stands, and no position is saved; one as unplayed since the last position stands
  /// until a second was heard.
  mutating func save(
    _ position: Duration, of id: EpisodeID, byte: HeardByte?, _ urgency: PositionUrgency, at now: Timestamp,
    in library: OpenLibrary
  ) throws(StoreError) {
    let isFlush = urgency == .flush
    let endsGroup = unsyncedTicks == Self.ticksPerSync - 1
    // At most one group and one tick may be lost, so on a slow disk playing waits for the sync of the last group.
    if !isFlush, unsyncedTicks == 1 { library.walSync.wait() }
    let last = stored?.id == id ? stored : nil
    if last == nil { try number(above: id, in: library) }
    let number = numbers.next()
    let saved = try library.write(
      isFlush ? .full : .normal, patience: isFlush ? Self.flushPatience : Self.tickPatience,
      toleratedWAL: Checkpoint.toleratedByPositions, despiteFullDisk: true
    ) { connection throws(StoreError) in
      let statuses = StatusRows(connection: connection)
      if let last, let mark = try statuses.mark(of: id, after: last.number),
        mark == .played || last.position.map({ abs((position - $0).inSeconds) < 1 }) ?? false
      {
        if mark == .played { try UndoLog(connection: connection).heardOn(id, to: position) }
        return nil as Int64?
      }
      let position = max(.zero, position)
      if let byte { try HeardPosition(position: position, byte: byte).save(for: id, connection) }
      return try statuses.setPosition(
        position, of: id, number: number, at: now, updatesTime: isFlush || endsGroup)
    }
    guard let saved else { return }
    numbers.startAbove(saved)
    stored = (id, position, saved)
    if endsGroup, !isFlush { library.walSync.begin() }
    unsyncedTicks = isFlush || endsGroup ? 0 : unsyncedTicks + 1
  }

  /// Ticks that are synced together.
  private static let ticksPerSync = 4
  private static let flushPatience = Duration.milliseconds(400)
  private static let tickPatience = Duration.milliseconds(250)
}
