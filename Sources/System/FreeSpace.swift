private import Glibc

/// The bytes of a file system that this user may still write; nil where they cannot be told.
package enum FreeSpace {
  /// On the file system of a path.
  package static func at(_ path: String) -> Int64? {
    var information = statvfs()
    return statvfs(path, &information) == 0 ? available(information) : nil
  }

  /// On the file system of an open file.
  package static func around(_ descriptor: Int32) -> Int64? {
    var information = statvfs()
    return fstatvfs(descriptor, &information) == 0 ? available(information) : nil
  }

  private static func available(_ information: statvfs) -> Int64? {
    // A file system that tells no size, as some in user space do.
    guard information.f_blocks > 0 else { return nil }
    let bytes = Int64(clamping: information.f_bavail).multipliedReportingOverflow(by: Int64(information.f_frsize))
    return bytes.overflow ? .max : bytes.partialValue
  }
}
