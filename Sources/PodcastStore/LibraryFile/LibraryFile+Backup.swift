private import Glibc
internal import PodcastModel
internal import System

extension LibraryFile {
  /// Copies the state at this moment: the file appears complete or not at all. No other process has to wait.
  func write(copyOf connection: Connection, carrying document: String? = nil) throws(StoreError) {
    // The process id is in the name: a file of the user's may have any other name, and two processes may copy at once.
    let draft = "\(path).\(getpid()).new"
    unlink(draft)
    removeDrafts()
    let previousMask = umask(0o077)
    defer { umask(previousMask) }
    // SQLite fills an empty file, but does not say why it cannot make one.
    let descriptor = Glibc.open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw systemFailure() }
    close(descriptor)
    do {
      try vacuum(connection, into: draft)
      if let document { try LibraryFile(path: draft).carry(document) }
      try replaceFile(with: draft)
    } catch {
      unlink(draft)
      throw error
    }
  }

  /// Deletes what processes that were ended amid a copy have left: nothing was written to it for so many seconds.
  func removeDrafts(after age: Int = 3600) {
    let start = path.split(separator: "/").last.map { $0 + "." } ?? ""
    for name in Files.names(in: directory) ?? [] where name.hasPrefix(start) {
      let words = name.dropFirst(start.count).split(separator: ".", omittingEmptySubsequences: false)
      guard words.count == 2, Int32(words[0]) != nil, ["new", "new-journal"].contains(words[1]),
        let written = Files.writtenAt(directory + "/" + name), written <= time(nil) - age
      else { continue }
      unlink(directory + "/" + name)
    }
  }

  private func vacuum(_ connection: Connection, into draft: String) throws(StoreError) {
    do {
      try connection.execute("VACUUM INTO \(draft)")
    } catch {
      // It is the copy that has no room, and not the library.
      guard error.code == .full else { throw error }
      throw StoreError(.full, message: error.message, about: path, resultCode: error.resultCode)
    }
  }

  // MARK: What a backup carries beside the library

  private func carry(_ document: String) throws(StoreError) {
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.write { () throws(StoreError) in
      try connection.executeScript("CREATE TABLE carried (document TEXT NOT NULL) STRICT")
      try connection.execute("INSERT INTO carried (document) VALUES (\(document))")
    }
  }

  /// Takes it out, so that it is not left in the library. Nil when there is none.
  private func takeCarried() throws(StoreError) -> String? {
    let connection = try Connection(path: path, mode: .readWrite)
    let isThere = "SELECT 1 FROM sqlite_schema WHERE name = 'carried'"
    guard try connection.integer(SQL(text: isThere)) != nil else { return nil }
    let document = try connection.first("SELECT document FROM carried") { $0.text(0) }
    try connection.executeScript("PRAGMA secure_delete = ON; DROP TABLE carried")
    return document
  }

  // MARK: Restoring

  /// Replaces the library with a backup, once that has proved sound. Returns the path to which the old library was moved,
  /// if there was one. `adopt` takes the document that the backup carries.
  func restore(_ backup: String, adopt: (String) -> Void) throws(StoreError) -> String? {
    try refuseLostLink()
    return try whileCreating { () throws(StoreError) in
      let copy = LibraryFile(path: path + ".given")
      defer { copy.removeAll() }
      let draft = LibraryFile(path: path + ".restoring")
      try draft.write(copyOf: try copy.openValidated(backup))
      let document = try draft.takeCarried()
      try draft.useWAL()
      let word = (try? isDamaged()) == true ? "corrupt" : "before"
      let ready = LibraryFile(path: path + Self.restored)
      try ready.replaceFile(with: draft.path)
      let old: String?
      do throws(StoreError) {
        old = try moveAll(as: word)
      } catch {
        unlink(ready.path)
        throw error
      }
      try replaceFile(with: ready.path)
      if let document { adopt(document) }
      return old
    }
  }

  /// Behind the path of a backup that is ready to be the library.
  private static let restored = ".restored"

  /// The old library was moved, and the restored one is not in its place yet.
  var isRestoring: Bool { access(path + Self.restored, F_OK) == 0 && movedForRestoring() != nil }

  /// Ends a restoring that a kill interrupted after the old library was moved: without it the library would be an empty one.
  func finishRestoring() throws(StoreError) {
    var information = stat()
    let isInterrupted = { lstat(path, &information) != 0 && isRestoring }
    guard isInterrupted() else { return }
    try whileCreating { () throws(StoreError) in
      guard isInterrupted(), let old = movedForRestoring() else { return }
      // SQLite would take the old library's WAL for one of the restored library.
      for suffix in Self.allFiles.dropFirst() { rename(path + suffix, old + suffix) }
      try replaceFile(with: path + Self.restored)
    }
  }

  /// The old library, if it was moved once the backup was ready. A backup beside a library that went otherwise is left alone.
  private func movedForRestoring() -> String? {
    guard let readyAt = Files.writtenAt(path + Self.restored) else { return nil }
    let ready = Self.stamp(Timestamp(seconds: Int64(readyAt)))
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    for file in (Files.names(in: directory) ?? []).sorted(by: >) {
      let isSideFile = Self.allFiles.dropFirst().contains { file.hasSuffix($0) }
      for start in [name + ".before-", name + ".corrupt-"] where !isSideFile && file.hasPrefix(start) {
        if String(file.dropFirst(start.count)) >= ready { return directory + "/" + file }
      }
    }
    return nil
  }

  /// Opens a backup, if it is sound and of a version that this podcli can read; its side files are copied to this path.
  private func openValidated(_ backup: String) throws(StoreError) -> Connection {
    let original = LibraryFile(path: backup)
    guard original.size != nil else {
      throw StoreError(.notFound, message: "there is no such file", about: backup)
    }
    guard Files.names(in: backup) == nil else {
      throw StoreError(.notALibrary, message: "this is no podcli library", about: backup)
    }
    let connection = try open(copyOf: original)
    guard try connection.integer("PRAGMA application_id") == Migration.applicationID else {
      throw StoreError(.notALibrary, message: "this is no podcli library", about: backup)
    }
    let version = Int(try connection.integer("PRAGMA user_version") ?? 0)
    guard version > 0 else { throw StoreError(.damaged, message: "it has no version", about: backup) }
    guard version <= Migration.currentVersion else {
      throw StoreError(.newerVersion(version), message: "made by a newer version of podcli", about: backup)
    }
    if let problem = try connection.rows("PRAGMA quick_check", { $0.text(0) }).first(where: { $0 != "ok" }) {
      throw StoreError(.damaged, message: problem, about: backup)
    }
    if let name = try missingTable(connection, version) {
      throw StoreError(.damaged, message: "its \(name) is missing", about: backup)
    }
    return connection
  }

  /// The first table or view that a library of this version has, and this one has not.
  private func missingTable(_ connection: Connection, _ version: Int) throws(StoreError) -> String? {
    let sound = try emptyLibrary(ofVersion: version)
    func tables(_ connection: Connection) throws(StoreError) -> Set<String> {
      Set(
        try connection.rows("SELECT type || ' ' || name FROM sqlite_schema WHERE type IN ('table', 'view')") {
          $0.text(0)
        })
    }
    return try tables(sound).subtracting(tables(connection)).min()
  }
}
