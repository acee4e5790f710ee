private import Glibc
internal import System

/// Reading a backup, or another library that is not in use here, without writing beside it.
extension LibraryFile {
  /// Files with parts of a library that are not in its main file: the WAL, or a rollback journal.
  private static let sideFiles = ["-wal", "-journal"]
  /// The library, the WAL's index, and the side files.
  static let allFiles = ["", "-shm"] + sideFiles

  /// Opens `original` with all it holds. Where it has side files, a copy is made at this path and opened instead.
  func open(copyOf original: LibraryFile) throws(StoreError) -> Connection {
    if original.ownSideFiles.isEmpty { return try Connection(path: original.path, mode: .immutable) }
    return try open(privateCopyOf: original)
  }

  /// Copies `original` with its side files to this path, and opens the copy.
  func open(privateCopyOf original: LibraryFile) throws(StoreError) -> Connection {
    let sideFiles = original.ownSideFiles.filter { $0 != "-journal" || !original.namesSuperJournal }
    do throws(StoreError) {
      let state = original.state
      for suffix in [""] + sideFiles { try copy(original.path + suffix, to: path + suffix) }
      guard state == original.state else {
        throw StoreError(.busy(holder: nil), message: "it changed while it was read", about: original.path)
      }
      try leaveWAL()
      return try Connection(path: path, mode: .readWrite)
    } catch {
      throw error.code == .full ? error : StoreError(error, about: original.path)
    }
  }

  func removeAll() {
    for suffix in Self.allFiles { unlink(path + suffix) }
  }

  /// SQLite would also read a WAL that an older file of this name has left behind; the header says whether this file has one.
  private var ownSideFiles: [String] {
    Self.sideFiles.filter { suffix in
      (Files.size(of: path + suffix) ?? 0) > 0 && (suffix != "-wal" || header(18) == 2)
    }
  }

  /// A journal of a transaction over several databases names a file that SQLite would delete after it.
  private var namesSuperJournal: Bool {
    let journal = LibraryFile(path: path + "-journal")
    guard let size = journal.size, size >= 8 else { return false }
    return (0..<8).map { journal.header(size - 8 + $0) } == [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
  }

  private func header(_ offset: Int) -> UInt8? {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var byte: UInt8 = 0
    return pread(descriptor, &byte, 1, off_t(offset)) == 1 ? byte : nil
  }

  /// Inode, size and modification time of each file: it changes with every write.
  private var state: [Int] {
    ([""] + Self.sideFiles).flatMap { suffix in
      var information = stat()
      guard stat(path + suffix, &information) == 0 else { return [-1] }
      let time = withUnsafeBytes(of: information.st_mtim) { $0.map(Int.init) }
      return [Int(information.st_ino), Int(information.st_size)] + time
    }
  }

  private func copy(_ source: String, to target: String) throws(StoreError) {
    let input = Glibc.open(source, O_RDONLY | O_CLOEXEC)
    guard input >= 0 else { throw systemFailure() }
    defer { close(input) }
    unlink(target)
    let output = Glibc.open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard output >= 0 else { throw systemFailure() }
    defer { close(output) }
    while true {
      let count = sendfile(output, input, nil, 1 << 20)
      if count == 0 { return }
      guard count > 0 || errno == EINTR else { throw systemFailure() }
    }
  }
}

extension StoreError {
  fileprivate init(_ error: StoreError, about subject: String) {
    self = error
    self.subject = subject
  }
}
