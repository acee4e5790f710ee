internal import Playback
internal import PodcastModel
internal import PodcastStore
internal import System
internal import Transfer

/// A media file that plays while it is fetched. Everything is read from the file, or from the fill's window in memory;
/// the engine's threads wait until the bytes they want are there. One task fills for as long as there is a reader.
final class StreamedMedia: ReportingSource {
  let fill: MediaFill
  private let say: @Sendable (MediaNote?) -> Void
  private let outcome: ReadingOutcome

  /// `say` hears why a reader waits.
  init(_ fill: MediaFill, say: @escaping @Sendable (MediaNote?) -> Void = { _ in }) {
    self.fill = fill
    self.say = say
    outcome = ReadingOutcome()
  }

  private init(_ fill: MediaFill, _ outcome: ReadingOutcome) {
    self.fill = fill
    say = { _ in }
    self.outcome = outcome
  }

  /// The same media file read without a file on the disk, from `offset` on.
  func inMemory(from offset: Int64) -> StreamedMedia {
    // Bytes of two renditions are never heard as one.
    let record = fill.state.withLock { $0.known == nil ? nil : $0.record }
    return StreamedMedia(
      MediaFill(inMemory: fill.request, of: record, from: offset, fill.policy, client: fill.client), outcome)
  }

  var fault: MediaFault? { outcome.fault }
  var wasReadToItsEnd: Bool { outcome.wasReadToItsEnd }
  var isSizeUntold: Bool { outcome.isSizeUntold }
  var unprovenSize: Int64? { fill.state.withLock { $0.endIsProven ? nil : $0.total } }

  var download: Download? {
    guard let path = fill.file?.path else { return nil }
    return fill.state.withLock { state in
      let isComplete = state.record.state == .complete
      let progress = state.total.map { $0 > 0 ? min(1, Double(state.map.count) / Double($0)) : 0 }
      return Download(state: state.record.state, progress: isComplete ? 1 : progress, path: path)
    }
  }

  func open() -> (any ByteStream)? { openReader() }

  func openReader() -> MediaReader? {
    outcome.reset()
    let isOpen = fill.state.change { state in
      guard !state.isClosed else { return false }
      state.readers += 1
      if !state.isJustRefused { state.fault = nil }
      return true
    }
    guard isOpen else { return nil }
    startFilling()
    return MediaReader(self)
  }

  /// The library hears what is here, and others may have the file.
  func close() async {
    let task = fill.state.change { state in
      state.isClosed = true
      state.stop()
      return state.task
    }
    await task?.value
    // The next playing asks for it anew.
    if fill.state.withLock({ $0.isRefused }) { try? await fill.startOver(Rendition()) }
    try? await fill.save(synced: true)
    fill.file?.unlock()
  }

  // MARK: For its readers

  func note(_ event: ReadingEvent) { outcome.note(event) }
  func tell(_ note: MediaNote?) { say(note) }

  /// From the reader's thread: this is the byte it reads next. A fault is over once it looks elsewhere, and one that came while
  /// it had bytes still, once it has none; but a reader that looks here and there for a position in a file that was changed
  /// is not told so by the server each time.
  func want(_ offset: Int64, isNew: Bool = false) {
    fill.state.change { state in
      let isAnswered = state.fault == .changed && state.readInLine == 0 || state.isJustRefused
      let mayPass = isNew && !isAnswered || state.isFaultAhead
      if mayPass, state.map.end(from: offset) == offset { state.fault = nil }
      state.read(from: offset)
    }
  }

  /// Of an MP4 whose server tells no length: an engine looks there for more, and all that lies before would have to come.
  func isBehindSound(_ offset: Int64) -> Bool {
    let end = fill.state.withLock { $0.map.end(from: 0) }
    return offset > end && soundEnd.map { offset >= $0 } ?? false
  }

  /// Of an MP4 that begins with its index and whose length could not be told.
  var soundEnd: Int64? {
    guard isSizeUntold else { return nil }
    let end = fill.state.withLock { $0.map.end(from: 0) }
    return MP4Index.soundEnd(to: end, in: fill.present)
  }

  /// Without readers nothing is fetched.
  func readerLeft() {
    fill.state.change { state in
      state.readers -= 1
      if state.readers == 0 { state.stop() }
    }
  }

  // MARK: Filling

  func startFilling() {
    fill.state.change { state in
      let former = state.task
      if let former, !former.isCancelled { return }
      state.task = Task(priority: .userInitiated) { [self] in
        await former?.value
        await keepFilled()
      }
    }
  }

  /// Until all is here or the last reader has left. A fault waits for the reader to look elsewhere.
  private func keepFilled() async {
    var run = MediaFill.Run(fill.policy)
    while !Task.isCancelled {
      if fill.state.withLock({ $0.fault }) == nil {
        do throws(MediaFault) {
          if try await fill.fill(&run) { return await complete() }
        } catch {
          if Task.isCancelled { break }
          // The reader that comes to it later has the same patience.
          if fill.state.change({ $0.fail(error) }) { run = MediaFill.Run(fill.policy) }
        }
      }
      await rest()
    }
    try? await fill.save(synced: false)
  }

  private func rest() async {
    // A disk may take its time, and a reader that jumps should not have to wait for it.
    try? await fill.save(synced: false)
    let idle = Task { await spendIdleTime() }
    await fill.rest { $0.plan.step == .rest || $0.fault != nil }
    idle.cancel()
    await idle.value
  }

  private func spendIdleTime() async {
    guard (try? await Task.sleep(for: .seconds(2))) != nil else { return }
    try? await fill.save(synced: true)
    while (try? await Task.sleep(for: .seconds(2))) != nil { await fill.noticeRequest() }
  }

  private func complete() async {
    let isUnfinished = fill.state.withLock { $0.endIsProven && $0.record.state != .complete }
    do throws(MediaFault) {
      if isUnfinished { return try await fill.finish() }
    } catch {
      if case .notMedia = error { fill.state.change { $0.isRefused = true } }
    }
    try? await fill.save(synced: true)
  }
}

/// Why a reader waits.
enum MediaNote: Hashable, Sendable {
  case waiting
  /// The server sends the file from its start only, so a jump ahead waits for all that lies between.
  case waitingInOrder
  /// The file itself can only be searched from its start.
  case searching
  /// The file has another encoding than that in which the position was kept, and is searched for it.
  case aligning
}

extension MediaFill.State {
  /// The note for the listener about the wait.
  var waitNote: MediaNote {
    if isSequential { return .waitingInOrder }
    return isUnindexed && readInLine > FillPlan.lowestWater ? .searching : .waiting
  }
}
