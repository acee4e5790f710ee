/// A failure of the library: a code, SQLite's own code and message, and the file.
package struct StoreError: Error, Hashable, Sendable {
  /// The reason of a failure.
  package enum Code: Hashable, Sendable {
    /// Another process kept the library locked for too long.
    case busy(holder: LockHolder?)
    /// The disk, or the user's quota on it.
    case full
    /// The library was opened for reading only, or the file system is read-only.
    case readOnly
    /// The file is damaged, or was set aside for damage and nothing put in its place.
    case damaged
    /// Written by a newer podcli.
    case newerVersion(Int)
    /// A database, but not a podcli library.
    case notALibrary
    /// The file, its directory or its locks cannot be opened.
    case cannotOpen
    /// The folder for the file cannot be made.
    case noFolder
    /// The file was renamed, replaced or deleted while it was open.
    case movedAway
    /// Reading or writing failed below the file system.
    case deviceFailed
    /// The full-text index lacks episodes, and they cannot be added, as the library cannot be written now.
    case indexIncomplete
    /// The podcast, episode or file of a request does not exist.
    case notFound
    /// SQLite refused it: a constraint of the schema, or a mistake in this code.
    case refused
  }

  /// The reason.
  package var code: Code
  /// In SQLite's words or the system's.
  package var message: String
  /// The file it was about.
  package var subject: String
  /// SQLite's extended result code, zero when SQLite reported nothing.
  var resultCode: Int32

  /// The library may still be readable.
  package var isAboutWriting: Bool {
    switch code {
    case .readOnly, .busy, .full, .cannotOpen, .noFolder: true
    default: false
    }
  }

  /// A failure of the library at this path.
  package init(_ code: Code, message: String, about subject: String, resultCode: Int32 = 0) {
    self.code = code
    self.message = message
    self.subject = subject
    self.resultCode = resultCode
  }
}

/// The process that holds the library's lock.
package struct LockHolder: Hashable, Sendable {
  /// Its process id.
  package var pid: Int32
  /// Its command name, from the kernel: `podcli` or another program.
  package var name: String

  /// A process by its id and name.
  package init(pid: Int32, name: String) {
    self.pid = pid
    self.name = name
  }
}
