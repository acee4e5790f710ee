private import Glibc

/// Detects whether any program opens a file, invisibly to that program.
package struct OpenWatch {
  private let events: Descriptor

  package init(_ path: String) throws(SystemError) {
    events = try Descriptor(inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK)), from: "inotify_init1")
    guard inotify_add_watch(events.number, path, UInt32(IN_OPEN)) >= 0 else { throw SystemError("watch \(path)") }
  }

  /// Whether it was opened since the last call.
  package var wasOpened: Bool { !readSome(events.number).isEmpty }
}
