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
/// It waits in a small file of its own, a line for each, until the library is next opened for writing.
package struct PendingProgress: Hashable, Sendable {
  /// The episode that played.
  package var episode: EpisodeID
  /// Tells the episode from one of another library, beside which the file may lie by then.
  private var identity: Identity?
  /// The position to save.
  package var position: Duration
  /// The position's number: a higher one is later.
  package var number: Int64
  /// The byte that sounds there, where a position cannot be computed from bytes.
  package var byte: HeardByte?
  /// It was heard to its end.
  package var isEnd: Bool
  /// When it was heard: since then a later position may have come from another machine.
  private var heardAt: Timestamp?

  /// A position to save in the side file.
  package init(
    _ episode: Episode, position: Duration, number: Int64, byte: HeardByte? = nil, isEnd: Bool = false,
    heardAt: Timestamp = .now
  ) {
    self.episode = episode.id
    identity = Identity(guid: episode.guid, enclosure: episode.enclosure?.url)
    self.position = position
    self.number = number
    self.byte = byte
    self.isEnd = isEnd
    self.heardAt = heardAt
  }

  /// Hashes of an episode's guid and of its media file's address, one of which a publisher may have changed since.
  private struct Identity: Hashable {
    var guid: Int64
    var enclosure: Int64

    init(guid: String, enclosure: String?) {
      self.guid = Int64(bitPattern: FNV1a.hash(guid[...]))
      self.enclosure = enclosure.map { Int64(bitPattern: FNV1a.hash($0[...])) } ?? 0
    }

    init(guid: Int64, enclosure: Int64) { (self.guid, self.enclosure) = (guid, enclosure) }

    func isSame(as other: Identity) -> Bool {
      guid == other.guid || enclosure != 0 && enclosure == other.enclosure
    }
  }

  // MARK: A line

  private var line: Substring {
    let byte = byte ?? HeardByte(offset: -1, fileSize: 0, isExact: false)
    let numbers = [
      episode.rawValue, position.inMilliseconds, number, byte.offset, byte.fileSize, byte.isExact ? 1 : 0,
      identity?.guid ?? 0, identity?.enclosure ?? 0, isEnd ? 1 : 0, heardAt?.seconds ?? 0,
    ]
    return Substring(numbers.map(String.init).joined(separator: " "))
  }

  private init?(line: Substring) {
    let numbers = line.split(separator: " ").compactMap { Int64($0) }
    // Earlier versions wrote three, four, six or nine.
    guard [3, 4, 6, 9, 10].contains(numbers.count), numbers[1] >= 0 else { return nil }
    episode = EpisodeID(rawValue: numbers[0])
    position = .milliseconds(numbers[1])
    number = numbers[2]
    if numbers.count >= 6, numbers[3] >= 0 {
      byte = HeardByte(offset: numbers[3], fileSize: numbers[4], isExact: numbers[5] == 1)
    }
    if numbers.count >= 9 { identity = Identity(guid: numbers[6], enclosure: numbers[7]) }
    isEnd = numbers.count >= 9 && numbers[8] == 1
    if numbers.count == 10, numbers[9] > 0 { heardAt = Timestamp(seconds: numbers[9]) }
  }
}

/// The side file.
extension PendingProgress {
  /// Adds to the side file; lines of other episodes stay in it. Needs no library and no actor, so it works while a signal is
  /// handled. The new file replaces the old one as a whole, and is on the disk when this returns true; else `errno` says why.
  @discardableResult
  package static func write(_ pending: [PendingProgress], in directory: String) -> Bool {
    let replace = {
      let others = lines(in: directory).filter { line in
        guard let old = PendingProgress(line: line) else { return true }
        return !pending.contains { $0.replaces(old) }
      }
      return write(others.suffix(most) + pending.map(\.line), in: directory)
    }
    return FileLock.holding(folder: directory, patience: .milliseconds(50), replace) ?? replace()
  }

  /// An earlier end stays: the episode was heard again since. So does a line of another library.
  private func replaces(_ old: PendingProgress) -> Bool {
    let isSame = episode == old.episode && (old.identity == nil || old.identity == identity)
    return isSame && (isEnd || !old.isEnd)
  }

  private static func write(_ lines: [Substring], in directory: String) -> Bool {
    let path = path(in: directory)
    // One name for every draft: a kill amid the write leaves one file at most.
    return Files.replace(
      path, with: Array(lines.map { $0 + "\n" }.joined().utf8), isDurable: true, draft: path + ".new")
  }

  /// Those of the side file, the last written last.
  static func read(in directory: String) -> [PendingProgress] {
    lines(in: directory).compactMap { PendingProgress(line: $0) }
  }

