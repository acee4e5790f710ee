private import Glibc

/// The library: what you follow, what it published, and what you did with it.
///
/// No method awaits, so each is atomic; each write is one transaction or a row of small ones.
/// Several processes meet at the file and nowhere else.
package actor PodcastStore {
  package enum Access: Sendable {
    /// Makes the library when there is none, and brings an older one up to date.
    case readWrite
    /// Writes nothing. A library that is not there yet reads as an empty one.
    case readOnly
  }

  package nonisolated let path: String
  /// For the side file, when a position cannot be written here.
  package nonisolated let positionNumbers = PositionNumbers()
  /// Its place allows no write-ahead log, as was found out just now.
  package nonisolated let hasLostWAL: Bool

  nonisolated let access: Access
  private nonisolated let executor: any SerialExecutor
  private var openConnection: Connection?
  private var hasTriggers = false
  let turn: WriteTurn
  /// How long a write waits for others that says nothing else.
  private var patience = BusyHandler.usualPatience
  nonisolated let orders = MergeQueue()
  /// Positions written since the log was last on its way to the disk.
  var unsyncedTicks = 0
  private(set) lazy var logSync = LogSync(library: path)

  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// The directory of `path` must be there; nothing else needs to be. Who has a thread to spare, which may wait for
  /// the disk, gives it as `executor`; otherwise the store makes one.
  package init(
    path: String, access: Access = .readWrite, executor: (any SerialExecutor)? = nil
  ) throws(StoreError) {
    self.path = path
    self.executor = executor ?? StoreExecutor()
    self.access = access
    turn = WriteTurn(library: path)
    var hasLostWAL = false
    let connection = try LibraryFile(path: path, whenLogIsLost: { hasLostWAL = true }).open(access)
    self.hasLostWAL = hasLostWAL
    openConnection = connection
    guard access == .readWrite else { return }
    try Self.mergePendingProgress(into: connection, directory: LibraryFile(path: path).directory)
  }

  /// Every use of the library passes here.
  var connection: Connection {
    get throws(StoreError) {
      guard let openConnection else { throw StoreError(.cannotOpen, message: "the library is closed", about: path) }
      return openConnection
    }
  }

  /// From now on nothing waits for long: somebody plays here, whose place would have to wait behind it.
  package func hurry() { patience = .milliseconds(400) }

  /// One transaction. When it leaves the log longer than that, a checkpoint follows.
  func write<Result>(
    _ durability: Connection.Durability = .full, patience: Duration? = nil,
    toleratedLog: Int = Checkpoint.logPages,
    _ body: (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let patience = patience ?? self.patience
    guard access == .readWrite else {
      throw StoreError(.readOnly, message: "the library was opened for reading only", about: path)
    }
    let connection = try connection
    do throws(StoreError) {
      guard turn.take(patience: patience) else {
        throw StoreError(.busy(holder: nil), message: "others are waiting to write", about: path)
      }
      defer { turn.handOn() }
      if !hasTriggers {
        try connection.executeScript(Triggers.script)
        hasTriggers = true
      }
      let result = try connection.write(durability, patience: patience) { () throws(StoreError) in
        turn.handOn()
        return try body(connection)
      }
      if connection.logPages > toleratedLog { Checkpoint.attempt(connection) }
      return result
    } catch {
      throw error.naming(LockHolder.find(for: path))
    }
  }

  /// One transaction that needs no room of its own. On a full disk the log has run to the end of its space;
  /// a checkpoint lets it begin again at the front.
  func writeInPlace<Result>(
    _ durability: Connection.Durability = .full, patience: Duration? = nil,
    toleratedLog: Int = Checkpoint.logPages,
    _ body: (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    do {
      return try write(durability, patience: patience, toleratedLog: toleratedLog, body)
    } catch  where error.code == .full {
      Checkpoint.attempt(try connection)
      return try write(durability, patience: patience, body)
    }
  }

  /// Ends the use of the library. What is in the log goes into the library if nobody else is at it.
  package func close() {
    // A reader is about to end, and has nothing to put away: the kernel frees in no time what SQLite would take apart.
    if access == .readOnly, let openConnection { _ = Unmanaged.passRetained(openConnection) }
    if let openConnection, openConnection.logPages > 0 { Checkpoint.attempt(openConnection, thenRestart: true) }
    openConnection = nil
  }
}

extension StoreError {
  /// Says who has the lock, when that is what went wrong.
  func naming(_ holder: @autoclosure () -> LockHolder?) -> StoreError {
    guard case .busy(holder: nil) = code else { return self }
    var error = self
    error.code = .busy(holder: holder())
    return error
  }
}
