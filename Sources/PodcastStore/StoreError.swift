/// Why the library could not do what it was asked.
package struct StoreError: Error, Hashable, Sendable {
  package enum Code: Hashable, Sendable {
    /// Another process kept the library locked for too long.
    case busy(holder: LockHolder?)
    case full
    case readOnly
    /// The file cannot be trusted. It was renamed to `setAside`, when that was possible.
    case damaged(setAside: String?)
    /// Written by a podcli that knows more than this one.
    case newerVersion(Int)
    /// A database, but not a podcli library.
    case notALibrary
    case cannotOpen
    /// The file was renamed, replaced or deleted while it was open.
    case movedAway
    /// Reading or writing failed below the file system.
    case deviceFailed
    /// What a request named is not there.
    case notFound
    /// SQLite would not do it: a rule of the schema, or a mistake of ours.
    case refused
  }

  package var code: Code
  /// In the library's own words.
  package var message: String
  /// The file it was about.
  package var subject: String
  /// SQLite's extended result code, zero when it was not SQLite that complained.
  package var resultCode: Int32

  package init(_ code: Code, message: String, about subject: String, resultCode: Int32 = 0) {
    self.code = code
    self.message = message
    self.subject = subject
    self.resultCode = resultCode
  }
}

/// The process that stands in the way.
package struct LockHolder: Hashable, Sendable {
  package var pid: Int32
  /// As the kernel knows it: `podcli`, or another program.
  package var name: String

  package init(pid: Int32, name: String) {
    self.pid = pid
    self.name = name
  }
}
