private import Glibc

/// A growing buffer of bytes that is reused for the next text.
struct TextBuffer: ~Copyable {
  private var start: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int) {
    start = Self.memory(nil, capacity)
    self.capacity = capacity
  }

  deinit { free(start) }

  var isEmpty: Bool { count == 0 }

  /// Valid until the next change.
  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

  @inline(__always)
  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let source = bytes.baseAddress, !bytes.isEmpty else { return }
    if bytes.count > capacity &- count { grow(for: bytes.count) }
    (start + count).initialize(from: source, count: bytes.count)
    count &+= bytes.count
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    if count == capacity { grow(for: 1) }
    start[count] = byte
    count &+= 1
  }

  mutating func append(contentsOf bytes: some Sequence<UInt8>) {
    for byte in bytes { append(byte) }
  }

  mutating func append(_ text: StaticString) {
    append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func removeAll() { count = 0 }

  mutating func removeLast(to newCount: Int) { count = min(count, max(0, newCount)) }

  private mutating func grow(for more: Int) {
    capacity = max(capacity * 2, count + more)
    start = Self.memory(start, capacity)
  }

  /// `realloc` moves a long text by remapping its pages, so it is never in memory twice.
  private static func memory(_ old: UnsafeMutablePointer<UInt8>?, _ capacity: Int) -> UnsafeMutablePointer<UInt8> {
    guard let memory = realloc(old, max(1, capacity)) else { fatalError("there is no memory left") }
    return memory.assumingMemoryBound(to: UInt8.self)
  }
}
