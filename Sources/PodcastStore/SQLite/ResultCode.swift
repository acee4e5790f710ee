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
    case SQLITE_IOERR: self = systemErrors.contains { Self.noRoom.contains($0) } ? .full : .deviceFailed
    default: self = .refused
    }
  }

  // These macros are sums, which Swift does not see.
  fileprivate static let noSharedMemory = SQLITE_IOERR | (21 << 8)
  private static let movedFile = SQLITE_READONLY | (4 << 8)
  fileprivate static let damagedTable = SQLITE_CORRUPT | (1 << 8)
  private static let noRoom: [Int32] = [ENOSPC, EDQUOT, EFBIG]
}

extension StoreError {
  /// The bytes are not those of a database at all.
  var isNoDatabase: Bool { resultCode & 0xff == SQLITE_NOTADB }

  /// The file system does not let processes share memory, without which there is no write-ahead log.
  var isAboutSharedMemory: Bool { resultCode == StoreError.Code.noSharedMemory }

  /// Only the full-text index is broken, which can be made anew.
  var isAboutIndex: Bool { resultCode == StoreError.Code.damagedTable }
}
