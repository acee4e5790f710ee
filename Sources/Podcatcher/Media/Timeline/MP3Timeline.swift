/// Maps times to bytes in an MP3 whose frames are not alike. Pure.
///
/// The frames that were read in line from the first sound on are counted, so every tick in them has its byte. Elsewhere the
/// byte is an estimate: from the file's own table of contents, scaled so that it agrees with every known point. An estimate
/// that was once made stays: the frames behind it are counted from there, so that the same time finds the same bytes again.
struct MP3Timeline: Sendable {
  let size: Int64
  /// In ticks, as announced: the true length is known only once all of it is here.
  let length: Int64
  /// The first one is exact, and begins with the sound; the last one is the latest estimate.
  private(set) var lines: [MP3Line]
  /// The index of the line that is listened to.
  private var current = 0
  private let contents: [MP3Point]
  /// A byte of an earlier session with its tick, whose bytes before it may be gone.
  private(set) var anchor: (point: MP3Point, isExact: Bool)?

  /// An estimate keeps this distance from the end: a few frames.
  private static let leastRest: Int64 = 16 << 10

  init(sound: Int64, size: Int64, length: Int64, contents: [MP3Point] = []) {
    self.size = size
    self.length = length
    lines = [MP3Line(from: MP3Point(tick: 0, byte: sound), isExact: true)]
    let inside = contents.filter { $0.tick > 0 && $0.tick < length && $0.byte > sound && $0.byte < size }
    self.contents = [MP3Point(tick: 0, byte: sound)] + inside + [MP3Point(tick: length, byte: size)]
  }

  // MARK: Exact

  /// The frame that sounds then, which is listened to from now on; nil where it is not here.
  mutating func listen(at tick: Int64, in bytes: @escaping PresentBytes) -> MP3Point? {
    guard let (index, point) = find(tick, in: bytes) else { return nil }
    current = index
    return point
  }

  /// The byte that sounds at `tick`, and whether the tick is exact.
  mutating func heardByte(at tick: Int64, in bytes: @escaping PresentBytes) -> (byte: Int64, isExact: Bool)? {
    find(tick, in: bytes).map { ($0.1.byte, lines[$0.index].isExact) }
  }

  /// An estimate that is listened to stays in use, also where the true time is known by now: a step back is then a step back.
  private mutating func find(_ tick: Int64, in bytes: @escaping PresentBytes) -> (index: Int, MP3Point)? {
    for index in [current, 0] + lines.indices.dropFirst().reversed() {
      if let point = lines[index].frame(at: tick, in: bytes) { return (index, point) }
    }
    return nil
  }

  /// The exact tick of a byte.
  mutating func tick(of byte: Int64, in bytes: @escaping PresentBytes) -> Int64? {
    lines[0].frame(with: byte, in: bytes)?.tick
  }

  // MARK: Estimated

  /// The estimated byte of a tick whose frame is not here.
  func estimate(_ tick: Int64) -> Int64 {
    let known =
      [contents[0], lines[0].last] + lines.dropFirst().flatMap { [$0.first, $0.last] } + [contents.last!]
      + [anchor?.point].compactMap(\.self)
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

  /// Keeps a byte whose tick is known from an earlier session.
  mutating func setAnchor(_ point: MP3Point, isExact: Bool) { anchor = (point, isExact) }

  /// The kept byte, if the tick is so near to it that the frames between are worth fetching.
  func anchor(near tick: Int64) -> (point: MP3Point, isExact: Bool)? {
    anchor.flatMap { abs($0.point.tick - tick) <= Self.nearness ? $0 : nil }
  }

  /// A resume goes back a quarter of a minute at most.
  private static let nearness = 60 * MP3Point.ticksPerSecond

  /// Adopts an estimate, or a byte whose tick is known: the bytes from `start` on are here and contain `point`.
  mutating func adopt(
    _ point: MP3Point, isExact: Bool = false, inRunFrom start: Int64, in bytes: @escaping PresentBytes
  ) {
    var walk = MP3Walk(from: point, bytes)
    guard let first = walk.firstFrame(from: max(start, lines[0].first.byte)), first <= point.byte else { return }
    var line = MP3Line(from: MP3Point(tick: 0, byte: first))
    guard let distance = line.frame(with: point.byte, in: bytes)?.tick else { return }
    lines.append(MP3Line(from: MP3Point(tick: point.tick - distance, byte: first), isExact: isExact))
    current = lines.count - 1
  }
}
