/// The bytes for one client that its socket has not taken yet. A slow reader loses ticks, which the next one makes up
/// for, and never a change or an answer. Pure.
struct Outbox {
  /// A client that leaves more than this unread is gone for good.
  static let limit = 256 << 10

  private var bytes: [UInt8] = []
  private var start = 0
  private var tick: [UInt8]?

  var isEmpty: Bool { start == bytes.count && tick == nil }

  /// False when the client has left too much unread.
  mutating func add(_ line: [UInt8]) -> Bool {
    // The line is newer than the tick.
    tick = nil
    guard bytes.count - start + line.count <= Self.limit else { return false }
    bytes += line
    return true
  }

  mutating func addTick(_ line: [UInt8]) { tick = line }

  /// Hands the bytes on in order, until `write` takes less than it is given. It returns nil when nothing more can be
  /// written at all; then this returns false.
  mutating func drain(_ write: (UnsafeRawBufferPointer) -> Int?) -> Bool {
    while true {
      if start == bytes.count {
        guard let tick else { break }
        (bytes, start, self.tick) = (tick, 0, nil)
      }
      let count = bytes.withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[start...])) }
      guard let count else { return false }
      start += count
      if start < bytes.count { return true }
    }
    (bytes, start) = ([], 0)
    return true
  }
}
