private import Glibc

extension LibraryFile {
  /// Copies the state at this moment: the file appears complete or not at all. No other process has to wait.
  func write(copyOf connection: Connection) throws(StoreError) {
    let draft = path + ".new"
    unlink(draft)
    let previousMask = umask(0o077)
    defer { umask(previousMask) }
    do {
      try connection.execute("VACUUM INTO \(draft)")
      try replaceFile(with: draft)
    } catch {
      unlink(draft)
      throw error
    }
  }

  /// Replaces the library with a backup, once that has proved sound. Returns the path to which the old library was moved,
  /// if there was one.
  func restore(_ backup: String) throws(StoreError) -> String? {
    try whileCreating { () throws(StoreError) in
      let copy = LibraryFile(path: path + ".given")
      defer { copy.removeAll() }
      let draft = LibraryFile(path: path + ".restored")
      try draft.write(copyOf: try copy.openValidated(backup))
      try draft.useWAL()
      let old = moveAll(as: (try? isDamaged()) == true ? "corrupt" : "before")
      try replaceFile(with: draft.path)
      return old
    }
  }

  /// Opens a backup, if it is sound and of a version that this podcli can read; its side files are copied to this path.
  private func openValidated(_ backup: String) throws(StoreError) -> Connection {
    let original = LibraryFile(path: backup)
    guard original.size != nil else {
      throw StoreError(.notFound, message: "there is no such file", about: backup)
    }
    let connection = try open(copyOf: original)
    guard try connection.integer("PRAGMA application_id") == Migration.applicationID else {
      throw StoreError(.notALibrary, message: "this is no podcli library", about: backup)
    }
    let version = Int(try connection.integer("PRAGMA user_version") ?? 0)
    guard version <= Migration.currentVersion else {
      throw StoreError(.newerVersion(version), message: "made by a newer version of podcli", about: backup)
    }
    if let problem = try connection.rows("PRAGMA quick_check", { $0.text(0) }).first(where: { $0 != "ok" }) {
      throw StoreError(.damaged, message: problem, about: backup)
    }
    return connection
  }
}
