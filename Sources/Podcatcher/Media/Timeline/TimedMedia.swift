internal import Playback
internal import PodcastModel
internal import PodcastStore
private import Synchronization
internal import System

/// An MP3 whose frames are not alike, shown to the engine as one in which they are.
///
/// In such a file the engine goes to a position by proportion, without reading the bytes before. So it is shown a file in
/// which every tick of time is a megabyte long: at a tick's address begins the rest of the real file from that tick on.
/// The timeline knows or estimates its first byte.
final class TimedMedia: ReportingSource {
  private let media: StreamedMedia
  private let timeline: Mutex<MP3Timeline>
  let head: MP3Head
  /// Nil where the file does not tell it.
  let toldLength: Duration?

  init(_ media: StreamedMedia, _ timeline: MP3Timeline, _ head: MP3Head, toldLength: Duration? = nil) {
    self.media = media
    self.toldLength = toldLength
    self.timeline = Mutex(timeline)
    self.head = head
  }

  var fault: MediaFault? { media.fault }
  var wasReadToItsEnd: Bool { media.wasReadToItsEnd }
  var isSizeUntold: Bool { media.isSizeUntold }
  var unprovenSize: Int64? { media.unprovenSize }
  var download: Download? { media.download }
  func close() async { await media.close() }

  func open() -> (any ByteStream)? {
    media.open().map { TimedStream(self, $0) }
  }

  /// The byte that sounds at `position`; nil where it is not here.
  func heardByte(at position: Duration) async -> HeardByte? {
    await BlockingWork.run { [self] in
      timeline.withLock { timeline in
        timeline.heardByte(at: head.tick(of: position), in: media.fill.present).map {
          HeardByte(offset: $0.byte, fileSize: timeline.size, isExact: $0.isExact)
        }
      }
    }
  }

  /// Returns the true time of the kept position, if it is known by now. Otherwise the same byte sounds there again.
  func adopt(_ kept: HeardPosition) async -> Duration? {
    await BlockingWork.run { [self] in
      timeline.withLock { timeline in
        let (offset, isExact) = (kept.byte.offset, kept.byte.isExact)
        guard kept.byte.isOf(fileSize: timeline.size) else { return nil }
        if !isExact, let tick = timeline.tick(of: offset, in: media.fill.present) { return head.position(of: tick) }
        let start = offset - media.fill.state.withLock { $0.map.run(before: offset) }
        let point = MP3Point(tick: head.tick(of: kept.position), byte: offset)
        timeline.setAnchor(point, isExact: isExact)
        timeline.adopt(point, isExact: isExact, inRunFrom: start, in: media.fill.present)
        return nil
      }
    }
  }

  // MARK: For its readers

  var size: Int64 { timeline.withLock { $0.size } }
  var length: Int64 { timeline.withLock { $0.length } }

  /// The first byte of the frame that sounds at `tick`, exact or estimated.
  fileprivate func byte(of tick: Int64, reading stream: any ByteStream) -> Int64 {
    if let point = timeline.withLock({ $0.listen(at: tick, in: media.fill.present) }) { return point.byte }
    if media.fill.state.withLock({ $0.isSequential }) { return byteInOrder(of: tick, reading: stream) }
    if let byte = byteNearAnchor(of: tick, reading: stream) { return byte }
    let estimate = timeline.withLock { $0.estimate(tick) }
    let start = max(0, estimate - Self.runUp)
    let bytes = stream.bytes(Self.lookedAt, from: start)
    return timeline.withLock { timeline in
      let here = { (offset: Int64, count: Int) in
        offset < start ? [] : Array(bytes.dropFirst(Int(offset - start)).prefix(count))
      }
      timeline.adopt(MP3Point(tick: tick, byte: estimate), inRunFrom: start, in: here)
      return timeline.listen(at: tick, in: here)?.byte ?? estimate
    }
  }

  /// Counts the frames between the kept byte and `tick`, whose bytes are fetched. Nil where no byte was kept near it.
  private func byteNearAnchor(of tick: Int64, reading stream: any ByteStream) -> Int64? {
    let (anchor, estimate) = timeline.withLock { ($0.anchor(near: tick), $0.estimate(tick)) }
    guard let anchor else { return nil }
    // Where frames before the kept byte are smaller than those around, the estimate lies behind the tick.
    for more in [0, 1, 3] as [Int64] {
      let back = min(estimate, anchor.point.byte)
      let start = max(0, back - Self.runUp - more * (anchor.point.byte - back))
      let end = max(estimate, anchor.point.byte) + Int64(Self.lookedAt)
      let bytes = stream.bytes(Int(end - start), from: start)
      let here = { (offset: Int64, count: Int) in
        offset < start ? [] : Array(bytes.dropFirst(Int(offset - start)).prefix(count))
      }
      let point = timeline.withLock { timeline in
        timeline.adopt(anchor.point, isExact: anchor.isExact, inRunFrom: start, in: here)
        return timeline.listen(at: tick, in: here)
      }
      if let point { return point.byte }
    }
    return nil
  }

  /// The engine looks a little back from where it goes.
  private static let runUp: Int64 = 8 << 10
  private static let lookedAt = 32 << 10

