internal import Playback
internal import PodcastModel
internal import PodcastStore
private import Synchronization
private import Transfer

/// A media file that another podcli is filling: what is there already is read from its file, the rest comes through
/// memory, of the same rendition only.
final class SharedMedia: ReportingSource {
  private let part: PartialFile
  private let record: MediaRecord
  private let rest: StreamedMedia

  /// `rest` is the same media file in memory.
  init(_ part: PartialFile, _ record: MediaRecord, _ rest: StreamedMedia) {
    self.part = part
    self.record = record
    self.rest = rest
  }

  var fault: MediaFault? { rest.fault }
  var wasReadToItsEnd: Bool { rest.wasReadToItsEnd }
  var isSizeUntold: Bool { rest.isSizeUntold }
  var unprovenSize: Int64? { rest.unprovenSize }
  /// The library has it from the podcli that fills it.
  var download: Download? { nil }
  func close() async { await rest.close() }

  func open() -> (any ByteStream)? { SharedStream(self) }

  /// The bytes that its owner has filled by now.
  var present: RangeMap { part.present(of: record, at: rest.fill.request.url) }

  // MARK: For its readers

  fileprivate var total: Int64? { record.total }
  fileprivate func openRest() -> (any ByteStream)? { rest.open() }

  fileprivate func read(into target: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int? {
    let end = present.end(from: offset)
    guard end > offset else { return nil }
    let wanted = UnsafeMutableRawBufferPointer(rebasing: target.prefix(Int(clamping: end - offset)))
    guard let count = part.read(into: wanted, at: offset), count > 0 else { return nil }
    // Its owner may have begun another rendition meanwhile.
    return present.covers(offset..<offset + Int64(count)) ? count : nil
  }
}

private final class SharedStream: ByteStream {
  private let media: SharedMedia
  private let offset = Mutex<Int64>(0)
  private let rest = Mutex<(any ByteStream)?>(nil)
  private let isCancelled = Mutex(false)

  init(_ media: SharedMedia) { self.media = media }

  var size: Int64? { media.total ?? openedRest()?.size }

  func read(into target: UnsafeMutableRawBufferPointer) -> Int? {
    let offset = offset.withLock { $0 }
    if let total = media.total, offset >= total { return 0 }
    guard let count = media.read(into: target, at: offset) ?? readRest(into: target, at: offset) else { return nil }
    self.offset.withLock { $0 = offset + Int64(count) }
    return count
  }

  private func readRest(into target: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int? {
    guard let rest = openedRest(), rest.seek(to: offset) else { return nil }
    return rest.read(into: target)
  }

  private func openedRest() -> (any ByteStream)? {
    if let open = rest.withLock({ $0 }) { return open }
    let new = media.openRest()
    rest.withLock { $0 = new }
    if isCancelled.withLock({ $0 }) { new?.cancel() }
    return new
  }

  func seek(to target: Int64) -> Bool {
    guard !isCancelled.withLock({ $0 }), (0...(media.total ?? FillLimits.believable)).contains(target) else {
      return false
    }
    offset.withLock { $0 = target }
    return true
  }

  func cancel() {
    isCancelled.withLock { $0 = true }
    rest.withLock { $0 }?.cancel()
  }

  func close() { rest.withLock { $0 }?.close() }
}
