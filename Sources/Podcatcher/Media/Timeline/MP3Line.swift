/// A time in a file of MP3 frames, and the first byte of the frame that sounds then.
struct MP3Point: Hashable, Sendable {
  /// Counted from the first sound, in units of which every frame has a whole number.
  var tick: Int64
  var byte: Int64

  static let ticksPerSecond: Int64 = 14_112_000
}

extension MP3Frame {
  var ticks: Int64 { Int64(samples) * (MP3Point.ticksPerSecond / Int64(sampleRate)) }
}

/// Frames counted one after the other from a first one: if its tick is exact, all are. It grows as its bytes come.
struct MP3Line: Sendable {
  /// Its ticks are exact, not estimated.
  let isExact: Bool
  /// In order, from the first one on, so that nothing is counted twice.
  private(set) var marks: [MP3Point]

  private static let spacing: Int64 = 64 << 10

  init(from first: MP3Point, isExact: Bool = false) {
    self.isExact = isExact
    marks = [first]
  }

  var first: MP3Point { marks[0] }
  var last: MP3Point { marks[marks.count - 1] }

  /// The one that sounds then; nil where it is not here.
  mutating func frame(at tick: Int64, in bytes: @escaping PresentBytes) -> MP3Point? {
    let mark = marks.firstIndex { $0.tick > tick } ?? marks.count
    return mark > 0 ? walk(from: marks[mark - 1], bytes) { $0.tick > tick } : nil
  }

  /// The one that this byte is of.
  mutating func frame(with byte: Int64, in bytes: @escaping PresentBytes) -> MP3Point? {
    let mark = marks.firstIndex { $0.byte > byte } ?? marks.count
    return mark > 0 ? walk(from: marks[mark - 1], bytes) { $0.byte > byte } : nil
  }

  private mutating func walk(
    from mark: MP3Point, _ bytes: @escaping PresentBytes, until isBehind: (MP3Point) -> Bool
  ) -> MP3Point? {
    var walk = MP3Walk(from: mark, bytes)
    while let next = walk.next() {
      if isBehind(next) { return walk.point }
      walk.point = next
      if next.byte - last.byte >= Self.spacing { marks.append(next) }
    }
    return nil
  }
}

/// Goes from frame to frame, through bytes that are read as they are needed.
struct MP3Walk {
  var point: MP3Point
  private let read: PresentBytes
  private var window: [UInt8] = []
  private var windowStart: Int64 = 0

  private static let windowSize = 128 << 10
  /// How many bytes may lie between two frames: pictures and titles, where files were joined.
  private static let longestJunk: Int64 = 1 << 20
  /// Fewer in a row may be chance.
  private static let enoughInLine = 3

  init(from point: MP3Point, _ read: @escaping PresentBytes) {
    self.point = point
    self.read = read
  }

  /// The frame at this point; nil where it is not here.
  mutating func frame() -> MP3Frame? { frame(at: point.byte) }

  /// The frame behind this one; nil where it is not here.
  mutating func next() -> MP3Point? {
    guard let frame = frame(at: point.byte) else { return nil }
    let end = point.byte + Int64(frame.length)
    guard let byte = self.frame(at: end) == nil ? firstFrame(from: end) : end else { return nil }
    return MP3Point(tick: point.tick + frame.ticks, byte: byte)
  }

  /// The first byte from there on at which several frames follow one another.
  mutating func firstFrame(from start: Int64) -> Int64? {
    for byte in start..<start + Self.longestJunk {
      if isFollowed(byte) { return byte }
      guard isHere(byte) else { return nil }
    }
    return nil
  }

  private mutating func isFollowed(_ byte: Int64) -> Bool {
    var byte = byte
    for _ in 0..<Self.enoughInLine {
      guard let frame = frame(at: byte) else { return false }
      byte += Int64(frame.length)
    }
    return true
  }

  private mutating func frame(at byte: Int64) -> MP3Frame? {
    isHere(byte) ? MP3Frame(window, at: Int(byte - windowStart)) : nil
  }

  /// With the three bytes behind it.
  private mutating func isHere(_ byte: Int64) -> Bool {
    if byte < windowStart || byte + 4 > windowStart + Int64(window.count) {
      window = read(byte, Self.windowSize)
      windowStart = byte
    }
    return window.count >= 4
  }
}
