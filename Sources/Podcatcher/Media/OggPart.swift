internal import Playback
private import Synchronization
internal import System

/// What is here of an Ogg file around a place, shown to the engine as a file of its own: what it says of itself, and
/// behind that the stretch that has the place. The moments in it are those of the whole file.
///
/// In such a file the engine finds a place by looking here and there, each time nearer. Where bytes that it looks at are
/// not to be had any more the place is not found, though what sounds there is here. In this file it is.
final class OggPart: TellingSource {
  private let medium: GrowingMedium
  /// Why there is no more of it.
  let fault: MediaFault?
  let moments: Range<Duration>
  fileprivate let head: Int64
  /// How much further ahead in the whole file stands what is behind the head.
  fileprivate let shift: Int64
  fileprivate let size: Int64

  /// Nil where `position` is not here, or in no such file. Reads the disk.
  init?(of medium: GrowingMedium, around position: Duration) {
    let map = medium.state.withLock { $0.map }
    guard let layout = OggLayout(medium.here),
      let stretch = layout.stretch(around: position, in: map, medium.here)
    else { return nil }
    self.medium = medium
    fault = medium.fault
    moments = stretch.moments
    head = layout.sound
    shift = stretch.bytes.lowerBound - head
    size = stretch.bytes.upperBound - shift
  }

  /// Its last byte may be that of the whole file.
  var wasReadToItsEnd: Bool { medium.wasReadToItsEnd }

  func open() -> (any ByteStream)? { medium.open().map { OggPartStream(self, $0) } }
  func close() async { await medium.close() }
}

/// One reading.
private final class OggPartStream: ByteStream {
  private let part: OggPart
  private let stream: any ByteStream
  private let place = Mutex<Int64>(0)

  init(_ part: OggPart, _ stream: any ByteStream) {
    self.part = part
    self.stream = stream
  }

  var size: Int64? { part.size }

  func read(into target: UnsafeMutableRawBufferPointer) -> Int? {
    let place = place.withLock { $0 }
    let isInHead = place < part.head
    let rest = (isInHead ? part.head : part.size) - place
    guard rest > 0 else { return 0 }
    guard stream.seek(to: isInHead ? place : place + part.shift),
      let count = stream.read(into: .init(rebasing: target.prefix(Int(clamping: rest))))
    else { return nil }
    self.place.withLock { $0 = place + Int64(count) }
    return count
  }

  func seek(to offset: Int64) -> Bool {
    guard (0...part.size).contains(offset) else { return false }
    place.withLock { $0 = offset }
    return true
  }

  func cancel() { stream.cancel() }
  func close() { stream.close() }
}
