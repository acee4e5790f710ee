internal import System

/// Checkpoints run one at a time over all processes: overlapping ones have corrupted libraries in some versions of SQLite.
enum Checkpoint {
  /// About four megabytes.
  static let walPages = 1000

  /// About thirty megabytes. Merges often write the same page again a moment later, so a late checkpoint copies it once.
  static let toleratedByMerges = 8 * walPages

  /// A position leaves the checkpoint to the writer of the long WAL, unless that one makes none.
  static let toleratedByPositions = 16 * walPages

  /// Copies the WAL into the library. With `thenRestart` a long WAL starts anew with a small write: the next process to
  /// open the library reads the whole WAL, even the part that a checkpoint has copied.
  static func attempt(_ connection: Connection, thenRestart: Bool = false) {
    guard let lock = FileLock(path: connection.path + ".checkpoint") else { return }
    withExtendedLifetime(lock) {
      // A checkpoint that fails leaves everything in the WAL, where it is just as safe.
      try? connection.checkpoint()
      guard thenRestart, connection.walPages > Self.longWAL else { return }
      try? connection.write(.normal, patience: .zero) { () throws(StoreError) in try connection.writeUnchangedPage() }
    }
  }

  /// A shorter WAL is read faster than a new one is begun.
  private static let longWAL = 16
}
