private import Glibc
package import PodcastModel
internal import Synchronization
internal import System

/// Numbers the positions that a process writes. The highest number is the last position, whatever the clock says.
package final class PositionNumbers: Sendable {
  private let last = Atomic<Int64>(0)

  /// The number of the next position.
  package func next() -> Int64 { last.add(1, ordering: .relaxed).newValue }

  func startAbove(_ number: Int64) { last.max(number, ordering: .relaxed) }
}

/// A position that could not be written into the library because it was locked or the disk full.
/// It waits in a small file of its own until the library is next opened for writing.
package struct PendingProgress: Hashable, Sendable {
  /// The episode that played.
  package var episode: EpisodeID
  /// The position to save.
  package var position: Duration
  /// The position's number: a higher one is later.
  package var number: Int64
  /// The byte that sounds there, where a position cannot be computed from bytes.
  package var byte: HeardByte?

  /// A position to save in the side file.
  package init(episode: EpisodeID, position: Duration, number: Int64, byte: HeardByte? = nil) {
    self.episode = episode
    self.position = position
    self.number = number
    self.byte = byte
  }

  /// Writes the side file. Needs no library, no actor and hardly any memory, so it works while a signal is handled.
  /// The new file replaces the old one as a whole, and is on the disk when this returns true.
  @discardableResult
  package func write(in directory: String) -> Bool {
    let numbers =
      [episode.rawValue, position.inMilliseconds, number]
      + (byte.map { [$0.offset, $0.fileSize, $0.isExact ? 1 : 0] } ?? [])
    let text = numbers.map(String.init).joined(separator: " ") + "\n"
    let path = Self.path(in: directory)
    // One name for every draft: a kill amid the write leaves one file at most.
    let replace = { Files.replace(path, with: Array(text.utf8), isDurable: true, draft: path + ".new") }
    return FileLock.holding(folder: directory, patience: .milliseconds(50), replace) ?? replace()
  }

  static func read(in directory: String) -> PendingProgress? {
    guard let text = FileLock.read(path(in: directory)), text.last == "\n" else { return nil }
    let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Int64($0) }
    // A version before wrote four at most.
    guard [3, 4, 6].contains(numbers.count), numbers[1] >= 0 else { return nil }
    let byte =
      numbers.count == 6 ? HeardByte(offset: numbers[3], fileSize: numbers[4], isExact: numbers[5] == 1) : nil
    return PendingProgress(
      episode: EpisodeID(rawValue: numbers[0]), position: .milliseconds(numbers[1]), number: numbers[2], byte: byte)
  }

  static func exists(in directory: String) -> Bool { access(path(in: directory), F_OK) == 0 }

  /// Removes the side file, unless another one has replaced this one since.
  static func remove(_ merged: PendingProgress?, in directory: String) -> Bool {
    FileLock.holding(folder: directory, patience: .milliseconds(100)) {
      read(in: directory) == merged && unlink(path(in: directory)) == 0
    } ?? false
  }

  private static func path(in directory: String) -> String { directory + "/progress.pending" }
}

extension PendingProgress {
  /// Moves the position of the side file into the library, unless a later one is stored there.
  static func merge(into connection: Connection, directory: String) throws(StoreError) {
    do {
      // A player may write a later one meanwhile.
      while exists(in: directory) {
        let pending = read(in: directory)
        if let pending { try connection.write { () throws(StoreError) in try pending.store(connection) } }
        if !remove(pending, in: directory), read(in: directory) == pending { return }
      }
    } catch {
      // Still locked or still full: the file waits for the next opening. Reading goes on.
      guard error.isTemporary else { throw error }
    }
  }

  /// For a store that writes nothing: a temporary table with the position of the side file takes the place of `statuses`
  /// on this connection.
  static func show(on connection: Connection, directory: String) throws(StoreError) {
    guard exists(in: directory), let pending = read(in: directory) else { return }
    let indexes = try connection.rows(
      "SELECT sql FROM main.sqlite_schema WHERE tbl_name = 'statuses' AND type = 'index' AND sql IS NOT NULL"
    ) { $0.text(0).replacing("INDEX ", with: "INDEX temp.", maxReplacements: 1) }
    let table = """
      PRAGMA temp_store = MEMORY;
      CREATE TEMP TABLE statuses AS SELECT * FROM main.statuses;
      CREATE UNIQUE INDEX temp.statuses_by_episode ON statuses (episode_id);
      """
    try connection.executeScript(([table] + indexes).joined(separator: ";\n"))
    try connection.execute(
      """
      INSERT INTO temp.statuses (episode_id, last_listen_time, position_number, last_played_at, has_completed,
        is_currently_playing, is_favourite)
      SELECT id, \(pending.position), \(pending.number), \(Timestamp.now), 0, 0, 0 FROM episodes WHERE id = \(pending.episode)
      ON CONFLICT (episode_id) DO UPDATE SET
        last_listen_time = excluded.last_listen_time, position_number = excluded.position_number
      WHERE position_number < excluded.position_number
      """)
  }

  private func store(_ connection: Connection) throws(StoreError) {
    try connection.execute(
      """
      INSERT INTO statuses (episode_id, last_listen_time, position_number, last_played_at)
      SELECT id, \(position), \(number), \(Timestamp.now) FROM episodes WHERE id = \(episode)
      ON CONFLICT (episode_id) DO UPDATE SET
        last_listen_time = excluded.last_listen_time, position_number = excluded.position_number
      WHERE position_number < excluded.position_number
      """)
    // No triggers yet on this connection.
    try connection.execute("UPDATE sync_state SET value = '1' WHERE key = 'changed'")
    // The byte belongs to this position only, not to a later one.
    if let byte,
      try connection.integer(
        "SELECT 1 FROM statuses WHERE episode_id = \(episode) AND position_number = \(number)") != nil
    {
      try HeardPosition(position: position, byte: byte).save(for: episode, connection)
    }
  }
}

extension StoreError {
  fileprivate var isTemporary: Bool {
    switch code {
    case .busy, .full, .readOnly: true
    default: false
    }
  }
}
