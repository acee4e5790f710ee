internal import PodcastModel
internal import PodcastStore
internal import System
internal import Transfer

/// The task that fills the file. It alone writes.
extension GrowingMedium {
  private static let saveInterval = Duration.seconds(1)
  /// A power cut costs at most what came in this time.
  private static let syncInterval = Duration.seconds(10)
  private static let cutsInOnePlace = 5

  func startFilling() {
    state.change { state in
      let former = state.task
      if let former, !former.isCancelled { return }
      state.task = Task(priority: .userInitiated) { [self] in
        await former?.value
        await fill()
      }
    }
  }

  /// From the reader's thread: this is the byte it reads next. A fault is over once it looks elsewhere; but who looks
  /// here and there for a place in a file that was changed is not told so by the server each time.
  func want(_ offset: Int64, isNew: Bool = false) {
    state.change { state in
      let isAnswered = state.fault == .changed && state.readInLine == 0
      if isNew, !isAnswered, state.map.end(from: offset) == offset { state.fault = nil }
      state.read(from: offset)
    }
  }

  private func fill() async {
    var retry = RetrySchedule(patience: patience)
    var cuts = 0
    var clock = Clock()
    while !Task.isCancelled {
      let (step, hasFailed, before) = state.withLock { ($0.plan.step, $0.fault != nil, $0.map.count) }
      switch step {
      case .done: return await complete()
      case .rest: await rest()
      case .fetch where hasFailed: await rest()
      case .fetch(let gap):
        do throws(MediaFault) {
          try await fetch(gap, &clock)
          retry = RetrySchedule(patience: patience)
        } catch {
          if state.withLock({ $0.map.count }) > before { (retry, cuts) = (RetrySchedule(patience: patience), 0) }
          // A server that is there and breaks off in the same place again will not do better in a while.
          cuts += error.isCut ? 1 : 0
          let pause = error.isJump ? nil : retry.next()
          await recover(from: error, after: cuts > Self.cutsInOnePlace ? nil : pause)
        }
      }
    }
    await save(synced: false)
  }

  private struct Clock {
    var savedAt = ContinuousClock.now - .seconds(60)
    var syncedAt = ContinuousClock.now
  }

  /// Until the reader needs something, or nobody reads any more.
  private func rest() async {
    // A disk may take its time, and a reader that jumps should not have to wait for it.
    await save(synced: false)
    let idle = Task { await spendIdleTime() }
    await withCheckedContinuation { continuation in
      state.change { state in
        let isIdle = state.plan.step == .rest || state.fault != nil
        if isIdle, state.task?.isCancelled == false { state.resting = continuation } else { continuation.resume() }
      }
    }
    idle.cancel()
    await idle.value
  }

  private func spendIdleTime() async {
    guard (try? await Task.sleep(for: .seconds(2))) != nil else { return }
    await save(synced: true)
    while (try? await Task.sleep(for: .seconds(2))) != nil { await noticeWish() }
  }

  private func recover(from fault: MediaFault, after pause: Duration?) async {
    if fault.isJump || Task.isCancelled { return }
    let mayWait = state.withLock { $0.hasBegun } && fault.mayPass
    guard mayWait, let pause else {
      state.change { $0.fault = fault }
      return
    }
    try? await Task.sleep(for: pause)
  }

  // MARK: One question

  private func fetch(_ gap: Range<Int64>, _ clock: inout Clock) async throws(MediaFault) {
    let client = try openClient()
    let (isSequential, known) = state.withLock { ($0.isSequential, $0.map.isEmpty ? nil : $0.row.known) }
    var request = request
    if !isSequential {
      request.range = ByteRange(from: gap.lowerBound, through: gap.upperBound == .max ? nil : gap.upperBound - 1)
      if let validator = known?.validator { request.headers.append(.init("If-Range", validator)) }
    }
    let stream = client.stream(request, buffering: Disk.chunk)
    defer { stream.cancel() }
    guard begin(stream, gap) else { throw .transfer(.cancelled) }
    defer { state.change { $0.fetch = nil } }
    let head = try await transferring { () async throws(TransferError) in try await stream.head() }
    let first = try await judge(
      AnswerVerdict(head, asked: isSequential ? nil : gap.lowerBound, known: known), head, asked: gap.lowerBound)
    guard let first else { return }
    let end = try await take(stream, from: first, &clock)
    try checkEnd(head, end, asked: gap)
  }

