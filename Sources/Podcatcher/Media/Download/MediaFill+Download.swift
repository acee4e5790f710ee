internal import PodcastModel
internal import PodcastStore
internal import System
internal import Transfer

/// A fill without a reader, to the end of the file.
extension MediaFill {
  /// Ends when another podcli removes the download, also while the server sends nothing.
  func fetchAllUnlessRemoved() async throws(MediaFault) {
    let result = await withTaskGroup(of: Result<Void, MediaFault>.self) { group in
      group.addTask { [self] in
        do throws(MediaFault) { return .success(try await fetchAll()) } catch { return .failure(error) }
      }
      group.addTask { [self] in
        await waitForRemoval() ? .failure(.disk(.removed)) : .failure(.transfer(.cancelled))
      }
      let first = await group.next()
      // A task that was cancelled from outside has one result, that of the fill.
      if case .failure(.transfer(.cancelled)) = first, Task.isCancelled { return await group.next() ?? .success(()) }
      group.cancelAll()
      if case .failure(.disk(.removed)) = first { state.change { $0.stop() } }
      return first ?? .success(())
    }
    try result.get()
  }

  private func fetchAll() async throws(MediaFault) {
    if state.withLock({ $0.map.isEmpty }) { try await startOver(Rendition()) }
    try await save(synced: false)
    var run = Run(policy)
    _ = try await fill(&run)
    try await finish()
  }

  /// Keeps what a later download can continue, and nothing else. `words` go into the record.
  func giveUp(_ error: DownloadError, words: String) async {
    if error == .removed {
      file?.discardAll()
      return
    }
    let canContinue = state.withLock { !$0.map.isEmpty && $0.record.validator != nil }
    if !error.leavesBytes || !canContinue {
      file?.discard()
      state.change { ($0.map, $0.total) = (RangeMap(), nil) }
      state.change { $0.record.forgetBytes() }
    }
    let map = state.withLock { $0.map }
    let isSynced = await file?.syncOffPool() ?? false
    let record = state.change { state in
      if isSynced { state.record.ranges = map.ranges }
      state.record.state = .failed
      if error.isAnswer { state.record.failedAttempts = min(state.record.failedAttempts, .max - 1) + 1 }
      state.record.error = words
      state.record.received = map.count
      return state.record
    }
    // It may have been removed in the same moment.
    let mayBeRemoved = state.withLock(\.isRecorded)
    if (try? await store?.save(record, unlessRemoved: mayBeRemoved)) == false { file?.discardAll() }
  }
}

extension DownloadError {
  init(_ fault: MediaFault, largest: Int64) {
    switch fault {
    case .status(416): self = .rangeRefused
    case .status(let status): self = .status(status)
    case .transfer(let error): self = error.code == .tooLarge ? .tooLarge(limit: largest) : .transfer(error)
    case .notMedia(FirstBytes.nothing): self = .empty
    case .notMedia(let words): self = .notMedia(words)
    case .disk(let error): self = error
    // A download starts over where the file was changed, and its client is there from the beginning.
    case .changed: self = .rangeRefused
    case .offline: self = .transfer(.cancelled)
    }
  }
}
