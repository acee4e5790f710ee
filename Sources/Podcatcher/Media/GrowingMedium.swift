private import Glibc
internal import Playback
internal import PodcastModel
internal import PodcastStore
internal import System
internal import Transfer

/// A medium that plays while it is fetched. It has one file on this machine, filled in whatever order it is read, and
/// everything is read from there: the engine's threads wait until the bytes they want are in it.
///
/// One task fills the file for as long as somebody reads (`GrowingMedium+Fill`). Bytes are written first, then readers
/// and the note beside the file hear of them, and the library only once they are on the disk; so neither ever knows of
/// a byte that is not there. The file is of one rendition: when the server has another one, what is here stays as it
/// is, and only who needs a missing byte is told that it is gone.
final class GrowingMedium: TellingSource {
  let part: PartFile
  let store: PodcastStore
  let request: HTTPRequest
  let client: @Sendable () throws(TransferError) -> HTTPClient
  let limits: Downloader.Limits
  let patience: Duration
  let state: WaitableState<State>
  private let say: @Sendable (MediumNote?) -> Void
  private let outcome = ReadingOutcome()

  struct State {
    var map: RangeMap
    var total: Int64?
    /// Of the next byte that is read.
    var reader: Int64 = 0
    var readInLine: Int64 = 0
    var readers = 0
    var wantsAll: Bool
    /// The server sends the file from its start only.
    var isSequential = false
    /// A place in it is only found by reading all that lies before.
    var isUnindexed = false
    /// Somebody said where the file ends.
    var endIsProven = false
    /// The server is there, or so much was read from the disk that a network that is away is no reason to stop at once.
    var hasBegun = false
    var read: Int64 = 0
    var fetch: Fetch?
    var fault: MediaFault?
    var row: MediaRecord
    var task: Task<Void, Never>?
    var isClosed = false
    /// The filling task, while there is nothing to fetch.
    var resting: CheckedContinuation<Void, Never>?

    var plan: FillPlan {
      FillPlan(map: map, total: total, reader: reader, readInLine: readInLine, wantsAll: wantsAll)
    }
  }

  /// An answer that is coming in.
  struct Fetch {
    var stream: HTTPStream
    var next: Int64
    var end: Int64
  }

  init(
    _ part: PartFile, _ row: MediaRecord, _ store: PodcastStore, _ request: HTTPRequest, _ limits: Downloader.Limits,
    patience: Duration = RetrySchedule.patience, client: @escaping @Sendable () throws(TransferError) -> HTTPClient,
    say: @escaping @Sendable (MediumNote?) -> Void
  ) {
    self.part = part
    self.store = store
    self.request = request
    self.limits = limits
    self.patience = patience
    self.client = client
    self.say = say
    let map = part.present(of: row, at: request.url)
    var row = row
    if map.isEmpty { row.forgetBytes() }
    state = WaitableState(
      State(map: map, total: row.total, wantsAll: row.isKept, endIsProven: row.total != nil, row: row))
  }

  var fault: MediaFault? { outcome.fault }
  var wasReadToItsEnd: Bool { outcome.wasReadToItsEnd }

  func open() -> (any ByteStream)? {
    outcome.reset()
    let isOpen = state.change { state in
      guard !state.isClosed else { return false }
      state.readers += 1
      state.fault = nil
      return true
    }
    guard isOpen else { return nil }
    startFilling()
    return GrowingStream(self)
  }

  /// The last reading is over: the library hears what is here, and others may have the file.
  func close() async {
    let task = state.change { state in
      state.isClosed = true
      state.stop()
      return state.task
    }
    await task?.value
    await save(synced: true)
    part.unlock()
  }

  func note(_ progress: ReadingProgress) { outcome.note(progress) }
  func tell(_ note: MediumNote?) { say(note) }

  /// A reader has gone; without any there is nobody to fetch for.
  func readerLeft() {
    state.change { state in
      state.readers -= 1
      if state.readers == 0 { state.stop() }
    }
  }
}

extension GrowingMedium.State {
  mutating func stop() {
    task?.cancel()
    fetch?.stream.cancel()
    wake()
  }

  /// What a reader should be told who has to wait.
  var waitNote: MediumNote {
    if isSequential { return .waitingInOrder }
    return isUnindexed && readInLine > FillPlan.lowestWater ? .searching : .waiting
  }

  mutating func hasRead(_ count: Int64) {
    read += count
    if read > 1 << 20 { hasBegun = true }
  }

  mutating func wake() {
    resting?.resume()
    resting = nil
  }

  /// The reader goes on from here. What is coming in goes on unless it is of no use to him.
  mutating func read(from offset: Int64) {
    // Nobody reads a medium in steps of a megabyte.
    let isInLine = offset >= reader && offset - reader < 1 << 20
    readInLine = isInLine ? readInLine + offset - reader : 0
    reader = offset
    if let fetch, !isSequential, !plan.isServed(by: fetch.next, until: fetch.end) {
      fetch.stream.cancel()
      self.fetch = nil
    }
    if resting != nil, fault == nil, plan.step != .rest { wake() }
  }
}

/// What a listener should know about the bytes.
package enum MediumNote: Hashable, Sendable {
  case waiting
  /// The server sends the file from its start only, so whoever jumps ahead has to wait for all that lies between.
  case waitingInOrder
  /// The file itself can only be searched from its start.
  case searching
}

/// So many bytes from a place on, or as many as are here.
typealias BytesHere = (_ place: Int64, _ count: Int) -> [UInt8]

extension GrowingMedium {
  /// What is in the file from there on, at most so much.
  func here(_ place: Int64, _ count: Int) -> [UInt8] {
    let end = state.withLock { $0.map.end(from: place) }
    return [UInt8](unsafeUninitializedCapacity: min(count, Int(end - place))) { buffer, done in
      done = part.read(into: UnsafeMutableRawBufferPointer(buffer), at: place) ?? 0
    }
  }
}
