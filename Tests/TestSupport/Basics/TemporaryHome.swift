private import Glibc

/// A fresh directory for one test; it is removed with everything in it when the last reference is released.
package final class TemporaryHome: Sendable {
  package let path: String

  package init() throws(SystemError) {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/podcli-test-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw SystemError("mkdtemp in \(parent)") }
    path = String(cString: made)
  }

  deinit { remove() }

  /// Removes it now, for a process that exits without releasing it.
  package func remove() { removeTree(path) }

  /// The whole environment of a program under test: its own library, no sound, a plain locale, no proxy, and nothing of
  /// the caller's environment.
  package var environment: [String: String] {
    var environment = [
      "HOME": path, "PODCLI_HOME": "\(path)/podcli", "PODCLI_AO": "null", "TMPDIR": path, "LC_ALL": "C.UTF-8",
      "TERM": "xterm-256color", "PATH": getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin",
      // A shell that loses its terminal writes its history, when the home may have been removed already.
      "HISTFILE": "",
    ]
    // Where sanitizers and coverage write their reports, and what they suppress.
    for name in ["LLVM_PROFILE_FILE", "ASAN_OPTIONS", "TSAN_OPTIONS"] {
      environment[name] = getenv(name).map { String(cString: $0) }
    }
    return environment
  }

  /// Writes a file below the home and returns its path.
  @discardableResult
  package func write(_ bytes: [UInt8], to name: String) throws(SystemError) -> String {
    let file = "\(path)/\(name)"
    let descriptor = try Descriptor(open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600), from: "create \(file)")
    guard writeAll(bytes, to: descriptor.number) else { throw SystemError("write \(file)") }
    return file
  }

  @discardableResult
  package func write(_ text: String, to name: String) throws(SystemError) -> String {
    try write(Array(text.utf8), to: name)
  }
}

/// The bytes of a file, such as a fixture or a program's output.
package func contents(of file: String) throws(SystemError) -> [UInt8] {
  let descriptor = try Descriptor(open(file, O_RDONLY | O_CLOEXEC), from: "open \(file)")
  var bytes: [UInt8] = []
  while case let some = readSome(descriptor.number), !some.isEmpty { bytes += some }
  return bytes
}

/// Draws a fixture anew.
package func draw(_ text: String, to file: String) throws(SystemError) {
  let descriptor = try Descriptor(open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644), from: "open \(file)")
  let bytes = Array(text.utf8)
  guard write(descriptor.number, bytes, bytes.count) == bytes.count else { throw SystemError("write \(file)") }
}

/// The names of a directory's entries, in any order.
package func names(in directory: String) -> [String] {
  guard let stream = opendir(directory) else { return [] }
  defer { closedir(stream) }
  var names: [String] = []
  while let entry = readdir(stream) {
    let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    if name != ".", name != ".." { names.append(name) }
  }
  return names
}

/// Removes a directory and everything in it, follows no links, and unlocks folders that a test made read-only.
private func removeTree(_ path: String) {
  if unlink(path) == 0 { return }
  chmod(path, 0o700)
  for name in names(in: path) { removeTree("\(path)/\(name)") }
  rmdir(path)
}
