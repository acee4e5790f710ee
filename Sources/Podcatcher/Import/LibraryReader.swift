private import FeedKit
private import Glibc
private import PodcastModel
private import PodcastStore
internal import System
private import Text

/// Reads libraries of other apps and lists of subscriptions, which it recognises by their content.
package struct LibraryReader: Sendable {
  private let folders: AppFolders?
  private let readsAsPlayed: Bool
  /// An archive in an archive is no library: unpacking has an end.
  private var isInArchive = false

  /// `readsAsPlayed`: episodes whose notes were read in newsboat count as played.
  package init(_ environment: Environment, readsAsPlayed: Bool) {
    folders = AppFolders(environment)
    self.readsAsPlayed = readsAsPlayed
  }

  /// The apps by name, for completion and help.
  package static var apps: [(name: String, title: String)] { ForeignApps.all.map { ($0.name, $0.title) } }

  /// Reads the library of an app in its usual place.
  package func read(app name: String) throws(ImportError) -> FoundLibrary {
    guard let app = ForeignApps.named(name) else { throw .noSuchApp(name, known: Self.apps.map(\.name)) }
    let paths = folders.map(app.paths) ?? []
    guard let path = paths.first(where: { Files.size(of: $0) != nil }) else {
      throw .notThere(app: app.title, paths: paths)
    }
    return try file(path, beside: [])
  }

  /// Reads a file, a folder, `-` for standard input, or the library of the app with this name.
  package func read(_ source: String) throws(ImportError) -> FoundLibrary {
    guard source != "-" else { return try document(source) }
    if isFolder(source) { return try folder(source, beside: []) }
    if Files.size(of: source) == nil, ForeignApps.named(source) != nil { return try read(app: source) }
    return try file(source, beside: [])
  }

  private func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  // MARK: Files

  /// `folders`: where lists of subscriptions may lie, besides the file's own folder.
  private func file(_ path: String, beside folders: [String]) throws(ImportError) -> FoundLibrary {
    let head = try Self.head(of: path)
    if head.starts(with: "SQLite format 3\0".utf8) { return try database(path, beside: folders) }
    if head.starts(with: [0x50, 0x4B, 0x03, 0x04]) { return try archive(path) }
    return try document(path)
  }

  /// The first bytes of a regular file; none of a pipe, which would lose them.
  private static func head(of path: String) throws(ImportError) -> [UInt8] {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .unreadable(path, String(cString: strerror(errno))) }
    guard status.st_mode & S_IFMT == S_IFREG else { return [] }
    guard let head = Files.read(path, atMost: 16) else { throw .unreadable(path, String(cString: strerror(errno))) }
    return head
  }

  private func database(_ path: String, beside folders: [String]) throws(ImportError) -> FoundLibrary {
    var found: ForeignApp?
    let isOwn: Bool
    do throws(StoreError) {
      let database = try ForeignDatabase(path: path)
      for app in ForeignApps.all {
        guard case .database(let columns, let read) = app.form, database.has(columns) else { continue }
        found = app
        let surroundings = AppSurroundings(
          path: path, folders: self.folders, readsAsPlayed: readsAsPlayed, listFolders: folders)
        return FoundLibrary(app, path, try read(database, surroundings))
      }
      isOwn = database.isPodcliLibrary
    } catch {
      throw ImportError(error, reading: path, of: found?.title)
    }
    throw isOwn ? .podcliLibrary(path, isPacked: false) : .unknown(path)
  }

  /// JSON or XML.
  private func document(_ path: String) throws(ImportError) -> FoundLibrary {
    let bytes = try Self.bytes(path)
    // Neither blanks nor a mark of the byte order.
    let first = bytes.first { $0 > 0x20 && $0 < 0x80 }
    return try first == UInt8(ascii: "{") || first == UInt8(ascii: "/") ? json(path, bytes) : outlines(path, bytes)
  }

  private static func bytes(_ path: String) throws(ImportError) -> [UInt8] {
    do throws(FollowError) {
      return try FeedFile.bytes(path)
    } catch {
      if case .file(let path, let reason) = error { throw .unreadable(path, reason) }
      throw .unreadable(path, "it cannot be read")
    }
  }

  private func json(_ path: String, _ bytes: [UInt8]) throws(ImportError) -> FoundLibrary {
    guard let document = JSON(parsing: bytes) else { throw .damaged(path, app: nil, "it is no JSON, or cut off") }
    for app in ForeignApps.all {
      if case .json(let isOne, let read) = app.form, isOne(document) { return FoundLibrary(app, path, read(document)) }
    }
    throw .unknown(path)
  }

  private func outlines(_ path: String, _ bytes: [UInt8]) throws(ImportError) -> FoundLibrary {
    do throws(FeedError) {
      let feeds = try OPML.feeds(in: bytes)
      var found = FoundLibrary(
        path: path, library: PortableLibrary(subscriptions: SubscriptionRecord.records(of: feeds)))
      if let known = try? OvercastOPML.feeds(in: bytes), known.contains(where: { !$0.episodes.isEmpty }) {
        found = FoundLibrary(.overcast, path, PortableLibrary(known))
      }
      found.isCutOff = OPML.isCutOff(bytes)
      if !found.isCutOff || !feeds.isEmpty { return found }
    } catch {
      throw .list(path, FeedFailure(error))
    }
    throw .damaged(path, app: nil, "it is cut off")
  }

  // MARK: Folders and archives

  /// The library in a folder that was written last; a list of subscriptions where there is no library.
  private func folder(_ path: String, beside folders: [String]) throws(ImportError) -> FoundLibrary {
    guard let names = Files.names(in: path) else { throw .unreadable(path, String(cString: strerror(errno))) }
    var list: FoundLibrary?
    var (failure, own): (ImportError?, ImportError?)
    for file in Self.candidates(names, in: path) {
      do throws(ImportError) {
        let found = try self.file(file, beside: folders + [path])
        if found.app != nil { return found }
        list = list ?? found
      } catch {
        if case .podcliLibrary = error { own = own ?? error } else if !error.isUnknown { failure = failure ?? error }
      }
    }
    guard let list else { throw failure ?? own ?? .unknown(path) }
    return list
  }

  /// The files that may be libraries, the newest first: of those that were copied together, the one with the latest date in its
  /// name.
  private static func candidates(_ names: [String], in folder: String) -> [String] {
    let files = names.prefix(10_000).compactMap { name -> (path: String, writtenAt: Int)? in
      let path = folder + "/" + name
      guard let writtenAt = Files.writtenAt(path), mayBeLibrary(path, name) else { return nil }
      return (path, writtenAt)
    }
    return files.sorted { ($0.writtenAt, $0.path) > ($1.writtenAt, $1.path) }.map(\.path)
  }

  /// Any database or archive; documents go by their ending, as a folder may be full of texts.
  private static func mayBeLibrary(_ path: String, _ name: String) -> Bool {
    if AppSurroundings.isList(name) || name.lowercased().hasSuffix(".json") { return true }
    guard let head = Files.read(path, atMost: 16) else { return false }
    return head.starts(with: "SQLite format 3\0".utf8) || head.starts(with: [0x50, 0x4B, 0x03, 0x04])
  }

  /// Unpacks what may be a library into a folder of its own, which goes away with everything in it.
  private func archive(_ path: String) throws(ImportError) -> FoundLibrary {
    guard !isInArchive else { throw .unknown(path) }
    guard let folder = Files.makeTemporaryFolder() else { throw .unreadable(path, String(cString: strerror(errno))) }
    defer { Files.removeFlatFolder(folder) }
    try LibraryArchive.unpack(path, to: folder)
    var found: FoundLibrary
    do throws(ImportError) {
      var inside = self
      inside.isInArchive = true
      found = try inside.folder(folder, beside: [Files.folder(of: path)])
    } catch {
      if case .podcliLibrary = error { throw .podcliLibrary(path, isPacked: true) }
      throw error.isUnknown ? .unknown(path) : error
    }
    found.path = path
    return found
  }
}

