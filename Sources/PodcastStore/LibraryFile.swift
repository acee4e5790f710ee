private import Glibc
internal import PodcastModel
internal import System

/// The library as a file: making it, recognising it, opening it in whatever place it lies.
struct LibraryFile {
  let path: String
  var migrations = Migration.all
  /// Called when the library has a classic journal from now on, since its place allows no other.
  var whenLogIsLost: () -> Void = {}

  var directory: String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  func open(_ access: PodcastStore.Access) throws(StoreError) -> Connection {
    do {
      if size == nil {
        guard access == .readWrite else { return try emptyLibrary() }
        try create()
      }
      return try openExisting(access)
    } catch {
      throw error.naming(LockHolder.find(for: path))
    }
  }

  private func openExisting(_ access: PodcastStore.Access) throws(StoreError) -> Connection {
    do {
      let connection = try Connection(path: path, mode: .readWrite) { isOrWasLibrary ? setAside() : nil }
      try bringUpToDate(connection)
      if access == .readWrite {
        try ensureLog(connection)
        reserveLog()
      }
      return connection
    } catch  where error.isNoDatabase && !isOrWasLibrary && size != nil {
      throw StoreError(.notALibrary, message: "this is no podcli library", about: path)
    } catch  where error.isAboutSharedMemory && isPlaceWritable {
      // It comes from a place that shares memory.
      try leaveLog()
      return try openExisting(access)
    } catch  where access == .readOnly && error.isAboutPlace && !isPlaceWritable {
      // Only here may the log be left unread: nobody can have written one. Where it might exist, an error is
      // better than a library that looks as it did some time ago.
      let connection = try Connection(path: path, mode: .immutable)
      try bringUpToDate(connection)
      return connection
    }
  }

  private func bringUpToDate(_ connection: Connection) throws(StoreError) {
    let version = Int(try connection.integer("PRAGMA user_version") ?? 0)
    let application = try connection.integer("PRAGMA application_id")
    guard application == Migration.applicationID else {
      // To SQLite an emptied file is an empty database, and a fine one.
      throw size == 0
        ? StoreError(.damaged(setAside: setAside()), message: "the file is empty", about: path)
        : StoreError(.notALibrary, message: "this is no podcli library", about: path)
    }
    guard version <= migrations.count else {
      throw StoreError(.newerVersion(version), message: "made by a newer version of podcli", about: path)
    }
    if version < migrations.count { try Migrator(connection: connection, file: self).run(from: version) }
  }

  // MARK: Making

  /// The library appears under its name only when it is whole, so no process ever sees half of one.
  private func create() throws(StoreError) {
    try whileNobodyCreates { () throws(StoreError) in
      if size != nil { return }
      let draft = path + ".new"
      unlink(draft)
      try build(draft)
      _ = moveAll(as: "before")
      try replaceFile(with: draft)
    }
  }

  /// While a library is being put under its name, nobody else puts one there.
  func whileNobodyCreates<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    let name = path + ".creating"
    guard let lock = FileLock(path: name, patience: .seconds(5)) else { throw systemFailure() }
    defer { withExtendedLifetime(lock) { _ = unlink(name) } }
    return try body()
  }

  /// The new file is on the disk, name and all, when this returns.
  func replaceFile(with draft: String) throws(StoreError) {
    let descriptor = Glibc.open(draft, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw systemFailure() }
    defer { close(descriptor) }
    guard Files.publish(descriptor, draft, as: path) else { throw systemFailure() }
    Files.syncFolder(directory)
  }

  private func build(_ draft: String) throws(StoreError) {
    do {
      let previousMask = umask(0o077)
      defer { umask(previousMask) }
      let connection = try Connection(path: draft, mode: .create)
      try Migrator(connection: connection, file: self).createSchema()
    } catch {
      unlink(draft)
      throw error
    }
    try LibraryFile(path: draft, whenLogIsLost: whenLogIsLost).useLog()
  }

  private func emptyLibrary() throws(StoreError) -> Connection {
    let connection = try Connection(path: path, mode: .memory)
    try Migrator(connection: connection, file: self).createSchema()
    return connection
  }

  // MARK: Damage

  /// A damaged library is renamed, with its log, and never touched again. Nil when it could not be.
  func setAside() -> String? { moveAll(as: "corrupt") }

  /// Returns its new name, which nothing had before: two may be put away within a second.
  func moveAll(as word: String) -> String? {
    let stamped = path + "." + word + "-" + Self.stamp(.now)
    let names = (1...).lazy.map { $0 == 1 ? stamped : "\(stamped)-\($0)" }
    guard let name = names.first(where: { LibraryFile(path: $0).isNowhere }), moveAll(to: name) else { return nil }
    return name
  }

  private var isNowhere: Bool { Self.allFiles.allSatisfy { access(path + $0, F_OK) != 0 } }

  /// Somebody else's file is left alone. Ours says so in its header, or, where that is destroyed, in its schema, which
  /// lies in its first pages; or else the files beside it do.
  private var isOrWasLibrary: Bool {
    guard let start = Files.read(path, atMost: 1 << 18) else { return true }
    let application = start.dropFirst(68).prefix(4).reduce(0) { $0 << 8 | Int64($1) }
    return start.isEmpty || application == Migration.applicationID || start.contains(Array("podcast_search".utf8))
      || ["-wal", ".turn", ".checkpoint"].contains { access(path + $0, F_OK) == 0 }
  }

  /// The library, and what lies beside it; that also where somebody has deleted the library: SQLite would read it as a
  /// part of the next one.
  private func moveAll(to name: String) -> Bool {
    let isMoved = rename(path, name) == 0
    guard isMoved || errno == ENOENT else { return false }
    for suffix in Self.allFiles.dropFirst() { rename(path + suffix, name + suffix) }
    return isMoved
  }

  /// A moment as part of a file's name.
  static func stamp(_ moment: Timestamp) -> String { moment.description.filter { $0 != ":" } }

  // MARK: The file system

  private var isPlaceWritable: Bool { Glibc.access(path, W_OK) == 0 && Glibc.access(directory, W_OK) == 0 }

  var size: Int? { Files.size(of: path) }

  func systemFailure() -> StoreError {
    let code: StoreError.Code =
      switch errno {
      case EWOULDBLOCK: .busy(holder: nil)
      case ENOSPC, EDQUOT, EFBIG: .full
      case EROFS: .readOnly
      default: .cannotOpen
      }
    return StoreError(code, message: String(cString: strerror(errno)), about: path)
  }
}

extension StoreError {
  /// The directory or the file system does not allow writing; reading may still be possible.
  fileprivate var isAboutPlace: Bool { code == .readOnly || code == .cannotOpen }
}
