import Glibc
private import TestSupport

/// A temporary folder with a library in it, and the paths of the programs that were built with this one.
struct Workspace {
  let folder: String
  var library: String { folder + "/home" }
  var podcli: String { product("podcli") }

  struct CannotWrite: Error { var path: String }

  init() throws {
    var template = Array("/tmp/podcli-bench-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw CannotWrite(path: "/tmp") }
    folder = String(cString: made)
    try clearLibrary()
  }

  func product(_ name: String) -> String { builtProduct(name) }

  func clearLibrary() throws {
    // An indexer in the background may make a file in it meanwhile.
    for _ in 1...100 {
      _ = try Measured.run("rm", ["-rf", library], home: folder)
      if mkdir(library, 0o700) == 0 { return }
      usleep(20_000)
    }
    throw CannotWrite(path: library)
  }

  /// A library with a podcast without episodes, where a measurement begins with an existing one.
  func emptyLibrary() throws {
    try clearLibrary()
    let empty = try write("<rss><channel><title>x</title></channel></rss>", to: "empty.xml")
    _ = try Measured.run(podcli, ["subscribe", empty], in: self)
  }

  func write(_ text: String, to name: String) throws -> String { try write(Array(text.utf8), to: name) }

  func write(_ bytes: [UInt8], to name: String) throws -> String {
    let path = folder + "/" + name
    guard let file = fopen(path, "w") else { throw CannotWrite(path: path) }
    defer { fclose(file) }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw CannotWrite(path: path) }
    return path
  }

  func remove() { _ = try? Measured.run("rm", ["-rf", folder], home: "/") }
}
