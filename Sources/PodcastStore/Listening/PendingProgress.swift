private import Glibc
package import PodcastModel
internal import Synchronization
internal import System
internal import Text

/// Numbers the positions that a process writes. The highest number is the last position, whatever the clock says.
package final class PositionNumbers: Sendable {
  private let last = Atomic<Int64>(0)

  /// The number of the next position.
  package func next() -> Int64 { last.add(1, ordering: .relaxed).newValue }

  func startAbove(_ number: Int64) { last.max(number, ordering: .relaxed) }
}

/// A position, or an end, that could not be written into the library because it was locked or the disk full.
/// It waits in a small file of its own, a line for each episode, until the library is next opened for writing.
package struct PendingProgress: Hashable, Sendable {
  /// The episode that played.
  package var episode: EpisodeID
  /// A hash of its guid: the file may lie beside another library by then. Nil in a file of an earlier version.
  package var guidHash: Int64?
  /// The position to save.
  package var position: Duration
  /// The position's number: a higher one is later.
  package var number: Int64
  /// The byte that sounds there, where a position cannot be computed from bytes.
  package var byte: HeardByte?
  /// It was heard to its end.
  package var isEnd: Bool

  /// A position to save in the side file.
  package init(
    _ episode: Episode, position: Duration, number: Int64, byte: HeardByte? = nil, isEnd: Bool = false
  ) {
    self.episode = episode.id
    guidHash = Self.hash(episode.guid)
    self.position = position
    self.number = number
    self.byte = byte
    self.isEnd = isEnd
  }

  /// Writes the side file; lines of other episodes stay in it. Needs no library, no actor and hardly any memory, so it
  /// works while a signal is handled. The new file replaces the old one as a whole, and is on the disk when this returns true.
  @discardableResult
  package static func write(_ pending: [PendingProgress], in directory: String) -> Bool {
    let path = path(in: directory)
    let replace = {
      let others = read(in: directory).filter { old in !pending.contains { $0.episode == old.episode } }
      let text = (others.suffix(most) + pending).map(\.line).joined()
      // One name for every draft: a kill amid the write leaves one file at most.
      return Files.replace(path, with: Array(text.utf8), isDurable: true, draft: path + ".new")
    }
    return FileLock.holding(folder: directory, patience: .milliseconds(50), replace) ?? replace()
  }

  /// The side file's lines, the last written last.
  static func read(in directory: String) -> [PendingProgress] {
    guard let bytes = Files.read(path(in: directory), atMost: 1 << 20), bytes.last == UInt8(ascii: "\n") else {
      return []
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { PendingProgress(line: $0) }
  }

  static func exists(in directory: String) -> Bool { access(path(in: directory), F_OK) == 0 }

  /// Removes the side file, unless another one has replaced this one since.
  static func remove(_ merged: [PendingProgress], in directory: String) -> Bool {
    FileLock.holding(folder: directory, patience: .milliseconds(100)) {
      read(in: directory) == merged && unlink(path(in: directory)) == 0
    } ?? false
  }

  /// Episodes that are left while the library stays locked; more of them would make each write slow.
  private static let most = 1000

  private static func path(in directory: String) -> String { directory + "/progress.pending" }

  private static func hash(_ guid: String) -> Int64 { Int64(bitPattern: FNV1a.hash(guid)) }

  // MARK: A line

  private var line: String {
    let byte = byte ?? HeardByte(offset: -1, fileSize: 0, isExact: false)
    let numbers = [
      episode.rawValue, position.inMilliseconds, number, byte.offset, byte.fileSize, byte.isExact ? 1 : 0,
      guidHash ?? 0,
      isEnd ? 1 : 0,
    ]
    return numbers.map(String.init).joined(separator: " ") + "\n"
  }

  private init?(line: Substring) {
    let numbers = line.split(separator: " ").compactMap { Int64($0) }
    // Earlier versions wrote three, four or six.
    guard [3, 4, 6, 8].contains(numbers.count), numbers[1] >= 0 else { return nil }
    episode = EpisodeID(rawValue: numbers[0])
    position = .milliseconds(numbers[1])
    number = numbers[2]
    if numbers.count >= 6, numbers[3] >= 0 {
      byte = HeardByte(offset: numbers[3], fileSize: numbers[4], isExact: numbers[5] == 1)
    }
    guidHash = numbers.count == 8 && numbers[6] != 0 ? numbers[6] : nil
    isEnd = numbers.count == 8 && numbers[7] == 1
  }
}

extension PendingProgress {
  /// Moves the positions of the side file into the library, unless later ones are stored there. Returns the highest number
  /// of those that still wait.
  static func merge(into connection: Connection, directory: String) throws(StoreError) -> Int64 {
    do {
      // A player may write a later one meanwhile.
      while exists(in: directory) {
        let pending = read(in: directory)
        try connection.write { () throws(StoreError) in
          for (index, progress) in pending.enumerated() {
            try progress.store(connection, isLast: index == pending.count - 1)
          }
        }
        if !remove(pending, in: directory), read(in: directory) == pending { return 0 }
      }
    } catch {
      // Still locked or still full: the file waits for the next opening. Reading goes on.
      guard error.isTemporary else { throw error }
      return read(in: directory).map(\.number).max() ?? 0
    }
    return 0
  }

  /// For a store that writes nothing: a temporary table with the positions of the side file takes the place of `statuses`
  /// on this connection.
  static func show(on connection: Connection, directory: String) throws(StoreError) {
    guard exists(in: directory) else { return }
    var pending: [PendingProgress] = []
    for progress in read(in: directory) where try progress.isOfThisLibrary(connection) { pending.append(progress) }
    guard !pending.isEmpty else { return }
    let indexes = try connection.rows(
      "SELECT sql FROM main.sqlite_schema WHERE tbl_name = 'statuses' AND type = 'index' AND sql IS NOT NULL"
    ) { $0.text(0).replacing("INDEX ", with: "INDEX temp.", maxReplacements: 1) }
    let table = """
      PRAGMA temp_store = MEMORY;
      CREATE TEMP TABLE statuses AS SELECT * FROM main.statuses;
      CREATE UNIQUE INDEX temp.statuses_by_episode ON statuses (episode_id);
      """
    try connection.executeScript(([table] + indexes).joined(separator: ";\n"))
    for progress in pending { try progress.insert(into: SQL(text: "temp.statuses"), connection) }
  }

  private func isOfThisLibrary(_ connection: Connection) throws(StoreError) -> Bool {
    guard let guid = try connection.first("SELECT guid FROM episodes WHERE id = \(episode)", { $0.text(0) }) else {
      return false
    }
    return guidHash == nil || guidHash == Self.hash(guid)
  }

  private func store(_ connection: Connection, isLast: Bool) throws(StoreError) {
    guard try isOfThisLibrary(connection) else { return }
    try insert(into: SQL(text: "statuses"), connection)
    // No triggers yet on this connection.
    try connection.execute("UPDATE sync_state SET value = '1' WHERE key = 'changed'")
    // The rest belongs to this position only, not to a later one.
    guard
      try connection.integer(
        "SELECT 1 FROM statuses WHERE episode_id = \(episode) AND position_number = \(number)") != nil
    else { return }
    if isEnd { return try QueueRows(connection: connection).remove(episode) }
    if let byte { try HeardPosition(position: position, byte: byte).save(for: episode, connection) }
    // The player was killed, or ended, before it could say so.
    if isLast { _ = try StatusRows(connection: connection).makeCurrent(episode, at: .now) }
  }

  private func insert(into statuses: SQL, _ connection: Connection) throws(StoreError) {
    try connection.execute(
      """
      INSERT INTO \(statuses) (episode_id, last_listen_time, position_number, last_played_at, has_completed,
        is_currently_playing, is_favourite)
      VALUES (\(episode), \(isEnd ? nil : position), \(number), \(Timestamp.now), \(isEnd), 0, 0)
      ON CONFLICT (episode_id) DO UPDATE SET
        last_listen_time = excluded.last_listen_time, position_number = excluded.position_number,
        has_completed = max(has_completed, excluded.has_completed),
        is_currently_playing = min(is_currently_playing, NOT excluded.has_completed)
      WHERE position_number < excluded.position_number
      """)
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
