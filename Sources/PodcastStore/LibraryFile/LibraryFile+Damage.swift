private import Glibc
internal import System

/// A damaged library stays where it is, and is refused, until the user replaces it.
extension LibraryFile {
  // MARK: Is there one?

  /// False when there is no library yet. A file that cannot be looked at may well be one, a link that leads nowhere is one
  /// to a disk that is not there, and one that was set aside for damage must not be followed by an empty one that passes for it.
  func exists() throws(StoreError) -> Bool {
    if access(path, R_OK) == 0 { return true }
    guard errno == ENOENT else { throw systemFailure() }
    try refuseLostLink()
    guard setAside.isEmpty else {
      throw StoreError(.damaged, message: "it was set aside, and nothing is in its place", about: path)
    }
    return false
  }

  /// Refuses a link that leads nowhere, unless the library was moved aside there, or a restored one is on its way.
  func refuseLostLink() throws(StoreError) {
    let names = [link, link.map(Files.folder), path, directory].compactMap(\.self)
    guard let lost = names.first(where: Self.leadsNowhere), setAside.isEmpty, !isRestoring else { return }
    throw StoreError(.cannotOpen, message: "the link leads nowhere", about: lost)
  }

  private static func leadsNowhere(_ link: String) -> Bool {
    var information = stat()
    return lstat(link, &information) == 0 && access(link, F_OK) != 0
  }

  /// The paths of libraries that were set aside for damage, the newest first.
  var setAside: [String] {
    let start = path.split(separator: "/").last.map { $0 + ".corrupt-" } ?? ""
    let names = (Files.names(in: directory) ?? []).filter { name in
      name.hasPrefix(start) && !Self.allFiles.dropFirst().contains { name.hasSuffix($0) }
    }
    return names.sorted(by: >).map { directory + "/" + $0 }
  }

  // MARK: Known damage

  static let damageNote = ".damaged"

  /// From now on every command checks the whole library first: one that reads none of the damaged pages must not go on
  /// as if nothing were wrong.
  func noteDamage() {
    guard !toleratesDamage else { return }
    let descriptor = Glibc.open(path + Self.damageNote, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if descriptor >= 0 { close(descriptor) }
  }

  func refuseKnownDamage(_ connection: Connection) throws(StoreError) {
    guard !toleratesDamage, access(path + Self.damageNote, F_OK) == 0 else { return }
    if let problem = try LibraryCheck(connection: connection).damage().first {
      throw StoreError(.damaged, message: problem, about: path)
    }
    unlink(path + Self.damageNote)
  }

  /// True for a podcli library, by its header; where that is destroyed, by the schema in its first pages; or else by the
  /// files beside it. Files of other programs are left alone.
  var isOrWasLibrary: Bool {
    guard let start = Files.read(path, atMost: 1 << 18) else { return true }
    return start.isEmpty || Self.isHeader(start) || start.contains(Array("podcast_search".utf8))
      || ["-wal", ".turn", ".checkpoint"].contains { access(path + $0, F_OK) == 0 }
      || !Backups(of: path).paths.isEmpty
  }

  /// True for a podcli library, by its header.
  var isLibrary: Bool { Files.read(path, atMost: 72).map(Self.isHeader) ?? false }

  private static func isHeader(_ start: [UInt8]) -> Bool {
    start.dropFirst(68).prefix(4).reduce(0) { $0 << 8 | Int64($1) } == Migration.applicationID
  }

  // MARK: Replacing it

  /// Puts an empty library in the place of a damaged one, which is kept. Returns the path to which that was moved, if it
  /// was still in its place.
  func startAnew() throws(StoreError) -> String? {
    try refuseLostLink()
    return try whileCreating { () throws(StoreError) in
      guard try isDamaged() else {
        throw StoreError(.refused, message: "the library is not damaged", about: path)
      }
      return try replaceByEmpty(keepingAs: "corrupt")
    }
  }

  /// Reads the whole file.
  func isDamaged() throws(StoreError) -> Bool {
    var file = self
    file.toleratesDamage = true
    do throws(StoreError) {
      guard try exists() else { return false }
      return try !LibraryCheck(connection: try file.open(.readOnly)).damage().isEmpty
    } catch {
      guard error.code == .damaged else { throw error }
      return true
    }
  }
}
