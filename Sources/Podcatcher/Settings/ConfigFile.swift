private import Glibc
internal import System
private import Text

/// The file with the settings for all podcasts: lines `key = value`, and comments, which are kept.
package struct ConfigFile: Sendable {
  package let path: String

  package init(path: String) { self.path = path }

  /// A line that cannot be parsed: an error of the user's, or a setting of a newer version.
  package struct BadLine: Hashable, Sendable {
    /// From 1.
    package var number: Int
    package var error: SettingError
  }

  /// An error of reading or writing the file.
  package enum Mistake: Error, Hashable, Sendable {
    case file(reason: String)
    case unwritten(reason: String)
    case diskFull
  }

  /// The values by key; empty without a file.
  package func values() throws(Mistake) -> [String: String] { try read().values }

  /// The values by key, and the lines that are passed over: one that a newer version wrote must not keep an episode from
  /// playing.
  package func read() throws(Mistake) -> (values: [String: String], badLines: [BadLine]) {
    var values: [String: String] = [:]
    var badLines: [BadLine] = []
    for (index, line) in try lines().enumerated() {
      let text = Self.text(line)
      guard !text.isEmpty, !text.hasPrefix("#") else { continue }
      do throws(SettingError) {
        let assignment = try SettingAssignment(text)
        if let value = assignment.value { values[assignment.key] = value }
      } catch {
        badLines.append(BadLine(number: index + 1, error: error))
      }
    }
    return (values, badLines)
  }

  /// Writes all assignments or none, and keeps the changes of other processes.
  package func set(_ assignments: [SettingAssignment]) throws(Mistake) {
    guard Files.makeFolder(Files.folder(of: path)) else { throw .unwritten(reason: Self.reason) }
    // A symbolic link is kept: its target is replaced.
    let target = Files.target(of: path)
    let done: Void? = try FileLock.holding(folder: Files.folder(of: target)) { () throws(Mistake) in
      try change(target, assignments)
    }
    guard done != nil else {
      throw .unwritten(reason: errno == EWOULDBLOCK ? "another program is changing them" : Self.reason)
    }
  }

  private func change(_ target: String, _ assignments: [SettingAssignment]) throws(Mistake) {
    var lines = try lines()
    while let last = lines.last, Self.text(last).isEmpty { lines.removeLast() }
    if lines.isEmpty { lines = Self.template }
    for assignment in assignments { Self.apply(assignment, to: &lines) }
    try write(lines, to: target)
  }

  // MARK: Lines

  /// As it is in the file: the bytes of a path or a comment need not be UTF-8.
  private typealias Line = [UInt8]

  /// Without the byte order mark that some editors write.
  private static func text(_ line: Line) -> String {
    String(decoding: line.starts(with: [0xEF, 0xBB, 0xBF]) ? line.dropFirst(3) : line[...], as: UTF8.self)
      .trimmingBlanks()
  }

  /// Replaces the line of the key, or else the comment that has its standard.
  private static func apply(_ assignment: SettingAssignment, to lines: inout [Line]) {
    let standard = SettingKeys.all.first { $0.name == assignment.key }?.standard ?? ""
    let text = assignment.value.map { "\(assignment.key) = \($0)" } ?? "# \(assignment.key) = \(standard)"
    let line = Line(text.utf8)
    let active = lines.indices.filter { key(in: Self.text(lines[$0])) == assignment.key }
    let comment = lines.lastIndex { (try? SettingAssignment(commentedOut(Self.text($0))))?.key == assignment.key }
    guard let index = active.last ?? comment else {
      if assignment.value != nil { lines.append(line) }
      return
    }
    lines[index] = line
    for other in active.dropLast().reversed() { lines.remove(at: other) }
  }

  private static func key(in text: String) -> String? {
    text.firstIndex(of: "=").map { String(text[..<$0].trimmingBlanks()) }
  }

  /// The text behind `#`. A note such as `# speed = 1.7 is for the train` is no assignment.
  private static func commentedOut(_ text: String) -> String { text.hasPrefix("#") ? String(text.dropFirst()) : "" }

  /// All settings, explained and commented out.
  private static let template =
    (["# Settings for all podcasts. Those of one podcast: podcli set PODCAST key=value", ""]
    + SettingKeys.all.flatMap { key in
      ["# \(key.help): \(key.expectation)", "# \(key.name) = \(key.standard)", ""]
    }.dropLast()).map { Line($0.utf8) }

  // MARK: The file

  private static let longest = 1 << 20

  private func lines() throws(Mistake) -> [Line] {
    guard let bytes = Files.read(path, atMost: Self.longest) else {
      if errno == ENOENT || errno == ENOTDIR { return [] }
      throw .file(reason: Self.reason)
    }
    guard bytes.count < Self.longest else { throw .file(reason: "it is too long to be settings") }
    return bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Line.init)
  }

  private func write(_ lines: [Line], to target: String) throws(Mistake) {
    let bytes = lines.flatMap { $0 + [UInt8(ascii: "\n")] }
    guard Files.replace(target, with: bytes, isDurable: true) else {
      throw [ENOSPC, EDQUOT].contains(errno) ? .diskFull : .unwritten(reason: Self.reason)
    }
  }

  private static var reason: String { String(cString: strerror(errno)) }
}
