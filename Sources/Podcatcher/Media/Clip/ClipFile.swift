private import Glibc
internal import System

/// The destination of a clip while it is written. Where the file system allows it, a file has no name before it is whole, so
/// that a kill leaves neither half a clip nor a draft behind; elsewhere it leaves a draft.
struct ClipFile: ~Copyable {
  private let target: ClipTarget
  private let descriptor: Int32
  /// Nil where the draft has no name.
  private let draft: String?
  private(set) var size: Int64 = 0

  init(_ target: ClipTarget) throws(ClipError) {
    self.target = target
    (descriptor, draft) = try Self.open(target)
  }

  deinit {
    close(descriptor)
    if let draft { unlink(draft) }
  }

  /// Where another library can write the clip: nil where that is no file.
  var path: String? {
    guard case .file = target, isRegular else { return nil }
    return draft ?? "/proc/self/fd/\(descriptor)"
  }

  mutating func write(_ bytes: [UInt8]) throws(ClipError) {
    guard Files.write(bytes, to: descriptor) else { throw Self.error(target.path) }
    size += Int64(bytes.count)
  }

  /// Gives the whole file its name.
  mutating func finish() throws(ClipError) {
    guard case .file(let path, let replaces) = target, isRegular else { return }
    var information = stat()
    guard fsync(descriptor) == 0, fstat(descriptor, &information) == 0 else { throw Self.error(path) }
    size = Int64(information.st_size)
    guard Self.link(descriptor, draft, as: path) else {
      if let draft, [EPERM, EOPNOTSUPP, ENOSYS].contains(errno) {
        return try Self.move(draft, to: path, replaces: replaces)
      }
      guard errno == EEXIST else { throw Self.error(path) }
      guard replaces else { throw .exists(path) }
      let other = Self.draftName(of: path) + ".new"
      unlink(other)
      guard Self.link(descriptor, draft, as: other) else { throw Self.error(path) }
      guard rename(other, path) == 0 else {
        defer { unlink(other) }
        throw Self.error(path)
      }
      return
    }
  }

  /// Where a file has one name only, as on FAT. Two programs that choose the same name at the same moment are not told apart.
  private static func move(_ draft: String, to path: String, replaces: Bool) throws(ClipError) {
    guard replaces || access(path, F_OK) != 0 else { throw .exists(path) }
    guard Glibc.rename(draft, path) == 0 else { throw error(path) }
  }

  private var isRegular: Bool {
    var information = stat()
    return fstat(descriptor, &information) == 0 && information.st_mode & S_IFMT == S_IFREG
  }

  private static func link(_ descriptor: Int32, _ draft: String?, as path: String) -> Bool {
    if let draft { return Glibc.link(draft, path) == 0 }
    return linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0
  }

  private static func draftName(of path: String) -> String { "\(path).\(getpid()).part" }

  // MARK: Opening

  private static func open(_ target: ClipTarget) throws(ClipError) -> (Int32, draft: String?) {
    switch target {
    case .descriptor(let number):
      let copy = dup(number)
      guard copy >= 0 else { throw error("-") }
      return (copy, nil)
    case .file(let path, _):
      if let device = try openDevice(path) { return (device, nil) }
      let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
      // Without /proc a file with no name can neither be opened again nor get one.
      if access("/proc/self/fd", F_OK) == 0 {
        let nameless = Glibc.open(folder, O_RDWR | temporary | O_CLOEXEC, 0o666)
        if nameless >= 0 { return (nameless, nil) }
        guard [EOPNOTSUPP, EISDIR, EINVAL].contains(errno) else { throw error(path) }
      }
      let draft = draftName(of: path)
      unlink(draft)
      let file = Glibc.open(draft, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
      guard file >= 0 else { throw error(path) }
      return (file, draft)
    }
  }

  /// `O_TMPFILE`, which is a macro.
  private static let temporary: Int32 = 0o20000000 | O_DIRECTORY

  /// A pipe or a device is written as it is; nil for a file, or for nothing.
  private static func openDevice(_ path: String) throws(ClipError) -> Int32? {
    var information = stat()
    guard stat(path, &information) == 0, information.st_mode & S_IFMT != S_IFREG else { return nil }
    guard information.st_mode & S_IFMT != S_IFDIR else { throw .file(path, String(cString: strerror(EISDIR))) }
    let device = Glibc.open(path, O_WRONLY | O_CLOEXEC)
    guard device >= 0 else { throw error(path) }
    return device
  }

  private static func error(_ path: String) -> ClipError {
    switch errno {
    case ENOSPC, EDQUOT, EFBIG: .diskFull(path)
    case EPIPE: .closedPipe
    default: .file(path, String(cString: strerror(errno)))
    }
  }
}
