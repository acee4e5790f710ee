private import CSQLite
private import System

/// One connection to one library file. Not shared between threads: the store's actor owns it.
final class Connection {
  /// How much a commit survives: `normal` a crash of podcli, `full` a power cut too.
  enum Durability: Int { case normal = 1, full = 2 }

  enum Mode {
    case readWrite, create
    /// No process can write the file, so nothing is locked and no side file is made.
    case immutable
    case memory
  }

  let path: String
  /// The folder of podcli's data: beside the library, or beside the symbolic link by which it was named.
  let dataFolder: String
  /// For the files of this folder alone.
  let handle: OpaquePointer
  /// Texts of different lengths are told apart at once: no hash of a long text is as quick.
  private var statements: [Statement] = []
  private let busyHandler = BusyHandler()
  private var durability = Durability.full
  private var isPreparedToWrite = false
  private var hasCacheForPages = false
  private var knownFullText: FullText?
  /// Pages in the WAL after the last commit of this connection.
  private(set) var walPages = 0

  /// Called when the file turns out to be damaged.
  private let onDamage: () -> Void

  init(
    path: String, link: String? = nil, mode: Mode, onDamage: @escaping () -> Void = {}
  ) throws(StoreError) {
    self.path = path
    dataFolder = Files.folder(of: link ?? path)
    self.onDamage = onDamage
    Self.prepareLibrary
    var handle: OpaquePointer?
    let result = sqlite3_open_v2(Self.name(of: path, in: mode), &handle, Self.flags(for: mode), nil)
    guard let handle, result == SQLITE_OK else {
      defer { sqlite3_close_v2(handle) }
      throw Self.failure(handle, result, path)
    }
    self.handle = handle
    configure()
  }

  deinit {
    statements = []
    knownFullText = nil
    sqlite3_close_v2(handle)
  }

  private static let prepareLibrary: Void = podcli_sqlite_prepare()

  private static func flags(for mode: Mode) -> Int32 {
    let access =
      switch mode {
      case .readWrite: SQLITE_OPEN_READWRITE
      case .create, .memory: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      }
    // One actor, one thread at a time: SQLite's own mutexes would only cost.
    return access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
  }

