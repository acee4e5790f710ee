internal import PodcastModel

/// Takes a library from one schema to the next.
struct Migrator {
  let connection: Connection
  let file: LibraryFile

  private var migrations: [Migration] { file.migrations }

  func createSchema() throws(StoreError) {
    try connection.write { () throws(StoreError) in
      try connection.execute(SQL(text: "PRAGMA application_id = \(Migration.applicationID)"))
      for number in 1...migrations.count { try apply(number) }
    }
  }

  /// Each step is a transaction of its own. Another process may have been faster, so the version is read again inside.
  func run(from version: Int) throws(StoreError) {
    try file.backUpBeforeMigration(connection, from: version)
    for number in version + 1...migrations.count {
      try connection.write { () throws(StoreError) in
        let current = Int(try connection.integer("PRAGMA user_version") ?? 0)
        if current < number { try apply(number) }
      }
    }
  }

  private func apply(_ number: Int) throws(StoreError) {
    let migration = migrations[number - 1]
    try connection.executeScript(migration.script)
    try connection.execute(
      "INSERT INTO migrations (number, name, applied_at) VALUES (\(number), \(migration.name), \(Timestamp.now))")
    try connection.execute(SQL(text: "PRAGMA user_version = \(number)"))
  }
}

extension LibraryFile {
  /// A copy from before, in the hope that nobody will need it. Without it nothing is migrated.
  fileprivate func backUpBeforeMigration(_ connection: Connection, from version: Int) throws(StoreError) {
    try LibraryFile(path: path + ".version-\(version)").write(copyOf: connection)
  }
}
