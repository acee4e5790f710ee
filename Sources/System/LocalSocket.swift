private import Glibc

/// Stream sockets in the file system, for processes of one user. Descriptors never block.
///
/// The name may be longer than the 107 bytes that the kernel's address has room for: it is then reached through
/// `/proc/self/fd`, where there is a `/proc`.
package enum LocalSocket {
  /// A socket that accepts connections, and the file that it made.
  package struct Listening: Sendable {
    /// To be closed by its owner.
    package let descriptor: Int32
    private let path: String
    private let device: dev_t
    private let inode: ino_t

    fileprivate init?(_ descriptor: Int32, _ path: String) {
      var file = stat()
      guard lstat(path, &file) == 0 else { return nil }
      (self.descriptor, self.path, device, inode) = (descriptor, path, file.st_dev, file.st_ino)
    }

    /// Removes the file, unless another socket has taken its place.
    package func removeFile() {
      var file = stat()
      if lstat(path, &file) == 0, file.st_dev == device, file.st_ino == inode { unlink(path) }
    }
  }

  /// Listens at a path whose folder must be this user's alone. A socket that is there is replaced: the caller knows that
  /// its process is gone. Anything else there stays. Nil, with `errno`, when that cannot be done.
  package static func listen(at path: String) -> Listening? {
    guard Files.makePrivateFolder(folder(of: path)), removeOld(path), let descriptor = make() else { return nil }
    // Before `bind`, which makes the file: no moment is left in which others could connect.
    if fchmod(descriptor, 0o600) == 0, withAddress(of: path, { bind(descriptor, $0, $1) }) == 0,
      Glibc.listen(descriptor, 64) == 0, let listening = Listening(descriptor, path)
    {
      return listening
    }
    let reason = errno
    close(descriptor)
    errno = reason
    return nil
  }

  /// Nil, with `errno`, when nothing listens there, or when its process is not this user's.
  package static func connect(to path: String) -> Int32? {
    guard let descriptor = make() else { return nil }
    if withAddress(of: path, { Glibc.connect(descriptor, $0, $1) }) == 0, isOurs(descriptor) { return descriptor }
    let reason = errno
    close(descriptor)
    errno = reason
    return nil
  }

  /// The next connection that waits; nil, with `errno`, when there is none. One from another user is closed.
  package static func accept(on descriptor: Int32) -> Int32? {
    while true {
      let connection = Glibc.accept(descriptor, nil, nil)
      guard connection >= 0 else { return nil }
      _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
      _ = fcntl(connection, F_SETFL, O_NONBLOCK)
      if isOurs(connection) { return connection }
      close(connection)
    }
  }

  /// Whether a socket's file is there, alive or not.
  package static func isThere(_ path: String) -> Bool {
    var file = stat()
    return lstat(path, &file) == 0 && file.st_mode & S_IFMT == S_IFSOCK
  }

  private static func make() -> Int32? {
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let descriptor = socket(AF_UNIX, Int32(kind), 0)
    return descriptor >= 0 ? descriptor : nil
  }

  /// The process at the other end is this user's. The kernel's `ucred` (process, user, group) is hidden from Swift.
  private static func isOurs(_ descriptor: Int32) -> Bool {
    var credentials: (pid: Int32, user: UInt32, group: UInt32) = (0, .max, .max)
    var size = socklen_t(MemoryLayout.size(ofValue: credentials))
    let code = getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size)
    if code == 0, credentials.user == geteuid() { return true }
    errno = EACCES
    return false
  }

  // MARK: The file

  private static func removeOld(_ path: String) -> Bool {
    var file = stat()
    guard lstat(path, &file) == 0 else { return errno == ENOENT }
    guard file.st_mode & S_IFMT == S_IFSOCK, file.st_uid == geteuid() else {
      errno = EEXIST
      return false
    }
    return unlink(path) == 0
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }

  private static func withAddress(
    of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    guard path.utf8.count >= MemoryLayout.size(ofValue: address.sun_path) else {
      return call(body, &address, path)
    }
    let folder = open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return -1 }
    defer { close(folder) }
    let name = path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...]
    return call(body, &address, "/proc/self/fd/\(folder)/\(name)")
  }

  private static func call(
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32, _ address: inout sockaddr_un, _ path: String
  ) -> Int32 {
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      errno = ENAMETOOLONG
      return -1
    }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
