internal import PodcastModel
internal import PodcastStore
internal import System
internal import Transfer

/// The media record in the library, and the disk.
extension MediaFill {
  /// A power cut costs at most what came in this time.
  private static let syncInterval = Duration.seconds(10)

  func saveWhenDue(_ run: inout Run) async throws(MediaFault) {
    guard .now - run.savedAt >= policy.saveInterval else { return }
    run.savedAt = .now
    try checkRoom()
    let isDue = .now - run.syncedAt >= Self.syncInterval
    if isDue { run.syncedAt = .now }
    try await save(synced: isDue)
  }

  /// Some room always stays for the library, which keeps positions, and for other programs.
  func checkRoom() throws(MediaFault) {
    guard let file else { return }
    let missing = state.withLock { state in state.total.map { max(0, $0 - state.map.count) } ?? 0 }
    let free = file.freeSpace
    guard free >= limits.reserve, free - limits.reserve >= min(missing, policy.roomAhead) else {
      throw .disk(.diskFull(path: file.path))
    }
  }

  /// Only ranges that are synced by then go into the record. `counts`: no later record makes up for it.
  func save(synced: Bool, durably: Bool = false, counts: Bool = false) async throws(MediaFault) {
    guard let file else { return }
    let map = state.withLock { $0.map }
    let isSynced = synced ? await file.syncOffPool() : false
    let record = state.change { state in
      guard state.record.state != .complete else { return MediaRecord?.none }
      if isSynced { state.record.ranges = map.ranges }
      state.record.received = state.map.count
      // A download that failed without a byte has failed, whatever a player tries.
      let isFailed = state.record.state == .failed && state.record.received == 0
      state.record.state = policy.hasReader ? isFailed ? .failed : .paused : .downloading
      touch(&state.record, file)
      return state.record
    }
    guard let record else { return }
    try await store(record, durably: durably, counts: counts)
    await noticeRequest()
  }

  private func touch(_ record: inout MediaRecord, _ file: PartialFile) {
    record.path = file.path
    record.sourceURL = request.url
    if policy.hasReader { record.lastUsedAt = .now }
  }

  /// A library that is locked or full keeps no listener from listening: the note beside the file says the same. Nor does a
  /// locked one end a download: the next record has what this one has. One that counts waits for a minute. A download whose
  /// record was removed ends.
  private func store(_ record: MediaRecord, durably: Bool, counts: Bool) async throws(MediaFault) {
    report(record)
    guard let library = self.store else { return }
    let deadline = ContinuousClock.now + .seconds(60)
    let canBeRemoved = !policy.hasReader && state.withLock(\.isRecorded)
    while true {
      do throws(StoreError) {
        let isSaved = try await library.save(
          record, durably: durably, patience: counts ? nil : .milliseconds(500), unlessRemoved: canBeRemoved)
        if isSaved { return state.change { $0.isRecorded = true } }
        break
      } catch {
        guard policy.needsLibrary else { return }
        guard case .busy = error.code else { throw .disk(.store(error)) }
        guard counts else { return }
        if ContinuousClock.now > deadline || Task.isCancelled { throw .disk(.store(error)) }
      }
    }
    throw .disk(.removed)
  }

  /// Returns true once another podcli has removed the record of a download, false when the task is cancelled.
  func waitForRemoval() async -> Bool {
    let id = state.withLock(\.record.episode)
    while !Task.isCancelled {
      try? await Task.sleep(for: .seconds(1))
      if state.withLock(\.isRecorded), (try? await store?.isMediaRemoved(id)) == true { return true }
    }
    return false
  }

  /// Another podcli was asked to download what is filled here.
  func noticeRequest() async {
    let (id, isKept) = state.withLock { ($0.record.episode, $0.record.isKept) }
    guard policy.hasReader, !isKept, let stored = try? await store?.mediaRecord(of: id), stored.isKept else { return }
    state.change { state in
      state.record.isKept = true
      state.record.requestedAt = stored.requestedAt
      state.wantsAll = true
      state.wake()
    }
  }

  /// Gives the file its name. Nothing is missing in it any more.
  func finish() async throws(MediaFault) {
    guard let file else { return }
    if let fault = await BlockingWork.run({ [self] in FirstBytes.fault(inWhole: present) }) { throw .notMedia(fault) }
    do { try await file.finishOffPool() } catch { throw .disk(error) }
    let record = state.change { state in
      state.record.complete(state.map.count)
      // Whether these are all the bytes is not known.
      if !state.endIsProven { state.record.total = nil }
      touch(&state.record, file)
      return state.record
    }
    try await store(record, durably: true, counts: true)
    await events.isWhole(record)
  }
}
