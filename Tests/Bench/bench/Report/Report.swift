private import Glibc
internal import PodcastModel
private import Synchronization
private import TestSupport
internal import Text

/// Collects the figures of the parts: prints each at once, and keeps it for the record.
enum Report {
  private struct State {
    var part = ""
    var podcli = ""
    var tables: [FigureTable] = []
  }

  private static let state = Mutex(State())

  static func begin(_ part: String, podcli: String) {
    state.withLock { $0 = State(part: part, podcli: podcli) }
  }

  static func title(_ title: String) {
    print(title)
    state.withLock { state in
      state.tables.append(
        FigureTable(part: state.part, title: title, date: Timestamp.now.description, podcli: state.podcli))
    }
  }

  static func tell(_ figure: Figure) {
    print(figure.line)
    fflush(nil)
    state.withLock { state in
      guard let last = state.tables.indices.last else { return }
      state.tables[last].figures.append(figure)
    }
  }

  /// The figures of the part that began last.
  static var tables: [FigureTable] { state.withLock { $0.tables.filter { !$0.figures.isEmpty } } }
}

/// The folder of the records: one file per run, and `latest.json` with the latest figures of every part.
struct RecordFolder {
  let path: String
  var latest: String { path + "/latest.json" }

  struct CannotWrite: Error { var path: String }
  struct NoRecord: Error { var path: String }

  /// Checks that the folder is writable before anything is measured, since a run takes minutes.
  init(path: String) throws {
    guard mkdir(path, 0o755) == 0 || errno == EEXIST, access(path, W_OK) == 0 else { throw CannotWrite(path: path) }
    self.path = path
  }

  func keep(_ record: Record) throws {
    try write(record, to: path + "/\(record.date.filter { $0 != ":" }).json")
    var whole = (try? Self.read(latest)) ?? record
    whole.merge(record)
    try write(whole, to: latest)
  }

  static func read(_ path: String) throws -> Record {
    guard let bytes = try? contents(of: path), let json = JSON(parsing: bytes), let record = Record(json) else {
      throw NoRecord(path: path)
    }
    return record
  }

  /// Replaces the file by a rename, so that a reader never sees half of it.
  private func write(_ record: Record, to path: String) throws {
    guard let file = fopen(path + ".new", "w") else { throw CannotWrite(path: path) }
    let isWritten = fputs(record.json.pretty + "\n", file) >= 0
    guard fclose(file) == 0, isWritten, rename(path + ".new", path) == 0 else { throw CannotWrite(path: path) }
  }
}
