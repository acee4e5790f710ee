internal import PodcastModel
internal import Text

/// The rows of `sync_state`, a text for each key, and the log.
struct SyncStateRows {
  let connection: Connection

  /// The episode that becomes the current one once no player holds another.
  static let heardLast = "heardLast"

  subscript(key: String) -> String? {
    get throws(StoreError) {
      try connection.first("SELECT value FROM sync_state WHERE key = \(key)") { $0.text(0) }
    }
  }

  /// Inside a transaction. Nil removes it.
  func set(_ key: String, to value: String?) throws(StoreError) {
    if let value {
      try connection.execute("INSERT OR REPLACE INTO sync_state (key, value) VALUES (\(key), \(value))")
    } else {
      try connection.execute("DELETE FROM sync_state WHERE key = \(key)")
    }
  }

  /// This library's id among the devices: random, never of the machine. Made on first use, inside a transaction.
  func device() throws(StoreError) -> String {
    if let known = try self["device"] { return known }
    return try takeNewDevice()
  }

  @discardableResult
  func takeNewDevice() throws(StoreError) -> String {
    let device = FNV1a.digits(.random(in: .min ... .max))
    try set("device", to: device)
    return device
  }

  // MARK: The log

  func log(_ event: String, of backend: String, now: Timestamp) throws(StoreError) {
    try connection.execute("INSERT INTO sync_log (at, backend, event) VALUES (\(now), \(backend), \(event))")
    try connection.execute("DELETE FROM sync_log WHERE id <= \(connection.lastInsertedID - Self.kept)")
  }

  private static let kept: Int64 = 500
}