  private static func lines(in directory: String) -> [Substring] {
    guard let bytes = Files.read(path(in: directory), atMost: 1 << 20), bytes.last == UInt8(ascii: "\n") else {
      return []
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }

  private static func exists(in directory: String) -> Bool { access(path(in: directory), F_OK) == 0 }

  /// Removes what is in the library by now, and the file with its last line. Those written since stay.
  private static func remove(_ merged: [PendingProgress], in directory: String) {
    guard !merged.isEmpty else { return }
    _ = FileLock.holding(folder: directory, patience: .milliseconds(100)) {
      let rest = lines(in: directory).filter { line in PendingProgress(line: line).map { !merged.contains($0) } ?? true
      }
      return rest.isEmpty ? unlink(path(in: directory)) == 0 : write(rest, in: directory)
    }
  }

  /// Episodes that are left while the library stays locked; more of them would make each write slow.
  private static let most = 1000

  private static func path(in directory: String) -> String { directory + "/progress.pending" }
}

/// The side file and the library.
extension PendingProgress {
  /// Merges the side file now, or with the first write for which the library is free; until then its positions are shown.
  /// Returns the highest number in it.
  static func merge(into library: OpenLibrary, directory: String) throws(StoreError) -> Int64 {
    guard exists(in: directory) else { return 0 }
    let highest = read(in: directory).map(\.number).max() ?? 0
    try library.writeFirst { connection throws(StoreError) in
      try connection.execute("DROP TABLE IF EXISTS temp.statuses")
      let merged = try merge(into: connection, directory: directory)
      return { remove(merged, in: directory) }
    }
    if library.isWorkWaiting { try show(on: library.connection, directory: directory) }
    return highest
  }

  /// Moves the positions of the side file into the library, unless later ones are stored there, in the transaction that
  /// runs. Returns those that `remove` takes out of the file once it is committed.
  private static func merge(into connection: Connection, directory: String) throws(StoreError) -> [PendingProgress] {
    guard exists(in: directory) else { return [] }
    let pending = try readOwn(connection, directory)
    for (index, progress) in pending.enumerated() {
      try progress.store(connection, isLast: index == pending.count - 1)
    }
    return pending
  }

  /// For a store that writes nothing, or cannot yet: a temporary table with the positions of the side file takes the place
  /// of `statuses` on this connection. Ends are left out, because lists find them in `episodes`, too.
  static func show(on connection: Connection, directory: String) throws(StoreError) {
    guard exists(in: directory) else { return }
    let pending = try readOwn(connection, directory)
    guard pending.contains(where: { !$0.isEnd }) else { return }
    let indexes = try connection.rows(
      "SELECT sql FROM main.sqlite_schema WHERE tbl_name = 'statuses' AND type = 'index' AND sql IS NOT NULL"
    ) { $0.text(0).replacing("INDEX ", with: "INDEX temp.", maxReplacements: 1) }
    let table = """
      PRAGMA temp_store = MEMORY;
      CREATE TEMP TABLE statuses AS SELECT * FROM main.statuses;
      CREATE UNIQUE INDEX temp.statuses_by_episode ON statuses (episode_id);
      """
    try connection.executeScript(([table] + indexes).joined(separator: ";\n"))
    for (index, progress) in pending.enumerated() where !progress.isEnd {
      try progress.insert(into: "temp.statuses", connection)
      guard connection.changedRows > 0, index == pending.count - 1, try !progress.isOutrun(connection) else { continue }
      let id = progress.episode
      // One after the other, as only one may be the current one.
      try connection.execute(
        "UPDATE temp.statuses SET is_currently_playing = 0 WHERE is_currently_playing = 1 AND episode_id <> \(id)")
      try connection.execute("UPDATE temp.statuses SET is_currently_playing = 1 WHERE episode_id = \(id)")
    }
  }

  /// Those of episodes of this library.
  private static func readOwn(_ connection: Connection, _ directory: String) throws(StoreError) -> [PendingProgress] {
    var own: [PendingProgress] = []
    for progress in read(in: directory) {
      let found = try connection.first("SELECT guid, enclosure_url FROM episodes WHERE id = \(progress.episode)") {
        Identity(guid: $0.text(0), enclosure: $0.optionalText(1))
      }
      if let found, progress.identity?.isSame(as: found) ?? true { own.append(progress) }
    }
    return own
  }

  private func store(_ connection: Connection, isLast: Bool) throws(StoreError) {
    try insert(into: "statuses", connection)
    // A later position is stored already, or this one, whose line could not be removed.
    guard connection.changedRows > 0 else { return }
    try connection.execute("UPDATE episodes SET is_new = 0 WHERE id = \(episode) AND is_new = 1")
    if isEnd { return try QueueRows(connection: connection).remove(episode) }
    if let byte { try HeardPosition(position: position, byte: byte).save(for: episode, connection) }
    guard isLast, try !isOutrun(connection) else { return }
    _ = try StatusRows(connection: connection).makeCurrent(episode, number: number, at: playedAt)
  }

  /// Earlier versions did not write it.
  private var playedAt: Timestamp { min(heardAt ?? .now, .now) }

  /// Another episode has become the current one since.
  private func isOutrun(_ connection: Connection) throws(StoreError) -> Bool {
    let later: SQL = "SELECT 1 FROM statuses WHERE is_currently_playing = 1 AND position_number > \(number)"
    return try connection.integer(later) != nil
  }

  private func insert(into statuses: SQL, _ connection: Connection) throws(StoreError) {
    try connection.execute(
      """
      INSERT INTO \(statuses) (episode_id, last_listen_time, position_number, last_played_at, has_completed,
        is_currently_playing, is_favourite)
      VALUES (\(episode), \(isEnd ? nil : position), \(number), \(playedAt), \(isEnd), 0, 0)
      ON CONFLICT (episode_id) DO UPDATE SET
        last_listen_time = excluded.last_listen_time, position_number = excluded.position_number,
        last_played_at = max(ifnull(last_played_at, 0), excluded.last_played_at),
        has_completed = max(has_completed, excluded.has_completed),
        is_currently_playing = min(is_currently_playing, NOT excluded.has_completed)
      WHERE position_number < excluded.position_number
      """)
  }
}
