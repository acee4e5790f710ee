internal import System

/// Checkpoints run one at a time over all processes: overlapping ones have corrupted libraries in some versions of SQLite.
enum Checkpoint {
  /// About four megabytes.
  static let logPages = 1000

  /// What merges write they often write over a moment later. Copied once, it is copied for good: about thirty megabytes.
  static let toleratedByMerges = 8 * logPages

  /// A position leaves the checkpoint to whoever made the log long, unless nobody does it.
  static let toleratedByPositions = 16 * logPages

  /// Whoever opens a library first reads its whole log, and what a checkpoint has copied still counts. Only the next
  /// write starts the log anew, so on leaving, one is made.
  static func attempt(_ connection: Connection, thenRestart: Bool = false) {
    guard let lock = FileLock(path: connection.path + ".checkpoint") else { return }
    withExtendedLifetime(lock) {
      // A checkpoint that fails leaves everything in the log, where it is just as safe.
      try? connection.checkpoint()
      guard thenRestart, connection.logPages > Self.longLog else { return }
      try? connection.write(.normal, patience: .zero) { () throws(StoreError) in
        // The same number again: a write that changes nothing.
        let version = try connection.integer("PRAGMA user_version") ?? 0
        try connection.execute(SQL(text: "PRAGMA user_version = \(version)"))
      }
    }
  }

  /// Fewer pages are read faster than a new log is begun.
  private static let longLog = 16
}
