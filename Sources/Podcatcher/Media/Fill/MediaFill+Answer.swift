internal import PodcastStore
internal import System
internal import Transfer

/// The consequences of an answer for the file.
extension MediaFill {
  /// Whether the bytes of this answer belong into the file; when not, the plan is asked again.
  func takes(
    _ head: HTTPHead, _ verdict: AnswerVerdict, isRanged: Bool, asked: Int64
  ) async throws(MediaFault) -> Bool {
    switch verdict {
    case .bytes:
      // Before a reader takes the length for that of a file.
      guard head.rendition.total != 0 else { throw .notMedia(FirstBytes.nothing) }
      if state.withLock({ $0.known == nil }) { try await startOver(head.rendition) }
      try adopt(head.rendition)
      // A download asks for a range again: another try may meet another server.
      if head.status == 200, isRanged, !policy.startsOver { state.change { $0.isSequential = true } }
      return true
    case .anotherFile(let isWhole):
      guard policy.startsOver else { throw .changed }
      try await startOver(isWhole ? head.rendition : Rendition())
      if isWhole { try adopt(head.rendition) }
      return isWhole
    case .rangeRefused where isEnd(asked, head):
      state.change { ($0.total, $0.endIsProven) = (asked, true) }
      return false
    case .wrongPosition:
      try await readWithoutRanges(head)
      return false
    case .rangeRefused:
      // A server that refuses ranges and breaks off the whole file, too, would do so for ever.
      guard !policy.startsOver || !state.withLock({ $0.wasRangeRefused }) else { throw .status(head.status) }
      state.change { $0.wasRangeRefused = true }
      try await readWithoutRanges(head)
      return false
    case .failed(let status): throw .status(status)
    }
  }

  /// The server gives no usable range of this file.
  private func readWithoutRanges(_ head: HTTPHead) async throws(MediaFault) {
    if policy.startsOver { return try await startOver(Rendition()) }
    guard !state.withLock({ $0.isSequential }) else { throw .status(head.status) }
    state.change { $0.isSequential = true }
  }

  /// Of a file whose length the server did not say.
  private func isEnd(_ asked: Int64, _ head: HTTPHead) -> Bool {
    let isLast = state.withLock { $0.total == nil && asked > 0 && $0.map.end == asked }
    return isLast && head["content-range"] == "bytes */\(asked)"
  }

  private func adopt(_ rendition: Rendition) throws(MediaFault) {
    let total = state.change { state in
      state.hasBegun = true
      state.record.total = state.record.total ?? rendition.total
      state.total = state.record.total
      state.endIsProven = state.total != nil
      state.isLengthUntold = state.total == nil
      return state.total
    }
    if let total, file != nil, total > limits.largest { throw .disk(.tooLarge(limit: limits.largest)) }
    try checkRoom()
  }

  /// Forgets every byte that is here. The record of them is taken back durably before they go and before a byte of the
  /// new rendition is written; so the library never vouches for the wrong bytes.
  func startOver(_ rendition: Rendition) async throws(MediaFault) {
    let (former, ranges) = state.withLock { ($0.record, $0.isRefused ? RangeMap() : $0.map) }
    if let file, !ranges.isEmpty { await events.isLeaving(former, ranges, file) }
    let isStale = state.change { state in
      defer { state.isRecordStale = false }
      state.forgetBytes()
      (state.total, state.endIsProven) = (rendition.total, rendition.total != nil)
      state.record.forgetBytes()
      state.record.begin(rendition)
      return state.isRecordStale
    }
    guard let file, isStale || file.size > 0 else { return }
    try await save(synced: false, durably: true, counts: true)
    do { try file.cut(to: 0) } catch { throw .disk(error) }
    file.note(RangeMap(), of: state.withLock { $0.record.rendition } ?? "")
  }
}