  private static func name(of path: String, in mode: Mode) -> String {
    switch mode {
    case .memory: return ":memory:"
    case .readWrite, .create: return path
    case .immutable:
      let escaped = path.utf8.reduce(into: "") { name, byte in
        let isPlain = (0x61...0x7a).contains(byte | 0x20) || (0x2d...0x39).contains(byte)
        name += isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
      return "file:" + escaped + "?mode=ro&immutable=1"
    }
  }

  /// The settings that need no statement. SQLite makes no checkpoints by itself, not even on closing (`Checkpoint` does),
  /// and keeps the WAL, so that a position can still be saved on a full disk.
  private func configure() {
    FullText.addTexts(to: handle)
    _ = podcli_sqlite_config_int(handle, SQLITE_DBCONFIG_ENABLE_FKEY, 1)
    _ = podcli_sqlite_config_int(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    _ = podcli_sqlite_config_int(handle, SQLITE_DBCONFIG_DQS_DML, 0)
    _ = podcli_sqlite_config_int(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    var keepsWAL: Int32 = 1
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &keepsWAL)
    sqlite3_busy_handler(
      handle,
      { context, attempt in
        guard let context else { return 0 }
        let handler = Unmanaged<BusyHandler>.fromOpaque(context).takeUnretainedValue()
        return handler.shouldRetry(attempt: Int(attempt)) ? 1 : 0
      }, Unmanaged.passUnretained(busyHandler).toOpaque())
    sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        guard let context else { return SQLITE_OK }
        Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().walPages = Int(pages)
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Makes a database of unknown origin harmless: it is only read, its schema runs nothing, it attaches no other file,
  /// and no value of it is large.
  func distrust() throws(StoreError) {
    for option in [SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW] {
      _ = podcli_sqlite_config_int(handle, option, 0)
    }
    _ = podcli_sqlite_config_int(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, 8 << 20)
    sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
    try execute("PRAGMA query_only = ON")
    try execute("PRAGMA cell_size_check = ON")
    try execute("PRAGMA temp_store = MEMORY")
  }

  // MARK: Statements

  func execute(_ sql: SQL) throws(StoreError) {
    let statement = try start(sql)
    defer { statement.reset() }
    while try advance(statement) {}
  }

  /// Several statements in one text, none of them with parameters: a schema step.
  func executeScript(_ script: String) throws(StoreError) {
    let result = sqlite3_exec(handle, script, nil, nil, nil)
    if result != SQLITE_OK { throw failure(result) }
  }

  func rows<Element>(
    _ sql: SQL, _ read: (Statement.Row) throws(StoreError) -> Element
  ) throws(StoreError) -> [Element] {
    var elements: [Element] = []
    try forEachRow(sql) { row throws(StoreError) in elements.append(try read(row)) }
    return elements
  }

  func first<Element>(
    _ sql: SQL, _ read: (Statement.Row) throws(StoreError) -> Element
  ) throws(StoreError) -> Element? {
    let statement = try start(sql)
    defer { statement.reset() }
    return try advance(statement) ? try read(statement.row) : nil
  }

  func forEachRow(_ sql: SQL, _ visit: (Statement.Row) throws(StoreError) -> Void) throws(StoreError) {
    let statement = try start(sql)
    defer { statement.reset() }
    while try advance(statement) { try visit(statement.row) }
  }

  func integer(_ sql: SQL) throws(StoreError) -> Int64? {
    try first(sql) { $0.optionalInteger(0) } ?? nil
  }

  var lastInsertedID: Int64 { sqlite3_last_insert_rowid(handle) }
  var changedRows: Int { Int(sqlite3_changes(handle)) }
  /// Since the connection was opened.
  var allChanges: Int64 { sqlite3_total_changes64(handle) }

  private func start(_ sql: SQL) throws(StoreError) -> Statement {
    let statement = try prepared(sql.text)
    statement.isBusy = true
    let result = statement.bind(sql.values)
    guard result == SQLITE_OK else {
      statement.reset()
      throw failure(result)
    }
    return statement
  }

  /// For `RowWriter`.
  func compiled(_ text: String) throws(StoreError) -> Statement { try prepared(text) }

  /// For `RowWriter`: executes a statement that returns no rows.
  func run(_ statement: Statement, _ bind: (inout Statement.Values) -> Void) throws(StoreError) {
    defer { statement.reset() }
    let result = statement.bind(bind)
    guard result == SQLITE_OK else { throw failure(result) }
    while try advance(statement) {}
  }

  private func prepared(_ text: String) throws(StoreError) -> Statement {
    let length = text.utf8.count
    if let known = statements.first(where: { $0.text.utf8.count == length && !$0.isBusy && $0.text == text }) {
      return known
    }
    var compiled: OpaquePointer?
    let result = sqlite3_prepare_v3(handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &compiled, nil)
    guard let compiled, result == SQLITE_OK else { throw failure(result) }
    let statement = Statement(text, handle: compiled)
    if statements.count >= Self.keptStatements { statements = statements.filter(\.isBusy) }
    statements.append(statement)
    return statement
  }

  /// Filters make many texts; more than these are not worth their memory.
  private static let keptStatements = 100

  private func advance(_ statement: Statement) throws(StoreError) -> Bool {
    switch statement.step() {
    case .row: return true
    case .done: return false
    case .failed(let code): throw failure(code)
    }
  }

  /// Made on first use.
  func fullText() throws(StoreError) -> FullText {
    if let knownFullText { return knownFullText }
    let made = try FullText(self)
    knownFullText = made
    return made
  }

  // MARK: Transactions

  /// One transaction, all or nothing. Taking the write lock first avoids the one conflict that no waiting resolves:
  /// a transaction that has read an older state than the one it would overwrite.
  func write<Result>(
    _ durability: Durability = .full, patience: Duration = BusyHandler.usualPatience,
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try prepareToWrite()
    try use(durability)
    try refuseMovedFile()
    busyHandler.patience = patience
    defer { busyHandler.patience = BusyHandler.usualPatience }
    try execute("BEGIN IMMEDIATE")
    do {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// A merge touches many pages, which stay in a larger cache until they are committed.
  private func prepareToWrite() throws(StoreError) {
    guard !isPreparedToWrite else { return }
    isPreparedToWrite = true
    try execute("PRAGMA cache_size = -8000")
    try execute("PRAGMA cell_size_check = ON")
  }

  /// A list sorted by date comes back to each page of the table many times, so it gets a larger cache.
  func enlargeCacheForPages() throws(StoreError) {
    guard !hasCacheForPages else { return }
    hasCacheForPages = true
    try execute("PRAGMA cache_size = -16000")
  }

  private func rollBack() {
    if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
  }

  private func use(_ durability: Durability) throws(StoreError) {
    guard durability != self.durability else { return }
    try execute(SQL(text: "PRAGMA synchronous = \(durability.rawValue)"))
    self.durability = durability
  }

  /// The file was renamed, replaced or deleted while it was open.
  var hasMoved: Bool {
    var hasMoved: Int32 = 0
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    return hasMoved != 0
  }

  /// Refuses to write into a file that has moved: the change would be lost.
  private func refuseMovedFile() throws(StoreError) {
    if hasMoved {
      throw StoreError(.movedAway, message: "the file was moved or deleted while in use", about: path)
    }
  }

  // MARK: Maintenance

  /// Copies the WAL into the library as far as readers allow; no process waits.
  func checkpoint() throws(StoreError) {
    let result = sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    if result != SQLITE_OK, result & 0xff != SQLITE_BUSY { throw failure(result) }
  }

  /// The query plan of each kept statement.
  func queryPlans() throws(StoreError) -> [(text: String, steps: [String])] {
    var plans: [(text: String, steps: [String])] = []
    for text in Set(statements.map(\.text)).sorted() where !text.hasPrefix("EXPLAIN") {
      plans.append((text, try rows(SQL(text: "EXPLAIN QUERY PLAN " + text)) { $0.text(3) }))
    }
    return plans
  }

  /// Inside a transaction: a write that changes nothing, but is committed to the WAL.
  func writeUnchangedPage() throws(StoreError) {
    let version = try integer("PRAGMA user_version") ?? 0
    try execute(SQL(text: "PRAGMA user_version = \(version)"))
  }

  /// Changes whenever another connection has committed.
  func dataVersion() throws(StoreError) -> Int64 { try integer("PRAGMA data_version") ?? 0 }

  func failure(_ code: Int32) -> StoreError {
    let error = Self.failure(handle, code, path)
    if error.code == .damaged { onDamage() }
    return error
  }

  private static func failure(_ handle: OpaquePointer?, _ code: Int32, _ path: String) -> StoreError {
    let message = String(cString: handle.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code))
    let reason = StoreError.Code(resultCode: code, systemErrors: handle.map(systemErrors(of:)) ?? [])
    return StoreError(reason, message: message, about: path, resultCode: code)
  }
}
