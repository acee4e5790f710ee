internal import PodcastModel

/// The rows of `sync_registers` and `sync_parked`. Inside a transaction.
struct SyncRegisterRows {
  let connection: Connection

  enum Kind: String { case podcast, episode }

  /// A register's entity in this library.
  struct Key: Hashable {
    var kind: Kind
    var id: Int64
    var name: String

    static func podcast(_ id: PodcastID, _ name: String) -> Key { Key(kind: .podcast, id: id.rawValue, name: name) }
    static func episode(_ id: EpisodeID, _ name: String) -> Key { Key(kind: .episode, id: id.rawValue, name: name) }
  }

  struct Row {
    var register: SyncRegister
    /// The library's value when the register was last compared with it.
    var local: String?
    var isApplied = true
  }

  func read(_ key: Key) throws(StoreError) -> Row? {
    try connection.first(
      """
      SELECT stamp, device, value, local, is_applied FROM sync_registers
      WHERE kind = \(key.kind.rawValue) AND entity = \(key.id) AND name = \(key.name)
      """
    ) { Self.row($0, from: 0, key.name) }
  }

  /// All of a kind, or of one entity, whose names begin with `name`, or have it.
  func all(_ kind: Kind, of entity: Int64? = nil, named name: String? = nil) throws(StoreError) -> [(
    id: Int64, row: Row
  )] {
    let ofEntity: SQL = entity.map { "AND entity = \($0)" } ?? ""
    let condition: SQL =
      switch name {
      case nil: ""
      case let name? where name.hasSuffix(":"): "AND name >= \(name) AND name < \(String(name.dropLast()) + ";")"
      case let name?: "AND name = \(name)"
      }
    return try connection.rows(
      """
      SELECT entity, name, stamp, device, value, local, is_applied FROM sync_registers
      WHERE kind = \(kind.rawValue) \(ofEntity) \(condition)
      """
    ) { ($0.integer(0), Self.row($0, from: 2, $0.text(1))) }
  }

  static func row(_ row: Statement.Row, from column: Int32, _ name: String) -> Row {
    Row(
      register: register(row, from: column, name), local: row.optionalText(column + 3),
      isApplied: row.flag(column + 4))
  }

  private static func register(_ row: Statement.Row, from column: Int32, _ name: String) -> SyncRegister {
    SyncRegister(name, stamp: row.integer(column), device: row.text(column + 1), value: row.text(column + 2))
  }

  /// A register that is new to every file and server.
  func stamp(_ register: SyncRegister, _ key: Key, local: String?) throws(StoreError) {
    try connection.execute(
      """
      INSERT OR REPLACE INTO sync_registers (kind, entity, name, stamp, device, value, local, is_applied)
      VALUES (\(key.kind.rawValue), \(key.id), \(key.name), \(register.stamp), \(register.device), \(register.value),
        \(local), 1)
      """)
  }

  /// A register of elsewhere. True when it counts from now on.
  @discardableResult
  func merge(_ register: SyncRegister, _ key: Key, over known: Row?, holder: String?) throws(StoreError) -> Bool {
    if let known {
      if register.isIdentical(to: known.register) {
        guard let holder else { return false }
        try connection.execute(
          """
          UPDATE sync_registers SET holder = \(holder)
          WHERE kind = \(key.kind.rawValue) AND entity = \(key.id) AND name = \(key.name)
          """)
        return false
      }
      guard register.beats(known.register) else { return false }
    }
    let isUnchanged = known?.register.value == register.value && known?.isApplied == true
    try connection.execute(
      """
      INSERT INTO sync_registers (kind, entity, name, stamp, device, value, holder)
      VALUES (\(key.kind.rawValue), \(key.id), \(key.name), \(register.stamp), \(register.device), \(register.value),
        \(holder))
      ON CONFLICT (kind, entity, name) DO UPDATE SET stamp = excluded.stamp, device = excluded.device,
        value = excluded.value, holder = excluded.holder, is_applied = \(isUnchanged)
      """)
    return true
  }

  func setApplied(_ key: Key, local: String?) throws(StoreError) {
    try connection.execute(
      """
      UPDATE sync_registers SET local = \(local), is_applied = 1
      WHERE kind = \(key.kind.rawValue) AND entity = \(key.id) AND name = \(key.name)
      """)
  }

  /// The register counts as one of this time, if it is older.
  func restamp(_ key: Key, to stamp: Int64) throws(StoreError) {
    try connection.execute(
      """
      UPDATE sync_registers SET stamp = \(stamp), holder = NULL
      WHERE kind = \(key.kind.rawValue) AND entity = \(key.id) AND name = \(key.name) AND stamp < \(stamp)
      """)
  }

  // MARK: Files

  /// Nothing is known to stand in the files of this device any more.
  func release(_ device: String) throws(StoreError) {
    try connection.execute("UPDATE sync_registers SET holder = NULL WHERE holder = \(device)")
    try connection.execute("UPDATE sync_parked SET holder = NULL WHERE holder = \(device)")
  }

  // MARK: Parked

  func parked(_ entity: String, _ name: String) throws(StoreError) -> SyncRegister? {
    try connection.first(
      "SELECT stamp, device, value FROM sync_parked WHERE entity = \(entity) AND name = \(name)"
    ) { Self.register($0, from: 0, name) }
  }

  /// Keeps a register whose entity is not in the library. True when it is news.
  @discardableResult
  func park(_ register: SyncRegister, _ entity: String, holder: String?) throws(StoreError) -> Bool {
    if let known = try parked(entity, register.name) {
      if register.isIdentical(to: known) {
        guard let holder else { return false }
        try connection.execute(
          "UPDATE sync_parked SET holder = \(holder) WHERE entity = \(entity) AND name = \(register.name)")
        return false
      }
      guard register.beats(known) else { return false }
    }
    try connection.execute(
      """
      INSERT OR REPLACE INTO sync_parked (entity, name, stamp, device, value, holder)
      VALUES (\(entity), \(register.name), \(register.stamp), \(register.device), \(register.value), \(holder))
      """)
    return true
  }

  func parkedEntities() throws(StoreError) -> [String] {
    try connection.rows("SELECT DISTINCT entity FROM sync_parked") { $0.text(0) }
  }

  /// Removes the parked registers of an entity and returns them with their holders. A server holds none for others.
  func unpark(_ entity: String) throws(StoreError) -> [(register: SyncRegister, holder: String?)] {
    let found = try connection.rows(
      "SELECT name, stamp, device, value, holder FROM sync_parked WHERE entity = \(entity)"
    ) { row in
      let holder = row.optionalText(4)
      return (Self.register(row, from: 1, row.text(0)), holder?.hasPrefix("server-") == true ? nil : holder)
    }
    try connection.execute("DELETE FROM sync_parked WHERE entity = \(entity)")
    return found
  }

  // MARK: Forgetting

  /// Deletes what is known of a podcast and its episodes.
  func forget(_ podcast: PodcastID) throws(StoreError) {
    try connection.execute(
      "DELETE FROM sync_registers WHERE kind = \(Kind.podcast.rawValue) AND entity = \(podcast)")
    try connection.execute(
      """
      DELETE FROM sync_registers WHERE kind = \(Kind.episode.rawValue)
        AND entity IN (SELECT id FROM episodes WHERE podcast_id = \(podcast))
      """)
  }

  /// Deletes what is known of episodes that are not in the library any more.
  func forgetStrays() throws(StoreError) {
    try connection.execute(
      """
      DELETE FROM sync_registers WHERE kind = \(Kind.episode.rawValue) AND entity NOT IN (SELECT id FROM episodes)
      """)
  }
}
