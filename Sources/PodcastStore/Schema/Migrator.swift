internal import PodcastModel

/// Migrates a library from one schema version to the next.
struct Migrator {
  let connection: Connection
  let migrations: [Migration]

  func createSchema() throws(StoreError) {
    try connection.write { () throws(StoreError) in
      try connection.execute(SQL(text: "PRAGMA application_id = \(Migration.applicationID)"))
      for number in 1...migrations.count { try apply(number) }
    }
  }

  /// Each step is a transaction of its own. Another process may have been faster, so the version is read again inside.
  func run(from version: Int) throws(StoreError) {
    for number in version + 1...migrations.count {
      try connection.write { () throws(StoreError) in
        let current = Int(try connection.integer("PRAGMA user_version") ?? 0)
        if current < number { try apply(number) }
      }
    }
  }

  /// Debian's SQLite overwrites what is deleted (`secure_delete`): the pages of a table that a step empties would all go
  /// through the WAL.
  private func apply(_ number: Int) throws(StoreError) {
    let migration = migrations[number - 1]
    let overwrites = try connection.integer("PRAGMA secure_delete") ?? 0
    try connection.execute("PRAGMA secure_delete = OFF")
    try connection.executeScript(migration.script)
    try connection.execute(SQL(text: "PRAGMA secure_delete = \(overwrites)"))
    try connection.execute(
      "INSERT INTO migrations (number, name, applied_at) VALUES (\(number), \(migration.name), \(Timestamp.now))")
    try connection.execute(SQL(text: "PRAGMA user_version = \(number)"))
  }
}
