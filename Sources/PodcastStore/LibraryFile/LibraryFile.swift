private import Glibc
internal import PodcastModel
internal import System

/// How the library is opened.
package enum StoreAccess: Sendable {
  /// Creates the library when there is none, and migrates an older one.
  case readWrite
  /// Creates no library: one that does not exist yet reads as an empty one. An older one is migrated all the same.
  case readOnly
}

/// The library as a file: creates, recognises and opens it, on any file system.
struct LibraryFile {
  let path: String
  /// The symbolic link to it, by which it was named.
  var link: String?
  var migrations = Migration.all
  /// Called when the library falls back to the rollback journal, because the file system allows no WAL.
  var whenWALIsLost: () -> Void = {}
  /// Opened to look for damage or to mend it: damage that is known is no reason to refuse, and none is noted.
  var toleratesDamage = false

  var directory: String { Files.folder(of: path) }

  /// A library by its name, which may be a symbolic link: SQLite's side files, and what replaces it, lie beside the file
  /// itself.
  static func named(_ name: String) -> LibraryFile {
    let path = Files.target(of: name)
    return LibraryFile(path: path, link: path == name ? nil : name)
  }

  func open(_ access: StoreAccess) throws(StoreError) -> Connection {
    do {
      try finishRestoring()
      if try !exists() {
        guard access == .readWrite else { return try emptyLibrary() }
        try create()
      }
      return try openExisting(access)
    } catch {
      throw error.naming(LockHolder.find(for: path))
    }
  }

  private func openExisting(_ access: StoreAccess) throws(StoreError) -> Connection {
    do {
      let connection = try Connection(path: path, link: link, mode: .readWrite) { if isOrWasLibrary { noteDamage() } }
      try migrate(connection)
      if access == .readWrite {
        try ensureWAL(connection)
        reserveWAL()
      }
      return connection
    } catch  where error.isNoDatabase && !isOrWasLibrary && size != nil {
      throw StoreError(.notALibrary, message: "this is no podcli library", about: path)
    } catch  where error.isAboutSharedMemory && isWritable {
      // It was in WAL mode on another file system.
      try leaveWAL()
      return try openExisting(access)
    } catch  where access == .readOnly && error.isAboutPermissions && !isWritable {
      // Only here may the WAL be left unread, because no process can have written one. Where it might exist, an error
      // is better than an outdated state.
      let connection = try Connection(path: path, link: link, mode: .immutable)
      try migrate(connection)
      return connection
    }
  }

  private func migrate(_ connection: Connection) throws(StoreError) {
    let version = Int(try connection.integer("PRAGMA user_version") ?? 0)
    let application = try connection.integer("PRAGMA application_id")
    guard application == Migration.applicationID else {
      // To SQLite an emptied file is a sound, empty database.
      throw size == 0
        ? StoreError(.damaged, message: "the file is empty", about: path)
        : StoreError(.notALibrary, message: "this is no podcli library", about: path)
    }
    guard version > 0 else { throw StoreError(.damaged, message: "it has no version", about: path) }
    guard version <= migrations.count else {
      throw StoreError(.newerVersion(version), message: "made by a newer version of podcli", about: path)
    }
    try refuseKnownDamage(connection)
    guard version < migrations.count else { return }
    try locked(as: ".migrating") { () throws(StoreError) in
      // Another process may have migrated it meanwhile.
      let version = Int(try connection.integer("PRAGMA user_version") ?? 0)
      guard version < migrations.count else { return }
      // Without a copy from before nothing is migrated.
      let copy = LibraryFile(path: path + ".version-\(version)")
      // No other process copies to there meanwhile.
      copy.removeDrafts(after: 0)
      try copy.write(copyOf: connection)
      try Migrator(connection: connection, migrations: migrations).run(from: version)
    }
  }

  // MARK: Creating

  /// The library appears under its name only when it is whole, so no process ever sees half of one.
  private func create() throws(StoreError) {
    try whileCreating { () throws(StoreError) in
      if try exists() { return }
      _ = try replaceByEmpty(keepingAs: "before")
    }
  }

  /// Returns the path to which the old library was moved, if there was one.
  func replaceByEmpty(keepingAs word: String) throws(StoreError) -> String? {
    let draft = path + ".new"
    unlink(draft)
    try build(draft)
    let old = try moveAll(as: word)
    try replaceFile(with: draft)
    return old
  }

  /// Locks the creation of a library under this name against other processes.
  func whileCreating<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    try locked(as: ".creating", body)
  }

  private func locked<Result>(
    as suffix: String, _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let name = path + suffix
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
      try Migrator(connection: connection, migrations: migrations).createSchema()
    } catch {
      unlink(draft)
      throw error
    }
    try LibraryFile(path: draft, whenWALIsLost: whenWALIsLost).useWAL()
  }

  /// In memory; of the current version, or an older one.
  func emptyLibrary(ofVersion version: Int = .max) throws(StoreError) -> Connection {
    let connection = try Connection(path: path, mode: .memory)
    try Migrator(connection: connection, migrations: Array(migrations.prefix(version))).createSchema()
    return connection
  }

  // MARK: Moving

  /// Returns the new name, which is unique even for two libraries set aside within a second.
  func moveAll(as word: String) throws(StoreError) -> String? {
    let stamped = path + "." + word + "-" + Self.stamp(.now)
    let names = (1...).lazy.map { $0 == 1 ? stamped : "\(stamped)-\($0)" }
    guard let name = names.first(where: { LibraryFile(path: $0).isFree }) else { return nil }
    return try moveAll(to: name) ? name : nil
  }

  private var isFree: Bool { Self.allFiles.allSatisfy { access(path + $0, F_OK) != 0 } }

  /// Moves the library and its side files. Where the library itself was deleted, the side files still move: SQLite would
  /// take them for parts of the next one. One that cannot be moved stays: nothing may take its place.
  private func moveAll(to name: String) throws(StoreError) -> Bool {
    let isMoved = rename(path, name) == 0
    guard isMoved || errno == ENOENT else { throw systemFailure() }
    for suffix in Self.allFiles.dropFirst() { rename(path + suffix, name + suffix) }
    unlink(path + Self.damageNote)
    return isMoved
  }

  /// A moment as part of a file's name.
  static func stamp(_ moment: Timestamp) -> String { moment.description.filter { $0 != ":" } }

  // MARK: The file system

  private var isWritable: Bool { Glibc.access(path, W_OK) == 0 && Glibc.access(directory, W_OK) == 0 }

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
  fileprivate var isAboutPermissions: Bool { code == .readOnly || code == .cannotOpen }
}