  private func openClient() throws(MediaFault) -> HTTPClient {
    do {
      return try client()
    } catch {
      throw MediaFault(noClient: error)
    }
  }

  /// False when the reader has gone elsewhere in between.
  private func begin(_ stream: HTTPStream, _ gap: Range<Int64>) -> Bool {
    state.change { state in
      guard !Task.isCancelled, state.isSequential || state.plan.isServed(by: gap.lowerBound, until: gap.upperBound)
      else { return false }
      state.fetch = Fetch(stream: stream, next: gap.lowerBound, end: gap.upperBound)
      return true
    }
  }

  /// Returns where the bytes of this answer belong; nil when it has to be asked again.
  private func judge(
    _ verdict: AnswerVerdict, _ head: HTTPHead, asked: Int64
  ) async throws(MediaFault) -> Int64? {
    switch verdict {
    case .bytes(let first):
      try await adopt(head)
      if head.status == 200 { state.change { $0.isSequential = true } }
      return first
    case .anotherFile: throw .changed
    case .rangeRefused where isEnd(asked, head):
      state.change { ($0.total, $0.endIsProven) = (asked, true) }
      return nil
    case .wrongPosition, .rangeRefused:
      guard !state.withLock({ $0.isSequential }) else { throw .status(head.status) }
      state.change { $0.isSequential = true }
      return nil
    case .failed(let status): throw .status(status)
    }
  }

  /// Of a file whose length nobody told.
  private func isEnd(_ asked: Int64, _ head: HTTPHead) -> Bool {
    state.withLock { $0.total == nil && asked > 0 && $0.map.end == asked }
      && head["content-range"] == "bytes */\(asked)"
  }

  private func adopt(_ head: HTTPHead) async throws(MediaFault) {
    let isNew = state.withLock { $0.map.isEmpty }
    if isNew { try await startOver(head.rendition) }
    let total = state.change { state in
      state.hasBegun = true
      state.row.total = state.row.total ?? head.rendition.total
      state.total = state.row.total
      state.endIsProven = state.total != nil
      return state.total
    }
    guard let total else { return }
    guard total <= limits.largest else { throw .disk(.tooLarge(limit: limits.largest)) }
    try checkRoom(for: total)
  }

  /// What the library may still say about another file is taken back before a byte of this one is written.
  private func startOver(_ file: Rendition) async throws(MediaFault) {
    state.change { $0.row.begin(file) }
    guard part.size > 0 else { return }
    await save(synced: false, durably: true)
    do { try part.cut(to: 0) } catch { throw .disk(error) }
  }

  private func checkRoom(for total: Int64) throws(MediaFault) {
    let missing = min(FillPlan.longest, total - state.withLock { $0.map.count })
    let free = part.freeSpace
    guard free >= limits.reserve, free - limits.reserve >= missing else { throw .disk(.diskFull(path: part.path)) }
  }

  private func take(_ stream: HTTPStream, from first: Int64, _ clock: inout Clock) async throws(MediaFault) -> Int64 {
    var place = first
    var start: [UInt8] = []
    while let bytes = try await transferring({ () async throws(TransferError) in try await stream.next() }) {
      start += place == 0 ? bytes : []
      if place == 0, start.count < FirstBytes.enough { continue }
      place = try keep(place == 0 ? start : bytes, at: place)
      start = []
      try await tend(&clock)
      await waitIfEndless(place)
    }
    return start.isEmpty ? place : try keep(start, at: 0)
  }

