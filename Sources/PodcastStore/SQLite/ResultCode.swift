private import CSQLite
private import Glibc

extension StoreError.Code {
  /// What an extended result code means for a library. The system's error number tells a full disk from a broken one.
  init(resultCode: Int32, systemErrors: [Int32]) {
    switch resultCode & 0xff {
    case SQLITE_BUSY, SQLITE_LOCKED: self = .busy(holder: nil)
    case SQLITE_FULL: self = .full
    case SQLITE_READONLY: self = resultCode == Self.movedFile ? .movedAway : .readOnly
    case SQLITE_CORRUPT where resultCode == Self.damagedTable: self = .refused
    case SQLITE_CORRUPT, SQLITE_NOTADB: self = .damaged(setAside: nil)
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: self = .cannotOpen
    case SQLITE_IOERR where resultCode == Self.noSharedRoom: self = .full
    case SQLITE_IOERR: self = systemErrors.contains { Self.noRoom.contains($0) } ? .full : .deviceFailed
    default: self = .refused
    }
  }

  // These macros are sums, which Swift does not see.
  fileprivate static let noSharedMemory = SQLITE_IOERR | (21 << 8)
  /// The index of the log is made as long as it will be, so that it never lacks room later.
  private static let noSharedRoom = SQLITE_IOERR | (19 << 8)
  private static let movedFile = SQLITE_READONLY | (4 << 8)
  fileprivate static let damagedTable = SQLITE_CORRUPT | (1 << 8)
  private static let noRoom: [Int32] = [ENOSPC, EDQUOT, EFBIG]
}

/// What the system said when SQLite failed. A statement that fails notes it with the connection; a commit that fails
/// does not, so the library and its log are asked for what they met last.
func systemErrors(of handle: OpaquePointer) -> [Int32] {
  var (ofLibrary, ofLog) = (Int32(0), Int32(0))
  sqlite3_file_control(handle, "main", SQLITE_FCNTL_LAST_ERRNO, &ofLibrary)
  var log: UnsafeMutablePointer<sqlite3_file>?
  sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log)
  _ = log?.pointee.pMethods?.pointee.xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &ofLog)
  return [sqlite3_system_errno(handle), ofLibrary, ofLog]
}

extension StoreError {
  /// The bytes are not those of a database at all.
  var isNoDatabase: Bool { resultCode & 0xff == SQLITE_NOTADB }

  /// The file system does not let processes share memory, without which there is no write-ahead log.
  var isAboutSharedMemory: Bool { resultCode == StoreError.Code.noSharedMemory }

  /// Only the full-text index is broken, which can be made anew.
  var isAboutIndex: Bool { resultCode == StoreError.Code.damagedTable }
}
