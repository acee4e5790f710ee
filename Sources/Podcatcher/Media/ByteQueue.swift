/// First in, first out, without moving what is left at every step.
struct ByteQueue {
  private var bytes: [UInt8] = []
  private var start = 0

  var count: Int { bytes.count - start }

  mutating func append(_ more: UnsafeRawBufferPointer) { bytes.append(contentsOf: more) }

  mutating func take(into target: UnsafeMutableRawBufferPointer) -> Int {
    let taken = min(count, target.count)
    bytes.withUnsafeBytes { source in
      target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[start..<start + taken]))
    }
    drop(taken)
    return taken
  }

  mutating func drop(_ number: Int) {
    start += min(number, count)
    guard start > bytes.count / 2 else { return }
    bytes.removeFirst(start)
    start = 0
  }
}
