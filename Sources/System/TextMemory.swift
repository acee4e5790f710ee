private import Glibc

/// A piece of memory that many values share, freed with the last of them.
///
/// `@unchecked Sendable`: a byte is written only before a value that includes it is handed out, and the block is moved to a
/// file only by the thread that still fills others.
package final class TextMemory: @unchecked Sendable {
  package let start: UnsafeMutableRawPointer
  package let size: Int
  /// Set before other threads know the memory.
  private var isInFile = false

  /// The size of a huge page: the system maps one faster than five hundred small pages.
  package static let largeSize = 2 << 20
  private var isMapped: Bool { size >= Self.largeSize }

  package init(size: Int) {
    self.size = size
    start = size >= Self.largeSize ? Self.mapped(size) : .allocate(byteCount: size, alignment: 16)
  }

  deinit {
    if isMapped { munmap(start, size) } else { start.deallocate() }
  }

  private static func mapped(_ size: Int) -> UnsafeMutableRawPointer {
    let room = mmap(nil, size + largeSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let room, room != MAP_FAILED else { fatalError("there is no memory left") }
    let start = room.alignedUp(toMultipleOf: largeSize)
    if start > room { munmap(room, start - room) }
    let end = (start + size).alignedUp(toMultipleOf: Int(getpagesize()))
    munmap(end, room + size + largeSize - end)
    madvise(start, size, MADV_HUGEPAGE)
    return start
  }

  /// Writes the bytes to a file and maps the file in their stead. False when they cannot be written; nothing has
  /// changed then.
  package func move(to file: Int32, at offset: Int64) -> Bool {
    guard isMapped else { return false }
    var written = 0
    while written < size {
      let count = pwrite(file, start + written, size - written, off_t(offset) + off_t(written))
      guard count > 0 else { return false }
      written += count
    }
    isInFile = mmap(start, size, PROT_READ, MAP_PRIVATE | MAP_FIXED, file, off_t(offset)) == start
    return isInFile
  }

  /// Gives up the memory of bytes that are in a file; whatever reads them again brings them back.
  package func letGo() {
    if isInFile { madvise(start, size, MADV_DONTNEED) }
  }
}
