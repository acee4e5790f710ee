package import PodcastModel

/// The registers that this library shares with other machines, through a folder or a server.
extension PodcastStore {
  /// Stamps what was done here, merges what came from elsewhere, and applies what counts: one transaction. A merge is
  /// idempotent: the same input in any order, any number of times, gives the same library.
  package func sync(_ input: SyncInput = SyncInput(), by rules: SyncRules) throws(StoreError) -> SyncOutcome {
    let outcome = try write { connection throws(StoreError) in
      try SyncRun(connection: connection, rules: rules).run(input)
    }
    try UnfinishedWork.finishOrLeave(in: library)
    return outcome
  }

  /// A folder is set.
  package func hasSyncFolder() throws(StoreError) -> Bool { try SyncStateRows(connection: connection)["folder"] != nil }

  /// A podcast that is followed is followed anew: that counts more than that it was left elsewhere before this, which this
  /// machine may not know yet.
  package func affirmSubscription(of podcast: PodcastID, now: Int64) throws(StoreError) {
    try write { connection throws(StoreError) in
      let (rows, state) = (SyncRegisterRows(connection: connection), SyncStateRows(connection: connection))
      let key = SyncRegisterRows.Key.podcast(podcast, "sub")
      guard let row = try rows.read(key), row.register.value == "1", row.local == "1" else { return }
      let stamp = min(max(row.register.stamp + 1, now), SyncRegister.stamps.upperBound)
      let author = row.register.author(of: stamp, by: try state.device())
      try rows.stamp(SyncRegister("sub", stamp: stamp, device: author, value: "1"), key, local: row.local)
      try state.set("changed", to: "1")
    }
  }

  /// Every register counts as set now, so that this library's state wins over what others have of the same, also where it
  /// is that of an old backup. Where no later stamp can be, an author wins that is behind every device's id.
  package func claimRegisters(by rules: SyncRules, setting state: [String: String?] = [:]) throws(StoreError) {
    _ = try sync(by: rules)
    try write { connection throws(StoreError) in
      let device = try SyncStateRows(connection: connection).device()
      let (last, lastDevice) = (SyncRegister.stamps.upperBound, "~" + device)
      try connection.execute(
        """
        UPDATE sync_registers SET stamp = min(max(stamp + 1, \(rules.now)), \(last)), holder = NULL,
          device = CASE WHEN stamp < \(last) THEN \(device) WHEN device < \(lastDevice) THEN \(lastDevice)
            ELSE substr(device || '~', 1, 64) END
        WHERE is_applied = 1
        """)
      try connection.execute("DELETE FROM server_told")
      for (key, value) in state { try SyncStateRows(connection: connection).set(key, to: value) }
    }
  }

  /// Something may have changed here since the last sync.
  /// The choice of the current episode waits for the end of a player.
  package func awaitsPlayer() throws(StoreError) -> Bool {
    try SyncStateRows(connection: connection)[SyncStateRows.heardLast] != nil
  }

  package func hasChangesToSync() throws(StoreError) -> Bool {
    let state = SyncStateRows(connection: try connection)
    if try state["changed"] != "0" { return true }
    if try state["rewrite"] != nil { return true }
    // The episodes of which another machine told have come with a feed.
    if try connection.integer("SELECT EXISTS (SELECT 1 FROM sync_parked)") == 1, try !ParkedMark(connection).isKept {
      return true
    }
    return try connection.integer(
      """
      SELECT EXISTS (SELECT 1 FROM sync_registers WHERE holder IS NULL)
        OR EXISTS (SELECT 1 FROM sync_registers INDEXED BY sync_unapplied WHERE is_applied = 0)
      """) == 1
  }

  /// Lines for this device's file: what stands in no file yet, or `all` that stands in no other device's.
  package func linesToWrite(all: Bool, device: String, _ rules: SyncRules) throws(StoreError) -> [SyncLine] {
    try SyncExport(connection: connection).lines(all: all, device: device, rules)
  }

  /// The registers that stand in no file yet. Taken before `linesToWrite`.
  package func unwrittenMark() throws(StoreError) -> UnwrittenMark { try UnwrittenMark(connection) }

