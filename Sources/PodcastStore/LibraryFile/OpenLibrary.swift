/// An open library: its connection and the transactions that write it. The store's actor owns it.
final class OpenLibrary {
  private let file: LibraryFile
  var path: String { file.path }
  let access: StoreAccess
  /// Opening found that the file system allows no WAL.
  let hasLostWAL: Bool
  private var openConnection: Connection?
  private var hasTriggers = false
  private let turn: WriteTurn
  /// How long a write waits for other processes unless it says otherwise.
  private var patience = BusyHandler.usualPatience
  /// Work that comes before what this process writes.
  private var waiting: Work?
  private var isWriting = false
  private(set) lazy var walSync = WALSync(library: path)

  init(_ file: LibraryFile, _ access: StoreAccess) throws(StoreError) {
    self.file = file
    self.access = access
    turn = WriteTurn(library: file.path)
    var hasLostWAL = false
    var file = file
    file.whenWALIsLost = { hasLostWAL = true }
    openConnection = try file.open(access)
    self.hasLostWAL = hasLostWAL
  }

  var connection: Connection {
    get throws(StoreError) {
      guard let openConnection else { throw StoreError(.cannotOpen, message: "the library is closed", about: path) }
      // Until the waiting work is done, this connection does not see what others write.
      if waiting != nil, !isWriting { try? write(patience: .zero) { _ in } }
      return openConnection
    }
  }

  /// Goes on with the file that is there now, where another one has taken the place of the open one.
  func reopenIfMoved() throws(StoreError) {
    // By its link: media files lie beside that.
    let file = LibraryFile.named(file.link ?? file.path)
    guard waiting == nil, !isWriting, openConnection?.hasMoved == true, try file.exists() else { return }
    openConnection = try file.open(access)
    hasTriggers = false
    walSync = WALSync(library: path)
  }

  /// Runs in a transaction, and returns what is to be done after its commit.
  typealias Work = (Connection) throws(StoreError) -> () -> Void

  /// Does the work now, or with the first write for which the library is free.
  func writeFirst(_ work: @escaping Work) throws(StoreError) {
    waiting = work
    do throws(StoreError) {
      try write { _ in }
    } catch {
      guard error.isTemporary else { throw error }
    }
  }

  var isWorkWaiting: Bool { waiting != nil }

  func hurry() { patience = .milliseconds(400) }

  // MARK: Transactions

  /// One transaction. A checkpoint follows when it leaves the WAL longer than `toleratedWAL` pages. `despiteFullDisk`: on a
  /// full disk the WAL has used up its reserved space; a checkpoint lets a second try start at the front of it.
  func write<Result>(
    _ durability: Connection.Durability = .full, patience: Duration? = nil, toleratedWAL: Int = Checkpoint.walPages,
    despiteFullDisk: Bool = false, _ body: (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let patience = patience ?? self.patience
    guard access == .readWrite else {
      throw StoreError(.readOnly, message: "the library was opened for reading only", about: path)
    }
    isWriting = true
    defer { isWriting = false }
    let connection = try connection
    do throws(StoreError) {
      guard turn.take(patience: patience) else {
        throw StoreError(.busy(holder: nil), message: "others are waiting to write", about: path)
      }
      defer { turn.handOn() }
      try createTriggers(connection)
      var afterCommit: (() -> Void)?
      let result = try connection.write(durability, patience: patience) { () throws(StoreError) in
        turn.handOn()
        afterCommit = try waiting?(connection)
        return try body(connection)
      }
      waiting = nil
      afterCommit?()
      if connection.walPages > toleratedWAL { Checkpoint.attempt(connection) }
      return result
    } catch {
      if despiteFullDisk, error.code == .full {
        Checkpoint.attempt(connection)
        return try write(durability, patience: patience, body)
      }
      throw error.naming(LockHolder.find(for: path))
    }
  }

  private func createTriggers(_ connection: Connection) throws(StoreError) {
    guard !hasTriggers else { return }
    try connection.executeScript(Triggers.script)
    hasTriggers = true
  }

  /// Makes every earlier commit durable.
  func makeDurable() throws(StoreError) {
    guard !walSync.now() else { return }
    try write { connection throws(StoreError) in try connection.writeUnchangedPage() }
  }

  /// Another process has lately waited to write, as a player does once a second.
  var isShared: Bool { turn.wasTakenLately }

  /// Says how long one slice of a long task may hold the write lock: 20 ms and while no other process waits. In a shared
  /// library it is 2 ms, because the slice has yet to be committed afterwards.
  func slice() -> () -> Bool {
    let deadline = ContinuousClock.now + (isShared ? .milliseconds(2) : .milliseconds(20))
    return { [turn] in ContinuousClock.now < deadline && !turn.isTaken }
  }

  /// A connection that wrote copies the WAL into the library.
  func close() {
    // A reader's process is about to end: the kernel frees its memory faster than SQLite would.
    if access == .readOnly, let openConnection { _ = Unmanaged.passRetained(openConnection) }
    if let openConnection, openConnection.walPages > 0 { Checkpoint.attempt(openConnection, thenRestart: true) }
    openConnection = nil
  }
}

extension StoreError {
  /// A later attempt may succeed.
  fileprivate var isTemporary: Bool {
    switch code {
    case .busy, .full, .readOnly: true
    default: false
    }
  }
}
