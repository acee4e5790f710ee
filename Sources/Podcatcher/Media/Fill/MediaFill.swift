internal import PodcastModel
internal import PodcastStore
internal import System
internal import Transfer

/// Fills a media file from the network: the one way for bytes, for streams as for downloads. A download is a fill that
/// wants everything and has no reader.
///
/// - `MediaFill.swift`: the state, the loop and one range request
/// - `MediaFill+Answer.swift`: the consequences of an answer: adopting a rendition, starting over, the end
/// - `MediaFill+Record.swift`: the media record in the library, synced ranges, room on the disk, completion
/// - `FillPlan`: what to fetch next · `FillPolicy`: how streams and downloads differ · `FillRetries`: when to try again
/// - `RangeFetch`: one range request · `AnswerVerdict`: what its head means · `PartialFile`: the file and its note
///
/// Bytes are written first, then readers and the note beside the file are told, and the library only once the bytes are
/// synced; so neither ever claims a byte that is not there. The file is of one rendition. One task at a time fills.
/// Where no file can be filled, the bytes ahead of the reader are kept in a `MemoryWindow` instead.
final class MediaFill: Sendable {
  let file: PartialFile?
  let store: PodcastStore?
  let request: HTTPRequest
  let limits: FillLimits
  let policy: FillPolicy
  let client: @Sendable () throws(TransferError) -> HTTPClient
  let report: @Sendable (MediaRecord) -> Void
  let events: FillEvents
  let state: WaitableState<State>

  struct State {
    /// The ranges that are here.
    var map: RangeMap
    /// Of an MP4, once its beginning is here.
    var index: Range<Int64>?
    var total: Int64?
    /// A length, or an answer that marks its end, said where the file ends.
    var endIsProven: Bool
    var record: MediaRecord
    /// The library has the record, so that one that is gone was removed.
    var isRecorded = false
    /// The library may claim bytes of another rendition.
    var isRecordStale: Bool
    var window: MemoryWindow?

    /// Offset of the next byte that is read.
    var reader: Int64 = 0
    /// How many bytes before `reader` were read in line.
    var readInLine: Int64 = 0
    var bytesRead: Int64 = 0
    var wantsAll: Bool
    /// The server sends the file from its start only.
    var isSequential = false
    /// A position in it is only found by reading all that lies before.
    var isUnindexed = false
    /// The server answered, now or when it gave what is here of the file: an absent network is no reason to stop at once.
    var hasBegun = false
    /// The last answer did not tell the length.
    var isLengthUntold = false
    var wasRangeRefused = false
    var fetch: Fetch?
    /// Why nothing is fetched, until the reader looks elsewhere.
    var fault: MediaFault?
    var faultAt = ContinuousClock.now
    /// The reader had bytes still when the fault came: it is tried once more when it needs others.
    var isFaultAhead = false

    /// All of it is here, and is no media file.
    var isRefused = false

    var readers = 0
    var isClosed = false
    var task: Task<Void, Never>?
    /// The filling task, while there is nothing to fetch.
    var resting: CheckedContinuation<Void, Never>?
  }

  /// An answer that is coming in.
  struct Fetch {
    var stream: HTTPStream
    var next: Int64
    var end: Int64
  }

  /// Fills `file`, and keeps `record` in the library. `report` hears of every saved record.
  init(
    _ file: PartialFile, _ record: MediaRecord, _ store: PodcastStore, _ request: HTTPRequest, _ limits: FillLimits,
    _ policy: FillPolicy, events: FillEvents, client: @escaping @Sendable () throws(TransferError) -> HTTPClient,
    report: @escaping @Sendable (MediaRecord) -> Void = { _ in }
  ) {
    self.file = file
    self.events = events
    self.store = store
    self.request = request
    self.limits = limits
    self.policy = policy
    self.client = client
    self.report = report
    let map = file.present(of: record, at: request.url)
    let isRecordStale = map.isEmpty && !record.ranges.isEmpty
    var record = record
    if map.isEmpty { record.forgetBytes() }
    state = WaitableState(
      State(
        map: map, total: record.total, endIsProven: record.total != nil, record: record, isRecordStale: isRecordStale,
        wantsAll: !policy.hasReader || record.isKept, hasBegun: !map.isEmpty,
        isLengthUntold: !map.isEmpty && record.total == nil))
  }

  /// Keeps the bytes ahead of the reader in memory. `known`: the record whose rendition they must be of.
  init(
    inMemory request: HTTPRequest, of known: MediaRecord? = nil, from offset: Int64 = 0, _ policy: FillPolicy,
    client: @escaping @Sendable () throws(TransferError) -> HTTPClient
  ) {
    file = nil
    store = nil
    self.request = request
    limits = FillLimits()
    self.policy = policy
    self.client = client
    report = { _ in }
    events = FillEvents()
    let record = known ?? MediaRecord(episode: EpisodeID(rawValue: 0), state: .paused)
    let isKnown = record.validator != nil
    state = WaitableState(
      State(
        map: RangeMap(), total: record.total, endIsProven: record.total != nil, record: record, isRecordStale: false,
        window: MemoryWindow(), reader: offset, wantsAll: false, hasBegun: isKnown))
  }

