private import Glibc
internal import PodcastModel
internal import System

/// A SQLite database of another app, opened as a private copy with its WAL, so that the app's locks do not matter and
/// its files are never written. Nothing in its schema can run code, and only its tables are read.
package final class ForeignDatabase {
  private let connection: Connection
  /// In bytes.
  package static let largest = 4 << 30

  /// Opens a copy of the database at `path`.
  package init(path: String) throws(StoreError) {
    guard (Files.size(of: path) ?? 0) <= Self.largest else {
      throw StoreError(.refused, message: "larger than \(Self.largest >> 30) GB", about: path)
    }
    guard let folder = Files.makeTemporaryFolder() else {
      throw StoreError(errno == ENOSPC ? .full : .cannotOpen, message: String(cString: strerror(errno)), about: path)
    }
    let copy = LibraryFile(path: folder + "/copy")
    defer { Files.removeFlatFolder(folder) }
    connection = try Self.open(copy, of: LibraryFile(path: path))
    try connection.distrust()
    _ = try connection.integer("SELECT count(*) FROM sqlite_schema")
  }

  /// An app that is in use may write while its library is copied: then it is copied again.
  private static func open(_ copy: LibraryFile, of original: LibraryFile) throws(StoreError) -> Connection {
    for _ in 0..<10 {
      do throws(StoreError) {
        return try copy.open(privateCopyOf: original)
      } catch {
        guard case .busy = error.code else { throw error }
        copy.removeAll()
      }
    }
    return try copy.open(privateCopyOf: original)
  }

  /// A backup, then, or the library of another podcli.
  package var isPodcliLibrary: Bool { (try? connection.integer("PRAGMA application_id")) == Migration.applicationID }

  /// Whether the tables exist with all these columns, each `table.column`.
  package func has(_ columns: [String]) -> Bool {
    columns.allSatisfy { column in
      let parts = column.split(separator: ".")
      return parts.count == 2 && has(String(parts[0]), String(parts[1]))
    }
  }

  /// Whether the table exists with this column. Views do not count.
  package func has(_ table: String, _ column: String) -> Bool {
    let found = try? connection.integer(
      """
      SELECT 1 FROM sqlite_schema s, pragma_table_info(s.name) c
      WHERE s.type = 'table' AND lower(s.name) = lower(\(table)) AND lower(c.name) = lower(\(column))
      """)
    return found == 1
  }

  /// All rows of a statement.
  package func rows(_ statement: String) throws(StoreError) -> [ForeignRow] {
    var names: [String: Int] = [:]
    return try connection.rows(SQL(text: statement)) { row in
      if names.isEmpty { names = row.columnNames }
      return ForeignRow(names: names, values: row.values)
    }
  }
}

/// One row of another app's database: values by the names that the statement gives its columns.
package struct ForeignRow: Sendable {
  fileprivate let names: [String: Int]
  fileprivate let values: [SQL.Value]

  private subscript(name: String) -> SQL.Value { names[name].map { values[$0] } ?? .null }

  /// A text that is not empty, or a number as one.
  package func text(_ name: String) -> String? {
    switch self[name] {
    case .text(let text): text.isEmpty ? nil : text
    case .integer(let number): String(number)
    case .real(let number): String(number)
    case .null, .blob: nil
    }
  }

  /// A whole number, also of a fraction or of digits in a text.
  package func integer(_ name: String) -> Int64? {
    switch self[name] {
    case .integer(let number): number
    case .real(let number): Int64(exactly: number.rounded(.towardZero))
    case .text(let text): Int64(text)
    case .null, .blob: nil
    }
  }

  /// A number, also of digits in a text.
  package func real(_ name: String) -> Double? {
    switch self[name] {
    case .integer(let number): Double(number)
    case .real(let number): number
    case .text(let text): Double(text)
    case .null, .blob: nil
    }
  }

  /// False for NULL and zero.
  package func flag(_ name: String) -> Bool { (real(name) ?? 0) != 0 }
}