  /// All bytes before come anyway, so no estimate is needed.
  private func byteInOrder(of tick: Int64, reading stream: any ByteStream) -> Int64 {
    while true {
      let (point, known) = timeline.withLock { ($0.listen(at: tick, in: media.fill.present), $0.lines[0].last.byte) }
      if let point { return point.byte }
      let end = media.fill.state.withLock { $0.map.end(from: known) }
      if stream.bytes(1, from: end).isEmpty { return end }
    }
  }
}

extension HeardByte {
  /// In a file of another size it means nothing. 0: the size was not noted.
  func isOf(fileSize size: Int64) -> Bool { fileSize == 0 || fileSize == size }

  func isEstimate(in size: Int64) -> Bool { !isExact && isOf(fileSize: size) }
}

extension MP3Head {
  fileprivate func tick(of position: Duration) -> Int64 { position.ticks + lead }
  fileprivate func position(of tick: Int64) -> Duration { Duration(ticks: max(0, tick - lead)) }
}

extension Duration {
  var ticks: Int64 {
    let (seconds, attoseconds) = components
    return seconds * MP3Point.ticksPerSecond + attoseconds / 1_000_000_000 * MP3Point.ticksPerSecond / 1_000_000_000
  }

  init(ticks: Int64) { self = .microseconds(ticks * 1000 / (MP3Point.ticksPerSecond / 1000)) }
}

/// The beginning of the file that the engine is shown, before the sound: titles and pictures, and a first frame that says
/// how long the file is.
struct MP3Head: Hashable, Sendable {
  let start: Int64
  let frame: [UInt8]
  /// Where the sound begins in the real file.
  let sound: Int64
  /// As in `MP3Layout`.
  let lead: Int64

  /// Where it begins in the file that the engine is shown.
  var end: Int64 { start + Int64(frame.count) }
}

/// One reading, by addresses that stand for times.
private final class TimedStream: ByteStream {
  private let media: TimedMedia
  private let stream: any ByteStream
  private let head: MP3Head
  private let state: Mutex<State>
  private let isCancelled = Mutex(false)

  /// From `address` on the engine is shown the real file from `byte` on.
  private struct View {
    var address: Int64
    var byte: Int64
  }

  private struct State {
    var address: Int64 = 0
    var view: View
    /// The offset of the real reader, if it is known.
    var byte: Int64?
  }

  /// Of a tick.
  private static let width = 20
  /// A seek this near to the current address, or to the last target, is no jump.
  private static let nearness: Int64 = 64 << 10

  init(_ media: TimedMedia, _ stream: any ByteStream) {
    self.media = media
    self.stream = stream
    head = media.head
    state = Mutex(State(view: View(address: media.head.end, byte: media.head.sound)))
  }

  var size: Int64? { head.end + media.length << Self.width }

  func read(into target: UnsafeMutableRawBufferPointer) -> Int? {
    let (address, view) = state.withLock { ($0.address, $0.view) }
    let count: Int?
    if address < head.start {
      count = read(into: target, at: address, atMost: head.start - address)
    } else if address < head.end {
      count = copy(head.frame[Int(address - head.start)...], into: target)
    } else {
      let byte = view.byte + address - view.address
      // There is nothing before the file, but a reader may look for it.
      count = byte < 0 ? copy([0], into: target) : read(into: target, at: byte, atMost: .max)
    }
    if let count { state.withLock { $0.address = address + Int64(count) } }
    return count
  }

  func seek(to address: Int64) -> Bool {
    guard address >= 0, !isCancelled.withLock({ $0 }) else { return false }
    let isNear = state.withLock { state in
      let isNear = [state.address, state.view.address].contains { abs(address - $0) <= Self.nearness }
      if isNear { state.address = address }
      return isNear
    }
    if isNear { return true }
    let view = view(at: address)
    state.withLock { $0 = State(address: address, view: view) }
    return !isCancelled.withLock { $0 }
  }

  /// May wait for bytes that tell where a frame begins.
  private func view(at address: Int64) -> View {
    let end = head.end + media.length << Self.width
    // Old titles stand at the very end.
    if address > end - Self.nearness { return View(address: end, byte: media.size) }
    let tick = (address + Self.nearness - head.end) >> Self.width
    let byte = tick > 0 ? media.byte(of: tick, reading: stream) : head.sound
    return View(address: head.end + max(0, tick) << Self.width, byte: byte)
  }

  private func read(into target: UnsafeMutableRawBufferPointer, at byte: Int64, atMost most: Int64) -> Int? {
    if state.withLock({ $0.byte }) != byte, !stream.seek(to: byte) { return nil }
    let count = stream.read(into: .init(rebasing: target.prefix(Int(clamping: most))))
    state.withLock { $0.byte = byte + Int64(count ?? 0) }
    return count
  }

  private func copy(_ bytes: ArraySlice<UInt8>, into target: UnsafeMutableRawBufferPointer) -> Int {
    let bytes = bytes.prefix(target.count)
    target.copyBytes(from: bytes)
    return bytes.count
  }

  func cancel() {
    isCancelled.withLock { $0 = true }
    stream.cancel()
  }

  func close() { stream.close() }
}