  /// The bytes that are here from `offset` on, at most `count` of them.
  func present(_ offset: Int64, _ count: Int) -> [UInt8] {
    let end = state.withLock { $0.map.end(from: offset) }
    return [UInt8](unsafeUninitializedCapacity: min(count, Int(end - offset))) { buffer, done in
      done = read(into: UnsafeMutableRawBufferPointer(buffer), at: offset) ?? 0
    }
  }

  /// Nil when the bytes cannot be read.
  func read(into target: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int? {
    if let file { return file.read(into: target, at: offset) }
    return state.withLock { $0.window?.read(into: target, at: offset) }
  }

  // MARK: The loop

  /// The retries and the clocks of one filling. Only the task that fills has one.
  struct Run {
    var retries: FillRetries
    /// The last request was answered.
    var isAnswered = false
    var savedAt = ContinuousClock.now - .seconds(60)
    var syncedAt = ContinuousClock.now

    init(_ policy: FillPolicy) { retries = FillRetries(policy) }
  }

  /// Fetches as the plan says. Returns true when all is here, false when enough is here for now; throws the fault that
  /// another try will not mend.
  func fill(_ run: inout Run) async throws(MediaFault) -> Bool {
    while !Task.isCancelled {
      switch nextStep() {
      case .done: return true
      case .rest: return false
      case .fetch(let gap):
        // A machine that sleeps does not wait.
        let start = SuspendingClock.now
        do throws(MediaFault) {
          try await fetch(gap, &run)
        } catch {
          try await wait(after: error, took: .now - start, &run)
        }
      }
    }
    throw .transfer(.cancelled)
  }

  private func nextStep() -> FillPlan.Step {
    let step = plannedStep()
    // In memory the request is one to the end anyway.
    guard file != nil, case .fetch(let gap) = step, let index = index(before: gap.lowerBound) else { return step }
    return state.change { state in
      state.index = index
      return state.plan.step
    }
  }

  /// The index of an MP4, where it is not known, and the beginning of the file or the bytes right before `offset` tell it.
  private func index(before offset: Int64) -> Range<Int64>? {
    let (map, total, isKnown) = state.withLock { ($0.map, $0.total, $0.index != nil) }
    guard !isKnown else { return nil }
    return MP4Index.range(from: 0, to: map.end(from: 0), of: total, in: present)
      ?? MP4Index.range(from: offset - map.run(before: offset), to: offset, of: total, in: present)
  }

  private func plannedStep() -> FillPlan.Step {
    state.change { state in
      let step = state.plan.step
      guard case .fetch = step, policy.startsOver, state.record.validator == nil, !state.map.isEmpty else {
        return step
      }
      // Nothing tells which rendition the rest would be of.
      state.forgetBytes()
      return state.plan.step
    }
  }

  private func wait(
    after fault: MediaFault, took: Duration, _ run: inout Run
  ) async throws(MediaFault) {
    // The reader went elsewhere.
    if policy.hasReader, fault.isCancelled { return }
    let (progress, hasBegun) = state.withLock { state in
      (state.progress, policy.retriesBeforeFirstByte ? state.hasBegun : !state.map.isEmpty)
    }
    let pause = run.retries.pause(after: fault, isAnswered: run.isAnswered, progress: progress, took: took)
    guard let pause, hasBegun else { throw fault }
    try? await Task.sleep(for: pause)
  }

  // MARK: One range request

  private func fetch(_ gap: Range<Int64>, _ run: inout Run) async throws(MediaFault) {
    run.isAnswered = false
    var fetch = try ask(for: gap)
    defer { fetch.cancel() }
    guard begin(fetch, gap) else { throw .transfer(.cancelled) }
    defer { state.change { $0.fetch = nil } }
    let (head, verdict) = try await fetch.answer()
    run.isAnswered = true
    if verdict == .anotherFile(isWhole: true) { try await fetch.refusePage() }
    guard try await takes(head, verdict, isRanged: fetch.isRanged, asked: gap.lowerBound) else { return }
    while let (offset, bytes) = try await fetch.next() {
      // The library names the rendition before the note does: a note of an unknown rendition counts for nothing.
      if state.withLock({ $0.map.isEmpty }) { try await save(synced: false, counts: true) }
      let end = try keep(bytes, at: offset)
      try await saveWhenDue(&run)
      await waitWhileFarAhead(end)
    }
    let total = state.withLock { $0.total }
    if let end = try fetch.checkEnd(total: total, acceptsUnprovenEnd: policy.acceptsUnprovenEnd) {
      state.change { ($0.total, $0.endIsProven) = (end.total, end.isProven) }
    }
  }

  private func ask(for gap: Range<Int64>) throws(MediaFault) -> RangeFetch {
    let client: HTTPClient
    do { client = try self.client() } catch { throw MediaFault(noClient: error) }
    return state.withLock { state in
      let isRanged = !state.isSequential && !(policy.startsOver && state.map.isEmpty)
      // Large writes to a file are quicker; in memory they would only add to the bytes ahead of the reader.
      let bufferSize = file == nil ? 64 << 10 : 1 << 20
      return RangeFetch(
        gap, of: state.total, isRanged: isRanged, known: state.known, isLenient: file == nil, request,
        buffering: bufferSize, with: client)
    }
  }

  /// False when the reader has gone elsewhere in between.
  private func begin(_ fetch: RangeFetch, _ gap: Range<Int64>) -> Bool {
    state.change { state in
      guard !Task.isCancelled, state.isSequential || state.plan.isServed(by: gap.lowerBound, until: gap.upperBound)
      else { return false }
      state.fetch = Fetch(stream: fetch.stream, next: gap.lowerBound, end: gap.upperBound)
      return true
    }
  }

  /// Returns the offset behind the bytes.
  private func keep(_ bytes: [UInt8], at offset: Int64) throws(MediaFault) -> Int64 {
    let end = offset + Int64(bytes.count)
    if let file {
      guard policy.hasReader || end <= limits.largest else { throw .disk(.tooLarge(limit: limits.largest)) }
      do { try file.write(bytes, at: offset) } catch { throw .disk(error) }
      if !policy.hasReader { file.dropCache(from: offset, upTo: end) }
    }
    let (map, token) = state.change { state in
      if file == nil { state.keepInWindow(bytes, at: offset) } else { state.map.insert(offset..<end) }
      state.fetch?.next = end
      return (state.map, state.record.rendition)
    }
    file?.note(map, of: token ?? "")
    return end
  }

  /// An endless file, and one without a file on the disk, is fetched only as it is read.
  private func waitWhileFarAhead(_ next: Int64) async {
    guard policy.hasReader else { return }
    // A fetch that the reader has abandoned goes on, to end.
    await rest { $0.fetch != nil && $0.plan.isFarAhead(next) }
  }

  /// Returns when `isIdle` does not hold, when the state says that there is something to fetch, or when the task ends.
  func rest(while isIdle: @escaping @Sendable (State) -> Bool) async {
    await withCheckedContinuation { continuation in
      state.change { state in
        if isIdle(state), state.task?.isCancelled == false {
          state.resting = continuation
        } else {
          continuation.resume()
        }
      }
    }
  }
}

extension MediaFill.State {
  var plan: FillPlan {
    FillPlan(
      map: map, total: total, reader: reader, readInLine: readInLine, index: index, wantsAll: wantsAll,
      isInMemory: window != nil)
  }

