/// The bytes around a reader, where there is no file to fill. Pure.
struct MemoryWindow: Sendable {
  private var bytes: [UInt8] = []
  private var start: Int64 = 0

  /// More than this is not fetched ahead of the reader.
  static let size: Int64 = 2 << 20

  /// The bytes that can be read.
  var map: RangeMap { RangeMap([start..<start + Int64(bytes.count)]) }

  /// Bytes from elsewhere than the window's end replace it. Those before `reader` are dropped.
  mutating func append(_ more: [UInt8], at offset: Int64, keepingFrom reader: Int64) {
    if offset != start + Int64(bytes.count) { (bytes, start) = ([], offset) }
    bytes += more
    let dropped = min(max(0, reader - start), Int64(bytes.count))
    bytes.removeFirst(Int(dropped))
    start += dropped
  }

  /// Nil when the byte at `offset` is not here.
  func read(into target: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int? {
    guard offset >= start, offset - start < Int64(bytes.count) else { return nil }
    let found = bytes[Int(offset - start)...].prefix(target.count)
    target.copyBytes(from: found)
    return found.count
  }
}
