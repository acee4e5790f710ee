/// Where in an MP3 the moments are, when its frames are not alike. Pure.
///
/// What was read in line from the first sound on is counted, so every moment in it has its byte. Anywhere else the place
/// is a guess: by what the file says of itself, bent so that it agrees with everything that is known. A guess that was
/// once made stays: the frames behind it are counted from there, so that who listens there finds the same bytes again.
struct MP3Timeline: Sendable {
  let size: Int64
  /// In ticks, as announced: not to be known before all of it is here.
  let length: Int64
  /// The first one is exact, and begins with the sound; the last one is the latest guess.
  private(set) var lines: [MP3Line]
  /// Which of them is listened to.
  private var current = 0
  private let contents: [MP3Point]

  /// Further from the end than a few frames are long.
  private static let leastRest: Int64 = 16 << 10

  init(sound: Int64, size: Int64, length: Int64, contents: [MP3Point] = []) {
    self.size = size
    self.length = length
    lines = [MP3Line(from: MP3Point(tick: 0, byte: sound), isExact: true)]
    let inside = contents.filter { $0.tick > 0 && $0.tick < length && $0.byte > sound && $0.byte < size }
    self.contents = [MP3Point(tick: 0, byte: sound)] + inside + [MP3Point(tick: length, byte: size)]
  }

  // MARK: What is known

  /// The frame that sounds then, which is listened to from now on; nil where it is not here.
  mutating func listen(at tick: Int64, in bytes: @escaping BytesHere) -> MP3Point? {
    guard let (index, point) = find(tick, in: bytes) else { return nil }
    current = index
    return point
  }

  /// The byte that sounds at a moment that is only guessed; nil where the moment is right.
  mutating func guessed(at tick: Int64, in bytes: @escaping BytesHere) -> Int64? {
    guard let (index, point) = find(tick, in: bytes), !lines[index].isExact else { return nil }
    return point.byte
  }

  /// Who listens by a guess goes on by it, also where better is known by now: a step back is then a step back.
  private mutating func find(_ tick: Int64, in bytes: @escaping BytesHere) -> (index: Int, MP3Point)? {
    for index in [current, 0] + lines.indices.dropFirst().reversed() {
      if let point = lines[index].frame(at: tick, in: bytes) { return (index, point) }
    }
    return nil
  }

  /// The right moment of a byte.
  mutating func moment(of byte: Int64, in bytes: @escaping BytesHere) -> Int64? {
    lines[0].frame(with: byte, in: bytes)?.tick
  }

  // MARK: What is guessed

  /// About where a moment may be that is not here.
  func guess(_ tick: Int64) -> Int64 {
    let known = [contents[0], lines[0].last] + lines.dropFirst().flatMap { [$0.first, $0.last] } + [contents.last!]
    let below = known.filter { $0.tick <= tick }.max { $0.tick < $1.tick } ?? contents[0]
    let above = known.filter { $0.tick > tick && $0.byte > below.byte }.min { $0.tick < $1.tick } ?? contents.last!
    let (low, high) = (rough(below.tick), rough(above.tick))
    let share = high > low ? (rough(tick) - low) / (high - low) : 0
    let byte = below.byte + Int64(share * Double(above.byte - below.byte))
    return max(min(byte, size - Self.leastRest), lines[0].first.byte)
  }

  private func rough(_ tick: Int64) -> Double {
    let index = min(max(contents.firstIndex { $0.tick > tick } ?? contents.count - 1, 1), contents.count - 1)
    let (below, above) = (contents[index - 1], contents[index])
    let share = Double(tick - below.tick) / Double(max(1, above.tick - below.tick))
    return Double(below.byte) + share * Double(above.byte - below.byte)
  }

  /// A guess to go by, of today or of another day: what sounds at `point` stands in bytes that are here from `start` on.
  mutating func adopt(_ point: MP3Point, inRunFrom start: Int64, in bytes: @escaping BytesHere) {
    var walk = MP3Walk(from: point, bytes)
    guard let first = walk.firstFrame(from: max(start, lines[0].first.byte)), first <= point.byte else { return }
    var line = MP3Line(from: MP3Point(tick: 0, byte: first))
    guard let distance = line.frame(with: point.byte, in: bytes)?.tick else { return }
    lines.append(MP3Line(from: MP3Point(tick: point.tick - distance, byte: first)))
    current = lines.count - 1
  }
}
