private import Glibc
package import PodcastModel
internal import System

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

  /// What is left of those that something ended.
  fileprivate func brokenOff(before moment: Timestamp) -> [String] {
    FileNames.list(backups).filter { $0.hasPrefix("library-") && $0.hasSuffix(".db.new") }
      .map { backups + "/" + $0 }.filter { $0 < backup(at: moment) }
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
      let yesterday = Timestamp(seconds: Timestamp.now.seconds - 86_400)
      for old in library.backupFiles.dropFirst(Self.keptBackups) + library.brokenOff(before: yesterday) { unlink(old) }
    }
    return target
  }

  /// The newest first.
  package nonisolated static func backups(of path: String) -> [String] { LibraryFile(path: path).backupFiles }

  /// One a week, of a library no larger than `limit`, where all that are kept have room. Nil when none is due, or
  /// another podcli is at it.
  @discardableResult
  package func backUpWeekly(upTo limit: Int = .max, now: Timestamp = .now) throws(StoreError) -> String? {
    let library = LibraryFile(path: path)
    guard let size = library.size, size <= limit, try isBackupDue(now), Self.hasRoom(for: size, in: library.directory)
    else { return nil }
    mkdir(library.backups, 0o700)
    guard let lock = FileLock(path: library.backups + "/.lock") else { return nil }
    defer { withExtendedLifetime(lock) {} }
    // Who had the lock before may have made it.
    return try isBackupDue(now) ? backUp() : nil
  }

  private func isBackupDue(_ now: Timestamp) throws(StoreError) -> Bool {
    let lastWeek = Timestamp(seconds: now.seconds - 7 * 86_400)
    let library = LibraryFile(path: path)
    // The names sort as the dates in them do. What a wrong clock has dated ahead says nothing.
    let last = library.backupFiles.first { $0 <= library.backup(at: now) }
    guard last ?? "" < library.backup(at: lastWeek) else { return false }
    // A library of this week has little to lose yet.
    return try connection.integer("SELECT min(subscribed_at) FROM podcasts").map { $0 <= lastWeek.seconds } ?? false
  }

  private static func hasRoom(for size: Int, in folder: String) -> Bool {
    guard let free = FreeSpace.at(folder) else { return false }
    return free / Int64(keptBackups) > Int64(size) && free > roomForOthers
  }

  /// Of a disk with less than this nothing is taken unasked.
  private static let roomForOthers: Int64 = 1_000_000_000

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
