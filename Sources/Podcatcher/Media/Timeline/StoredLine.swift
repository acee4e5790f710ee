private import Glibc
internal import PodcastStore
private import Synchronization

/// The times and bytes of a whole MP3 on this machine, whose frames are not alike: with a position goes its byte, which
/// finds it again when the file is gone and streamed anew.
final class StoredLine: Sendable {
  private let path: String
  private let size: Int64
  private let lead: Int64
  private let line: Mutex<MP3Line>

  private static let countedAtOnce: Int64 = 16 << 20

  init(_ layout: MP3Layout, path: String, size: Int64) {
    self.path = path
    self.size = size
    lead = layout.lead
    line = Mutex(MP3Line(from: MP3Point(tick: 0, byte: layout.sound), isExact: true))
  }

  /// The time at which a byte sounds.
  func position(of byte: Int64) -> Duration? {
    reading { line, bytes in line.frame(with: byte, in: bytes) }.map { Duration(ticks: max(0, $0.tick - lead)) }
  }

  /// The byte that sounds at `position`; nil until the frames up to it are counted, some at each call: a save does not
  /// wait for a hundred megabytes.
  func heardByte(at position: Duration) async -> HeardByte? {
    await BlockingWork.run { [self] in
      reading { [lead] line, bytes in
        let limit = line.last.byte + Self.countedAtOnce
        return line.frame(at: position.ticks + lead) { offset, count in offset > limit ? [] : bytes(offset, count) }
      }
      .map { HeardByte(offset: $0.byte, fileSize: size, isExact: true) }
    }
  }

  private func reading(_ find: (inout MP3Line, @escaping PresentBytes) -> MP3Point?) -> MP3Point? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return line.withLock { find(&$0) { MP3Layout.bytes(of: file, $0, $1) } }
  }
}
