private import Glibc

/// Reads a ZIP archive: its list of files, and each of them, stored or deflated. Archives over several disks, encrypted
/// files and those of 4 GB or more are refused. Names are labels only: nothing is written under them.
package struct ZipArchive: Sendable {
  /// One file of the archive.
  package struct Entry: Hashable, Sendable {
    package var name: String
    /// In bytes, unpacked, as the archive says.
    package var size: Int
    fileprivate var packedSize: Int
    fileprivate var method: Int
    fileprivate var flags: Int
    fileprivate var offset: Int
  }

  /// Why an archive or a file in it cannot be read.
  package struct Problem: Error, Hashable, Sendable {
    package var message: String
    /// The disk is full.
    package var isFull = false

    package init(message: String, isFull: Bool = false) {
      self.message = message
      self.isFull = isFull
    }
  }

  package let entries: [Entry]
  private let path: String

  /// Reads the list of the archive at `path`.
  package init(path: String) throws(Problem) {
    self.path = path
    let file = try File(path)
    let tailSize = min(file.size, 22 + 0xFFFF)
    let tail = try file.bytes(at: file.size - tailSize, count: tailSize)
    guard
      let end = stride(from: tailSize - 22, through: 0, by: -1).first(where: { tail.number(4, at: $0) == 0x0605_4b50 })
    else { throw Problem(message: "it ends in the middle, or is no ZIP archive") }
    let count = tail.number(2, at: end + 10)
    let list = try file.bytes(at: tail.number(4, at: end + 16), count: tail.number(4, at: end + 12))
    entries = try Self.entries(list, count: count)
  }

  private static let mostEntries = 100_000

  private static func entries(_ list: [UInt8], count: Int) throws(Problem) -> [Entry] {
    var entries: [Entry] = []
    var index = 0
    while entries.count < min(count, mostEntries) {
      guard list.number(4, at: index) == 0x0201_4b50 else { throw Problem(message: "its list of files is damaged") }
      let nameSize = list.number(2, at: index + 28)
      guard index + 46 + nameSize <= list.count else { throw Problem(message: "its list of files is damaged") }
      entries.append(
        Entry(
          name: String(decoding: list[(index + 46)..<(index + 46 + nameSize)], as: UTF8.self),
          size: list.number(4, at: index + 24), packedSize: list.number(4, at: index + 20),
          method: list.number(2, at: index + 10), flags: list.number(2, at: index + 8),
          offset: list.number(4, at: index + 42)))
      index += 46 + nameSize + list.number(2, at: index + 30) + list.number(2, at: index + 32)
    }
    return entries
  }

  /// Unpacks one file to `target`, which must not exist. Never writes more than the archive says.
  package func extract(_ entry: Entry, to target: String) throws(Problem) {
    guard entry.flags & 1 == 0 else { throw Problem(message: "\(entry.name) is encrypted") }
    guard entry.method == 0 || entry.method == 8 else {
      throw Problem(message: "\(entry.name) is packed in an unknown way")
    }
    let source = try File(path)
    let head = try source.bytes(at: entry.offset, count: 30)
    guard head.number(4, at: 0) == 0x0403_4b50 else {
      throw Problem(message: "\(entry.name) is not where the list says")
    }
    let start = entry.offset + 30 + head.number(2, at: 26) + head.number(2, at: 28)
    let output = try Output(target, limit: entry.size)
    let inflation = Inflation(.bare)
    var done = 0
    while done < entry.packedSize {
      let piece = try source.bytes(at: start + done, count: min(64 << 10, entry.packedSize - done))
      done += piece.count
      do throws(TransferError) {
        _ = try piece.withUnsafeBufferPointer { buffer throws(TransferError) -> Bool in
          let bytes = UnsafeRawBufferPointer(buffer)
          return try entry.method == 0 ? output.write(bytes) : inflation.take(bytes) { output.write($0) }
        }
      } catch {
        throw Problem(message: "\(entry.name) is damaged")
      }
      if let problem = output.problem {
        throw Problem(message: "\(entry.name): \(problem.message)", isFull: problem.isFull)
      }
    }
    guard output.count == entry.size else { throw Problem(message: "\(entry.name) is damaged") }
  }

  // MARK: Files

  private final class File {
    let size: Int
    private let descriptor: Int32

    init(_ path: String) throws(Problem) {
      descriptor = open(path, O_RDONLY | O_CLOEXEC)
      var information = stat()
      guard descriptor >= 0, fstat(descriptor, &information) == 0 else {
        throw Problem(message: String(cString: strerror(errno)))
      }
      size = Int(information.st_size)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func bytes(at offset: Int, count: Int) throws(Problem) -> [UInt8] {
      guard offset >= 0, count >= 0, offset + count <= size else { throw Problem(message: "it is cut off") }
      var filled = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        while filled < count {
          let got = pread(descriptor, buffer.baseAddress! + filled, count - filled, off_t(offset + filled))
          if got < 0, errno == EINTR { continue }
          guard got > 0 else { break }
          filled += got
        }
        initialized = filled
      }
      guard filled == count else { throw Problem(message: "it cannot be read") }
      return bytes
    }
  }

  private final class Output {
    private(set) var count = 0
    private(set) var problem: Problem?
    private let limit: Int
    private let descriptor: Int32

    init(_ path: String, limit: Int) throws(Problem) {
      self.limit = limit
      descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else {
        throw Problem(message: String(cString: strerror(errno)), isFull: errno == ENOSPC)
      }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Takes the bytes in any case; after a problem nothing is written any more.
    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
      count += bytes.count
      if count > limit { problem = problem ?? Problem(message: "it holds more than it says") }
      var rest = bytes
      while problem == nil, !rest.isEmpty {
        let written = Glibc.write(descriptor, rest.baseAddress, rest.count)
        if written < 0, errno == EINTR { continue }
        guard written > 0 else {
          problem = Problem(message: String(cString: strerror(errno)), isFull: errno == ENOSPC || errno == EDQUOT)
          break
        }
        rest = UnsafeRawBufferPointer(rebasing: rest[written...])
      }
      return true
    }
  }
}

extension [UInt8] {
  /// A little-endian number of so many bytes; 0 beyond the end.
  fileprivate func number(_ size: Int, at index: Int) -> Int {
    guard index >= 0, index + size <= count else { return 0 }
    return (0..<size).reduce(0) { $0 | Int(self[index + $1]) << (8 * $1) }
  }
}