extension FoundLibrary {
  fileprivate init(_ app: ForeignApp, _ path: String, _ library: PortableLibrary) {
    self.init(app: app.title, path: path, lacks: app.lacks, library: library)
  }
}

extension ImportError {
  fileprivate init(_ error: StoreError, reading path: String, of app: String?) {
    switch error.code {
    case .busy: self = .changing(path)
    case .full: self = .diskFull(error.subject)
    case .cannotOpen, .readOnly, .deviceFailed: self = .unreadable(path, error.message)
    default: self = .damaged(path, app: app, error.message)
    }
  }
}

extension SubscriptionRecord {
  private static let wrappers: Set<String> = ["feeds", "subscriptions", "podcasts"]

  /// Some apps put all feeds into one outline, which is no tag.
  fileprivate static func records(of feeds: [FeedOutline]) -> [SubscriptionRecord] {
    let isWrapped = feeds.allSatisfy { $0.folders.first.map { wrappers.contains($0.lowercased()) } ?? false }
    return feeds.map { SubscriptionRecord($0, isWrapped: isWrapped) }
  }

  private init(_ outline: FeedOutline, isWrapped: Bool) {
    self.init(feedURL: outline.url)
    title = outline.title
    isPrivate = outline.isPrivate
    tags = Array(outline.folders.dropFirst(isWrapped ? 1 : 0))
  }
}
