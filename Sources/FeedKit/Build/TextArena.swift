private import Glibc
import PodcastModel
internal import System

/// Gives out the memory for the texts of a feed's episodes: consecutive stretches of a few large blocks.
/// The blocks of an endless feed are moved to a file.
final class TextArena {
  private var block = TextMemory(size: 16 << 10)
  private var used = 0
  /// The bytes of the earlier blocks.
  private var earlier = 0
  private var spool: Spool

  /// From this size on, full blocks are moved to the file. Only the longest archives get there.
  private static let mostInMemory = 20 << 20

  init(spoolingTo folder: String = Spool.folder) { spool = Spool(in: folder) }

  /// The block and the offset of the next free `count` bytes.
  func room(for count: Int) -> (TextMemory, Int) {
    if block.size - used < count { openBlock(for: count) }
    defer { used += count }
    return (block, used)
  }

  private func openBlock(for count: Int) {
    earlier += block.size
    if earlier > Self.mostInMemory { spool.take(block) }
    let page = Int(getpagesize())
    let needed = (count + page - 1) / page * page
    block = TextMemory(size: max(needed, min(block.size * 2, TextMemory.largeSize)))
    used = 0
  }
}

/// An unnamed temporary file. The kernel frees it with the last mapping.
struct Spool: ~Copyable {
  private let folder: String
  private var file: Int32 = -1
  private var end: Int64 = 0
  /// True when the file cannot be made, or is full: then everything stays in memory.
  private var isRefused = false

  /// `O_TMPFILE`, a macro that Swift does not import.
  private static let withoutName = 0o20_000_000 | O_DIRECTORY

  /// A temporary folder on disk: `/tmp` may be memory itself.
  static var folder: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/var/tmp" }

  init(in folder: String) { self.folder = folder }

  deinit {
    if file >= 0 { close(file) }
  }

  mutating func take(_ block: TextMemory) {
    if file < 0, !isRefused { open() }
    guard !isRefused else { return }
    isRefused = !block.move(to: file, at: end)
    end += Int64(block.size)
  }

  private mutating func open() {
    file = Glibc.open(folder, Self.withoutName | O_RDWR | O_CLOEXEC, 0o600)
    isRefused = file < 0
  }
}
