private import Glibc
import PodcastModel
internal import System

/// Where the texts of a feed's episodes are put while it is read: one after the other in a few pieces of memory, and
/// those of a feed that has no end in a file.
final class TextArena {
  private var piece = TextMemory(size: 16 << 10)
  private var used = 0
  /// Of the pieces before.
  private var earlier = 0
  private var spool: Spool

  /// More than all but the longest archives have.
  private static let mostInMemory = 20 << 20

  init(spoolingTo folder: String = Spool.folder) { spool = Spool(in: folder) }

  /// The next place for so many bytes.
  func room(for count: Int) -> (TextMemory, Int) {
    // Nobody has any of the episodes before: they were handed on, and their room is free.
    if isKnownUniquelyReferenced(&piece) { used = 0 }
    if piece.size - used < count { openPiece(for: count) }
    defer { used += count }
    return (piece, used)
  }

  private func openPiece(for count: Int) {
    earlier += piece.size
    if earlier > Self.mostInMemory { spool.take(piece) }
    let page = Int(getpagesize())
    let needed = (count + page - 1) / page * page
    piece = TextMemory(size: max(needed, min(piece.size * 2, TextMemory.largeSize)))
    used = 0
  }
}

/// A file without a name, which is gone when nothing of it is in use any more.
struct Spool: ~Copyable {
  private let folder: String
  private var file: Int32 = -1
  private var end: Int64 = 0
  /// There is no such file here, or it is full.
  private var isRefused = false

  /// `O_TMPFILE`, a macro that Swift does not see.
  private static let withoutName = 0o20_000_000 | O_DIRECTORY

  /// A temporary folder of the disk: the usual one may be memory itself.
  static var folder: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/var/tmp" }

  init(in folder: String) { self.folder = folder }

  deinit {
    if file >= 0 { close(file) }
  }

  mutating func take(_ piece: TextMemory) {
    if file < 0, !isRefused { open() }
    guard !isRefused else { return }
    isRefused = !piece.move(to: file, at: end)
    end += Int64(piece.size)
  }

  private mutating func open() {
    file = Glibc.open(folder, Self.withoutName | O_RDWR | O_CLOEXEC, 0o600)
    isRefused = file < 0
  }
}