  mutating func forgetBytes() {
    map = RangeMap()
    index = nil
  }

  /// The rendition that further bytes must be of; nil while any will do.
  var known: Rendition? {
    let hasBytes = window == nil ? !map.isEmpty : hasBegun
    return hasBytes ? record.known : nil
  }

  /// Grows with every new byte. In memory the bytes before the reader are fetched again by a server without ranges, and
  /// count for nothing.
  fileprivate var progress: Int64 {
    window == nil ? map.count : bytesRead + max(0, map.end(from: reader) - reader)
  }

  fileprivate mutating func keepInWindow(_ bytes: [UInt8], at offset: Int64) {
    window?.append(bytes, at: offset, keepingFrom: reader)
    map = window?.map ?? RangeMap()
  }

  private func isServed(by fetch: MediaFill.Fetch) -> Bool {
    if isSequential { return reader >= fetch.next || map.end(from: reader) > reader }
    return plan.isServed(by: fetch.next, until: fetch.end)
  }

  /// Returns whether the reader did not wait.
  mutating func fail(_ fault: MediaFault) -> Bool {
    self.fault = fault
    faultAt = .now
    isFaultAhead = map.end(from: reader) > reader
    return isFaultAhead
  }

  /// Nothing of the file came, as the server has just answered. A file is opened by several readers, one after the other:
  /// the second is not to ask the server again.
  var isJustRefused: Bool {
    guard case .status? = fault, map.isEmpty else { return false }
    return ContinuousClock.now - faultAt < .seconds(1)
  }

  mutating func stop() {
    task?.cancel()
    fetch?.stream.cancel()
    wake()
  }

  mutating func wake() {
    resting?.resume()
    resting = nil
  }

  mutating func hasRead(_ count: Int64) { bytesRead += count }

  /// Whether the sound of an MP4 ends in these bytes, and nothing but its index follows.
  func soundEnds(from start: Int64, to end: Int64) -> Bool {
    guard let index, let total, index.upperBound >= total, index.lowerBound > total / 2 else { return false }
    return start < index.lowerBound && index.lowerBound <= end
  }

  /// The reader goes on from `offset`. The running fetch goes on unless it is of no use to the reader.
  mutating func read(from offset: Int64) {
    // No single read is as long as a megabyte.
    let isInLine = offset >= reader && offset - reader < 1 << 20
    readInLine = isInLine ? readInLine + offset - reader : 0
    reader = offset
    if let fetch, !isServed(by: fetch) {
      fetch.stream.cancel()
      self.fetch = nil
    }
    if resting != nil, fault == nil, plan.step != .rest { wake() }
  }
}
