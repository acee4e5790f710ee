private import Glibc

/// Notices whether any program opens a file, without a way for that program to know.
package struct OpenWatch {
  private let events: Descriptor

  package init(_ path: String) throws(SystemError) {
    events = try Descriptor(inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK)), from: "inotify_init1")
    guard inotify_add_watch(events.number, path, UInt32(IN_OPEN)) >= 0 else { throw SystemError("watch \(path)") }
  }

  /// Since the last time this was asked.
  package var wasOpened: Bool { !readSome(events.number).isEmpty }
}
