private import Glibc
package import PodcastModel

extension LibraryFile {
  /// A copy of the state at this moment, whole under its name or not there at all. Nobody has to wait for it.
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

  /// Where backups go that nobody has named a place for.
  var backups: String { directory + "/backups" }

  fileprivate func backup(at moment: Timestamp) -> String { backups + "/library-\(Self.stamp(moment)).db" }

  var backupFiles: [String] {
    FileNames.list(backups).filter { $0.hasPrefix("library-") && $0.hasSuffix(".db") }.sorted(by: >)
      .map { backups + "/" + $0 }
  }
}

extension PodcastStore {
  /// The newest so many are kept of those that nobody has named a place for.
  private static let keptBackups = 5

  /// Copies the library while others use it. On a store of its own it disturbs no player.
  @discardableResult
  package func backUp(to file: String? = nil) throws(StoreError) -> String {
    let library = LibraryFile(path: path)
    let target = file ?? library.backup(at: .now)
    if file == nil { mkdir(library.backups, 0o700) }
    try LibraryFile(path: target).write(copyOf: connection)
    if file == nil {
      for old in library.backupFiles.dropFirst(Self.keptBackups) { unlink(old) }
    }
    return target
  }

  /// The newest first.
  package nonisolated static func backups(of path: String) -> [String] { LibraryFile(path: path).backupFiles }

  /// A week has passed since the last one.
  package static func isBackupDue(for path: String, now: Timestamp = .now) -> Bool {
    let library = LibraryFile(path: path)
    let lastWeek = library.backup(at: Timestamp(seconds: now.seconds - 7 * 86_400))
    // The names sort as the dates in them do.
    return (library.backupFiles.first ?? "") < lastWeek
  }

  /// Puts a backup in the library's place, once it has proved sound. Answers where the old library was put, if there was
  /// one. Nobody else may be using it: what they write from now on is refused.
  @discardableResult
  package static func restore(_ backup: String, to path: String) throws(StoreError) -> String? {
    let library = LibraryFile(path: path)
    return try library.whileNobodyCreates { () throws(StoreError) in
      let given = LibraryFile(path: path + ".given")
      defer { given.removeAll() }
      let draft = LibraryFile(path: path + ".restored")
      try draft.write(copyOf: try validated(backup, given))
      try draft.useLog()
      let old = library.moveAll(as: "before")
      try library.replaceFile(with: draft.path)
      return old
    }
  }

  /// Only what this podcli can read, and whole, may take a library's place.
  private static func validated(_ backup: String, _ given: LibraryFile) throws(StoreError) -> Connection {
    let original = LibraryFile(path: backup)
    guard original.size != nil else {
      throw StoreError(.notFound, message: "there is no such file", about: backup)
    }
    let connection = try given.open(copyOf: original)
    guard try connection.integer("PRAGMA application_id") == Migration.applicationID else {
      throw StoreError(.notALibrary, message: "this is no podcli library", about: backup)
    }
    let version = Int(try connection.integer("PRAGMA user_version") ?? 0)
    guard version <= Migration.currentVersion else {
      throw StoreError(.newerVersion(version), message: "made by a newer version of podcli", about: backup)
    }
    if let problem = try connection.rows("PRAGMA quick_check", { $0.text(0) }).first(where: { $0 != "ok" }) {
      throw StoreError(.damaged(setAside: nil), message: problem, about: backup)
    }
    return connection
  }
}

enum FileNames {
  static func list(_ directory: String) -> [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      names.append(name)
    }
    return names
  }
}
