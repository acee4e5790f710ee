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

/// How long to wait before the next try, doubling; nil once two minutes were spent waiting.
struct RetrySchedule: Hashable, Sendable {
  private var pause = Duration.milliseconds(250)
  private var waited = Duration.zero

  private static let longest = Duration.seconds(8)
  /// How long a network may be away, unless the user has set it otherwise.
  static let patience = Duration.seconds(120)
  private let patience: Duration

  init(patience: Duration = Self.patience) { self.patience = patience }

  mutating func next() -> Duration? {
    guard waited < patience else { return nil }
    defer {
      waited += pause
      pause = min(pause * 2, Self.longest)
    }
    return pause
  }
}
