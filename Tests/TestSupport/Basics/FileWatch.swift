private import Glibc

/// Waits until `condition` holds, and checks it whenever a direct entry of `directory` changes: for files that another
/// process writes, such as a library or a download.
package func eventually(
  _ what: String, watching directory: String, by deadline: Deadline = Deadline(),
  _ condition: @escaping @Sendable () async throws -> Bool
) async throws {
  let changes = try Descriptor(inotify_init1(Int32(IN_CLOEXEC)), from: "inotify_init1")
  let interesting = UInt32(IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_MOVED_FROM | IN_CLOSE_WRITE | IN_ATTRIB)
  guard inotify_add_watch(changes.number, directory, interesting) >= 0 else { throw SystemError("watch \(directory)") }
  while try await !condition() {
    let hasChanged = await offPool {
      guard !readable([changes.number], until: deadline).isEmpty else { return false }
      _ = readSome(changes.number)
      return true
    }
    guard hasChanged else {
      if try await condition() { return }
      throw Overdue(what)
    }
  }
}
