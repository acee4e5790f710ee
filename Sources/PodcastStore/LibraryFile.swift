private import Glibc
internal import PodcastModel

/// The library as a file: making it, recognising it, opening it in whatever place it lies.
struct LibraryFile {
  let path: String

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
      let connection = try Connection(path: path, mode: .readWrite)
      try bringUpToDate(connection, access)
      if access == .readWrite { reserveLog() }
      return connection
    } catch  where access == .readOnly && error.isAboutPlace {
      let connection = try Connection(path: path, mode: .immutable)
      try bringUpToDate(connection, access)
      return connection
    } catch {
      throw setAside(after: error)
    }
  }

  private func bringUpToDate(_ connection: Connection, _ access: PodcastStore.Access) throws(StoreError) {
    let version = Int(try connection.integer("PRAGMA user_version") ?? 0)
    let application = try connection.integer("PRAGMA application_id")
    guard application == Migration.applicationID else {
      throw version == 0 && application == 0 && size == 0
        ? StoreError(.damaged(setAside: nil), message: "the file is empty", about: path)
        : StoreError(.notALibrary, message: "this is no podcli library", about: path)
    }
    guard version <= Migration.currentVersion else {
      throw StoreError(.newerVersion(version), message: "made by a newer version of podcli", about: path)
    }
    if version < Migration.currentVersion { try Migrator(connection: connection, file: self).run(from: version) }
  }

  // MARK: Making

  /// The library appears under its name only when it is whole, so no process ever sees half of one.
  private func create() throws(StoreError) {
    guard let lock = FileLock(path: path + ".creating", patience: .seconds(5)) else {
      throw StoreError(
        access(directory, W_OK) == 0 ? .busy(holder: nil) : .cannotOpen, message: systemMessage(), about: path)
    }
    defer {
      unlink(path + ".creating")
      _ = lock
    }
    if size != nil { return }
    let draft = path + ".new"
    unlink(draft)
    try build(draft)
    chmod(draft, 0o600)
    guard rename(draft, path) == 0 else { throw StoreError(.cannotOpen, message: systemMessage(), about: path) }
    syncDirectory()
  }

  private func build(_ draft: String) throws(StoreError) {
    do {
      let previousMask = umask(0o077)
      defer { umask(previousMask) }
      let connection = try Connection(path: draft, mode: .create)
      try Migrator(connection: connection, file: self).createSchema()
      // Where memory cannot be shared, on some network file systems, this answers `delete` and the journal stays classic.
      _ = try connection.first("PRAGMA journal_mode = WAL") { $0.text(0) }
    } catch {
      unlink(draft)
      throw error
    }
    unlink(draft + "-wal")
    unlink(draft + "-shm")
  }

  private func emptyLibrary() throws(StoreError) -> Connection {
    let connection = try Connection(path: path, mode: .memory)
    try Migrator(connection: connection, file: self).createSchema()
    return connection
  }

  /// Room for positions on a disk that has none left. A log of zeros reads as an empty one.
  private func reserveLog() {
    let log = path + "-wal"
    guard (Self.size(of: log) ?? 0) < Self.reservedLog, access(path + "-shm", F_OK) == 0 else { return }
    let descriptor = Glibc.open(log, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return }
    posix_fallocate(descriptor, 0, off_t(Self.reservedLog))
    close(descriptor)
  }

  /// The log's header and sixty-four pages.
  private static let reservedLog = 32 + 64 * (4096 + 24)

  // MARK: Damage

  /// A damaged library is renamed, with its log, and never touched again.
  func setAside(after error: StoreError) -> StoreError {
    guard case .damaged(setAside: nil) = error.code else { return error }
    let name = path + ".corrupt-" + Timestamp.now.description.filter { $0 != ":" }
    guard rename(path, name) == 0 else { return error }
    for suffix in ["-wal", "-shm"] { rename(path + suffix, name + suffix) }
    var error = error
    error.code = .damaged(setAside: name)
    return error
  }

  // MARK: The file system

  var size: Int? { Self.size(of: path) }

  private static func size(of path: String) -> Int? {
    var information = stat()
    return stat(path, &information) == 0 ? Int(information.st_size) : nil
  }

  private func syncDirectory() {
    let descriptor = Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  private func systemMessage() -> String { String(cString: strerror(errno)) }
}

extension StoreError {
  /// The directory or the file system does not allow writing; reading may still be possible.
  fileprivate var isAboutPlace: Bool { code == .readOnly || code == .cannotOpen }
}