  private func keep(_ bytes: [UInt8], at place: Int64) throws(MediaFault) -> Int64 {
    if place == 0, let fault = FirstBytes.fault(bytes) { throw .notAMedium(fault) }
    let end = place + Int64(bytes.count)
    do { try part.write(bytes, at: place) } catch { throw .disk(error) }
    let (map, token) = state.change { state in
      state.map.insert(place..<end)
      state.fetch?.next = end
      return (state.map, state.row.rendition)
    }
    part.note(map, of: token ?? "")
    return end
  }

  private func tend(_ clock: inout Clock) async throws(MediaFault) {
    guard .now - clock.savedAt >= Self.saveInterval else { return }
    clock.savedAt = .now
    guard part.freeSpace >= limits.reserve else { throw .disk(.diskFull(path: part.path)) }
    let isDue = .now - clock.syncedAt >= Self.syncInterval
    if isDue { clock.syncedAt = .now }
    await save(synced: isDue)
  }

  /// What has no end is fetched only as it is heard.
  private func waitIfEndless(_ place: Int64) async {
    await withCheckedContinuation { continuation in
      state.change { state in
        let isFarAhead = state.total == nil && place - state.reader > FillPlan.lowWater
        if isFarAhead, state.task?.isCancelled == false {
          state.resting = continuation
        } else {
          continuation.resume()
        }
      }
    }
  }

  private func checkEnd(_ head: HTTPHead, _ end: Int64, asked gap: Range<Int64>) throws(MediaFault) {
    // Some servers give less at once than was asked for; what is missing is then asked for next.
    let total = state.withLock { $0.total }
    let goal: Int64? = head.status == 206 ? gap.lowerBound + 1 : total
    if let goal {
      guard end >= goal else { throw .transfer(TransferError(.cut, "\(end) of \(goal) bytes came")) }
    } else {
      guard end > 0 else { throw .notAMedium("nothing at all") }
      state.change { state in
        state.total = end
        state.endIsProven = head.marksItsEnd
      }
    }
  }

  private func transferring<Value: Sendable>(
    _ body: () async throws(TransferError) -> Value
  ) async throws(MediaFault) -> Value {
    do {
      return try await body()
    } catch {
      throw .transfer(error)
    }
  }

  // MARK: The library

  /// A library that is locked or full keeps nobody from listening: the note beside the file says the same.
  func save(synced: Bool, durably: Bool = false) async {
    let map = state.withLock { $0.map }
    let isSynced = synced ? await Disk.sync(part) : false
    let row = state.change { state in
      guard state.row.state != .complete else { return MediaRecord?.none }
      if isSynced { state.row.ranges = map.ranges }
      state.row.received = state.map.count
      state.row.state = .paused
      state.row.path = part.path
      state.row.sourceURL = request.url
      state.row.lastUsedAt = .now
      return state.row
    }
    guard let row else { return }
    try? await store.save(row, durably: durably)
    await noticeWish()
  }

  /// Another podcli was asked to download what is filled here.
  private func noticeWish() async {
    let (id, isKept) = state.withLock { ($0.row.episode, $0.row.isKept) }
    guard !isKept, let stored = try? await store.mediaRecord(of: id), stored.isKept else { return }
    state.change { state in
      state.row.isKept = true
      state.row.requestedAt = stored.requestedAt
      state.wantsAll = true
      state.wake()
    }
  }

  private func complete() async {
    guard state.withLock({ $0.endIsProven && $0.row.state != .complete }) else { return await save(synced: true) }
    do {
      try await Disk.finish(part)
    } catch {
      return await save(synced: false)
    }
    let row = state.change { state in
      state.row.complete(state.map.count)
      state.row.path = part.path
      state.row.sourceURL = request.url
      state.row.lastUsedAt = .now
      return state.row
    }
    try? await store.save(row)
  }
}

extension MediaFault {
  /// The reader went elsewhere.
  fileprivate var isJump: Bool {
    if case .transfer(let error) = self { error.code == .cancelled } else { false }
  }

  fileprivate var isCut: Bool {
    if case .transfer(let error) = self { error.code == .cut } else { false }
  }
}