  /// The lines stand in this device's file now; where something has been set since `mark`, the next sync writes them again.
  /// Only a file that was written whole is without what has been hidden, so only it ends the need to rewrite the file. Not
  /// synced to the disk: without this the next sync writes the lines again, too.
  package func setWritten(
    by device: String, _ mark: UnwrittenMark, isWhole: Bool, _ state: [String: String], _ file: SyncFile
  ) throws(StoreError) {
    try write(.normal) { connection throws(StoreError) in
      let rows = SyncStateRows(connection: connection)
      if try UnwrittenMark(connection) == mark {
        try connection.execute("UPDATE sync_registers SET holder = \(device) WHERE holder IS NULL")
        try connection.execute("UPDATE sync_parked SET holder = \(device) WHERE holder IS NULL")
        if isWhole { try rows.set("rewrite", to: nil) }
      }
      try connection.execute("DELETE FROM sync_files WHERE name = \(file.name)")
      try connection.execute(
        """
        INSERT INTO sync_files (name, device, signature, label, seen)
        VALUES (\(file.name), \(file.device), \(file.signature), \(file.label), \(file.seen))
        """)
      for (key, value) in state { try rows.set(key, to: value) }
    }
  }

  /// Nothing stands in any file any more: the next one gets everything.
  package func leaveFolder() throws(StoreError) {
    try write { connection throws(StoreError) in
      try connection.execute("UPDATE sync_registers SET holder = NULL WHERE holder IS NOT NULL")
      try connection.execute("UPDATE sync_parked SET holder = NULL WHERE holder NOT GLOB 'server-*'")
      try connection.execute("DELETE FROM sync_files")
      try SyncStateRows(connection: connection).set("own-file", to: nil)
    }
  }

  // MARK: Files and state

  /// The files of the folder as they were last read.
  package func syncFiles() throws(StoreError) -> [SyncFile] {
    try connection.rows(
      "SELECT name, device, signature, label, seen, passed_over, problem FROM sync_files ORDER BY name"
    ) { row in
      var file = SyncFile(name: row.text(0), device: row.text(1), signature: row.text(2))
      file.label = row.optionalText(3)
      file.seen = row.optionalText(4)
      file.passedOver = row.count(5)
      file.problem = row.optionalText(6)
      return file
    }
  }

  /// The texts that a sync keeps, by their names.
  package func syncState() throws(StoreError) -> [String: String] {
    let pairs = try connection.rows("SELECT key, value FROM sync_state") { ($0.text(0), $0.text(1)) }
    return Dictionary(pairs) { first, _ in first }
  }

  /// Keeps texts for the next sync; nil removes one.
  package func setSyncState(_ values: [String: String?]) throws(StoreError) {
    try write { connection throws(StoreError) in
      let rows = SyncStateRows(connection: connection)
      for (key, value) in values { try rows.set(key, to: value) }
    }
  }

  /// Podcasts that are never shared, and registers that wait for their podcast or episode.
  package func syncCounts(_ rules: SyncRules) throws(StoreError) -> (hidden: Int, parked: Int) {
    let podcasts = try SyncPodcasts(connection, rules)
    let parked = try connection.integer(
      "SELECT count(*) FROM sync_parked WHERE holder IS NULL OR holder NOT GLOB 'server-*'")
    return (podcasts.hidden.count, Int(parked ?? 0))
  }

  // MARK: The log

  /// Adds a line to the log of syncs.
  package func logSync(_ event: String, of backend: String, now: Timestamp = .now) throws(StoreError) {
    try write(.normal) { connection throws(StoreError) in
      try SyncStateRows(connection: connection).log(event, of: backend, now: now)
    }
  }

  /// The log of syncs, the latest first.
  package func syncLog(limit: Int = 50) throws(StoreError) -> [(at: Timestamp, backend: String, event: String)] {
    try connection.rows("SELECT at, backend, event FROM sync_log ORDER BY id DESC LIMIT \(limit)") {
      (Timestamp(seconds: $0.integer(0)), $0.text(1), $0.text(2))
    }
  }

  // MARK: Heard elsewhere

  /// The device that an episode's position comes from, if that is another one, with the time of that listening; and a
  /// device that was further, with its position.
  package func heardElsewhere(_ id: EpisodeID) throws(StoreError) -> HeardElsewhere? {
    try SyncOrigin(connection: connection).read(of: id)
  }
}
