private import Glibc
internal import System

/// The file with the settings for all podcasts: lines `key = value`, and comments, which are kept.
package struct ConfigFile: Sendable {
  package let path: String

  package init(path: String) { self.path = path }

  /// An error in the file, or of reading or writing it.
  package enum Mistake: Error, Hashable, Sendable {
    case line(Int, SettingError)
    case file(reason: String)
    case unwritten(reason: String)
  }

  /// The values by key; empty without a file. A line that cannot be parsed is a mistake, unless its key is one of those
  /// that are about to be set.
  package func values(before assignments: [SettingAssignment] = []) throws(Mistake) -> [String: String] {
    var values: [String: String] = [:]
    for (number, line) in try lines().enumerated() {
      if let key = Self.key(in: line), assignments.contains(where: { $0.key == key }) {
        if let value = (try? Self.assignment(line, number + 1))?.value { values[key] = value }
        continue
      }
      guard let assignment = try Self.assignment(line, number + 1), let value = assignment.value else { continue }
      values[assignment.key] = value
    }
    return values
  }

  /// Writes all assignments or none, and keeps the changes of other processes.
  package func set(_ assignments: [SettingAssignment]) throws(Mistake) {
    guard Files.makeFolder(Files.folder(of: path)) else { throw .unwritten(reason: Self.reason) }
    // A symbolic link is kept: its target is replaced.
    let target = Self.resolved(path)
    let done: Void? = try FileLock.holding(folder: Files.folder(of: target)) { () throws(Mistake) in
      try change(target, assignments)
    }
    guard done != nil else {
      throw .unwritten(reason: errno == EWOULDBLOCK ? "another program is changing them" : Self.reason)
    }
  }

  private func change(_ target: String, _ assignments: [SettingAssignment]) throws(Mistake) {
    var lines = try lines()
    while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
    if lines.isEmpty { lines = Self.template }
    for assignment in assignments { Self.apply(assignment, to: &lines) }
    try write(lines, to: target)
  }

  // MARK: Lines

  private static func assignment(_ line: String, _ number: Int) throws(Mistake) -> SettingAssignment? {
    let text = SettingAssignment.trimmed(line)
    guard !text.isEmpty, !text.hasPrefix("#") else { return nil }
    do throws(SettingError) {
      return try SettingAssignment(text)
    } catch {
      throw .line(number, error)
    }
  }

  /// Replaces the line of the key, even where it is a comment.
  private static func apply(_ assignment: SettingAssignment, to lines: inout [String]) {
    let standard = SettingKeys.all.first { $0.name == assignment.key }?.standard ?? ""
    let line = assignment.value.map { "\(assignment.key) = \($0)" } ?? "# \(assignment.key) = \(standard)"
    let assignments = lines.indices.filter { key(in: lines[$0]) == assignment.key }
    let active = assignments.filter { !SettingAssignment.trimmed(lines[$0]).hasPrefix("#") }
    guard let index = active.last ?? assignments.last else {
      if assignment.value != nil { lines.append(line) }
      return
    }
    lines[index] = line
    for other in active.dropLast().reversed() { lines.remove(at: other) }
  }

  private static func key(in line: String) -> String? {
    let text = line.drop { $0 == "#" || $0.isWhitespace }
    return text.firstIndex(of: "=").map { SettingAssignment.trimmed(String(text[..<$0])) }
  }

  /// All settings, explained and commented out.
  private static let template =
    ["# Settings for all podcasts. Those of one podcast: podcli set PODCAST key=value", ""]
    + SettingKeys.all.flatMap { key in
      ["# \(key.help): \(key.expectation)", "# \(key.name) = \(key.standard)", ""]
    }.dropLast()

  // MARK: The file

  private static let longest = 1 << 20

  private func lines() throws(Mistake) -> [String] {
    guard let bytes = Files.read(path, atMost: Self.longest) else {
      if errno == ENOENT || errno == ENOTDIR { return [] }
      throw .file(reason: Self.reason)
    }
    guard bytes.count < Self.longest else { throw .file(reason: "it is too long to be settings") }
    return String(decoding: bytes, as: UTF8.self).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map(String.init)
  }

  private func write(_ lines: [String], to target: String) throws(Mistake) {
    let text = lines.joined(separator: "\n") + "\n"
    guard Files.replace(target, with: Array(text.utf8), isDurable: true) else {
      throw .unwritten(reason: Self.reason)
    }
  }

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  private static var reason: String { String(cString: strerror(errno)) }
}
