private import CSQLite
private import Glibc

extension StoreError.Code {
  /// Translates an extended result code. The system's error number tells a full disk from a broken one.
  init(resultCode: Int32, systemErrors: [Int32]) {
    switch resultCode & 0xff {
    case SQLITE_BUSY, SQLITE_LOCKED: self = .busy(holder: nil)
    case SQLITE_FULL: self = .full
    case SQLITE_READONLY: self = resultCode == Self.movedFile ? .movedAway : .readOnly
    case SQLITE_CORRUPT where resultCode == Self.damagedTable: self = .refused
    case SQLITE_CORRUPT, SQLITE_NOTADB: self = .damaged
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: self = .cannotOpen
    case SQLITE_IOERR where resultCode == Self.noSharedRoom: self = .full
    case SQLITE_IOERR: self = systemErrors.contains { Self.noRoom.contains($0) } ? .full : .deviceFailed
    default: self = .refused
    }
  }

  // These macros are sums, which Swift does not see.
  fileprivate static let noSharedMemory = SQLITE_IOERR | (21 << 8)
  /// The WAL's index gets its full length when it is created; the disk had no room for it.
  private static let noSharedRoom = SQLITE_IOERR | (19 << 8)
  private static let movedFile = SQLITE_READONLY | (4 << 8)
  fileprivate static let damagedTable = SQLITE_CORRUPT | (1 << 8)
  private static let noRoom: [Int32] = [ENOSPC, EDQUOT, EFBIG]
}

/// The system's error numbers when SQLite failed. A failed statement leaves its number with the connection; a failed
/// commit does not, so the library and its WAL are asked for their last one.
func systemErrors(of handle: OpaquePointer) -> [Int32] {
  var (ofLibrary, ofWAL) = (Int32(0), Int32(0))
  sqlite3_file_control(handle, "main", SQLITE_FCNTL_LAST_ERRNO, &ofLibrary)
  var wal: UnsafeMutablePointer<sqlite3_file>?
  sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &wal)
  _ = wal?.pointee.pMethods?.pointee.xFileControl(wal, SQLITE_FCNTL_LAST_ERRNO, &ofWAL)
  return [sqlite3_system_errno(handle), ofLibrary, ofWAL]
}

extension StoreError {
  /// The bytes are not those of a database at all.
  var isNoDatabase: Bool { resultCode & 0xff == SQLITE_NOTADB }

  /// The file system does not let processes share memory, without which there is no WAL.
  var isAboutSharedMemory: Bool { resultCode == StoreError.Code.noSharedMemory }

  /// Only the full-text index is damaged; it can be rebuilt.
  var isAboutIndex: Bool { resultCode == StoreError.Code.damagedTable }
}
