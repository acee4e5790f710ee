private import CSQLite
internal import PodcastModel

/// A prepared statement. The connection keeps it for the next use of the same text.
final class Statement {
  let text: String
  fileprivate let handle: OpaquePointer
  /// While its rows are being read the statement cannot be started again.
  var isBusy = false

  init(_ text: String, handle: OpaquePointer) {
    self.text = text
    self.handle = handle
  }

  deinit { sqlite3_finalize(handle) }

  func bind(_ values: [SQL.Value]) -> Int32 {
    for (index, value) in values.enumerated() {
      let result = bind(value, at: Int32(index + 1))
      if result != SQLITE_OK { return result }
    }
    return SQLITE_OK
  }

  private func bind(_ value: SQL.Value, at index: Int32) -> Int32 {
    switch value {
    case .null: return sqlite3_bind_null(handle, index)
    case .integer(let number): return sqlite3_bind_int64(handle, index, number)
    case .real(let number): return sqlite3_bind_double(handle, index, number)
    case .text(var text):
      return text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) { characters in
          // An empty string may have no address, which SQLite would take for NULL.
          sqlite3_bind_text64(
            handle, index, characters.baseAddress ?? UnsafePointer(Self.emptyText), sqlite3_uint64(characters.count),
            podcli_sqlite_transient(), UInt8(SQLITE_UTF8))
        }
      }
    case .blob(let bytes):
      guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(handle, index, 0) }
      return sqlite3_bind_blob64(
        handle, index, bytes, sqlite3_uint64(bytes.count), podcli_sqlite_transient())
    }
  }

  /// The values of one execution, bound one after the other.
  struct Values {
    private let statement: Statement
    private var index: Int32 = 0
    private(set) var result = SQLITE_OK

    fileprivate init(_ statement: Statement) { self.statement = statement }

    mutating func add(_ text: String?) { bind(text.map(SQL.Value.text) ?? .null) }

    /// Text that stays in its memory until the statement was executed: SQLite makes no copy of it.
    mutating func add(_ text: UnsafeBufferPointer<UInt8>?) {
      index += 1
      guard let text else { return }
      let code = text.withMemoryRebound(to: CChar.self) { text in
        sqlite3_bind_text64(
          statement.handle, index, text.baseAddress ?? UnsafePointer(Statement.emptyText), sqlite3_uint64(text.count),
          nil, UInt8(SQLITE_UTF8))
      }
      if code != SQLITE_OK { result = code }
    }

    mutating func add(_ number: Int64?) { bind(number.map(SQL.Value.integer) ?? .null) }
    mutating func add(_ number: Int?) { bind(number?.bound ?? .null) }
    mutating func add(_ number: Double?) { bind(number?.bound ?? .null) }
    mutating func add(_ flag: Bool?) { bind(flag?.bound ?? .null) }
    mutating func add(_ time: Timestamp?) { bind(time?.bound ?? .null) }
    mutating func add(_ length: Duration?) { bind(length?.bound ?? .null) }
    mutating func add(_ id: EpisodeID) { bind(.integer(id.rawValue)) }
    mutating func add(_ id: PodcastID) { bind(.integer(id.rawValue)) }

    private mutating func bind(_ value: SQL.Value) {
      index += 1
      // An unbound parameter is NULL already.
      if case .null = value { return }
      let code = statement.bind(value, at: index)
      if code != SQLITE_OK { result = code }
    }
  }

  func bind(_ add: (inout Values) -> Void) -> Int32 {
    var values = Values(self)
    add(&values)
    return values.result
  }

  nonisolated(unsafe) private static let emptyText: UnsafeMutablePointer<CChar> = {
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    text.initialize(to: 0)
    return text
  }()

  /// The next row, the end, or SQLite's result code.
  func step() -> StepResult {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: .row
    case SQLITE_DONE: .done
    case let code: .failed(code)
    }
  }

  enum StepResult { case row, done, failed(Int32) }

  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
    isBusy = false
  }

  var row: Row { Row(handle: handle) }

  /// The current row of a statement. Columns count from zero, in the order in which the statement names them.
  struct Row {
    fileprivate let handle: OpaquePointer

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }
    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }
    func count(_ column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }
    func flag(_ column: Int32) -> Bool { sqlite3_column_int64(handle, column) != 0 }

    func text(_ column: Int32) -> String {
      guard let bytes = sqlite3_column_text(handle, column) else { return "" }
      let count = Int(sqlite3_column_bytes(handle, column))
      return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    func optionalBlob(_ column: Int32) -> [UInt8]? {
      guard !isNull(column) else { return nil }
      // The bytes before their number: reading them may convert the column.
      let bytes = sqlite3_column_blob(handle, column)
      return Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column))))
    }

    /// Every column, for statements about databases of others. Blobs count as NULL.
    var values: [SQL.Value] {
      (0..<sqlite3_column_count(handle)).map { column in
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: .integer(integer(column))
        case SQLITE_FLOAT: .real(sqlite3_column_double(handle, column))
        case SQLITE_TEXT: .text(text(column))
        default: .null
        }
      }
    }

    var columnNames: [String: Int] {
      let names = (0..<sqlite3_column_count(handle)).map { column in
        sqlite3_column_name(handle, column).map { String(cString: $0) } ?? ""
      }
      return Dictionary(zip(names, names.indices)) { first, _ in first }
    }

    func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
    func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }
    func optionalReal(_ column: Int32) -> Double? { isNull(column) ? nil : sqlite3_column_double(handle, column) }
    func optionalFlag(_ column: Int32) -> Bool? { isNull(column) ? nil : flag(column) }

    func optionalTime(_ column: Int32) -> Timestamp? {
      isNull(column) ? nil : Timestamp(seconds: integer(column))
    }

    func optionalLength(_ column: Int32) -> Duration? {
      isNull(column) ? nil : .milliseconds(integer(column))
    }
  }
}
