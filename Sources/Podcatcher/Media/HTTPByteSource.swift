internal import Playback
internal import System
internal import Transfer

/// A medium read over HTTP: in order while it plays, from another byte range after a seek.
/// A connection that breaks is taken up again where it broke, so the engine only ever sees a slow read.
final class HTTPByteSource: TellingSource {
  private let client: HTTPClient
  private let request: HTTPRequest
  private let patience: Duration
  private let outcome = ReadingOutcome()

  init(_ client: HTTPClient, _ request: HTTPRequest, patience: Duration) {
    self.client = client
    self.patience = patience
    self.request = request
  }

  func open() -> (any ByteStream)? {
    outcome.reset()
    return HTTPByteStream(client, request, patience: patience) { [outcome] progress in outcome.note(progress) }
  }

  var fault: MediaFault? { outcome.fault }
  var wasReadToItsEnd: Bool { outcome.wasReadToItsEnd }
}

/// One reading. The engine's thread waits in `read`; bytes arrive on the client's thread.
final class HTTPByteStream: EagerStream {
  private let client: HTTPClient
  private let request: HTTPRequest
  private let report: @Sendable (ReadingProgress) -> Void
  private let patience: Duration
  private let state: WaitableState<State>

  fileprivate struct State {
    var buffer = ByteQueue()
    /// Of the next byte that `read` returns.
    var position: Int64 = 0
    var size: Int64?
    var validator: String?
    var transfer: (handle: TransferHandle, generation: Int)?
    var generation = 0
    var isPaused = false
    var hasHead = false
    /// The answer itself says where it ends, so a connection that is closed too early is an error.
    var isDelimited = false
    /// Bytes to drop because the server sent the file from its start.
    var skip: Int64 = 0
    var ended: Result<Void, MediaFault>?
    var retry: RetrySchedule
    var isCancelled = false
  }

  private static let bufferSize = 2 << 20

  init(
    _ client: HTTPClient, _ request: HTTPRequest, patience: Duration = RetrySchedule.patience,
    _ report: @escaping @Sendable (ReadingProgress) -> Void
  ) {
    self.patience = patience
    state = WaitableState(State(retry: RetrySchedule(patience: patience)))
    self.client = client
    self.request = request
    self.report = report
  }

  func begin() { ensureTransfer() }

  var size: Int64? {
    ensureTransfer()
    return state.wait { state in
      state.hasHead || state.ended != nil || state.isCancelled ? .some(state.size) : nil
    } ?? nil
  }

  func read(into target: UnsafeMutableRawBufferPointer) -> Int? {
    while true {
      ensureTransfer()
      switch waitForBytes(target) {
      case .bytes(let count):
        resumeIfDrained()
        // Who knows where the data end does not ask for what comes after.
        if state.withLock({ $0.position == $0.size }) { report(.reachedEnd) }
        return count
      case .end:
        if state.withLock({ $0.size != nil || $0.isDelimited }) { report(.reachedEnd) }
        return 0
      case .gone: return nil
      case .broken(let fault):
        guard waitBeforeRetry(fault) else { return nil }
      }
    }
  }

  func seek(to offset: Int64) -> Bool {
    if state.withLock({ $0.position == offset && !$0.isCancelled }) { return true }
    report(.movedElsewhere)
    let old = state.change { state -> TransferHandle?? in
      guard !state.isCancelled, offset >= 0, state.size.map({ offset <= $0 }) ?? true else { return nil }
      let distance = offset - state.position
      if distance > 0, distance <= Int64(state.buffer.count) {
        state.buffer.drop(Int(distance))
        state.position = offset
        return .some(nil)
      }
      defer { state.abandonTransfer(movingTo: offset) }
      return .some(state.transfer?.handle)
    }
    guard let old else { return false }
    old?.cancel()
    // What was skipped over may have been all there was, with the sender told to wait.
    resumeIfDrained()
    return true
  }

  func cancel() {
    let handle = state.change { state in
      state.isCancelled = true
      return state.transfer?.handle
    }
    handle?.cancel()
  }

  func close() { cancel() }
}

// MARK: - Reading

extension HTTPByteStream {
  private enum Outcome {
    case bytes(Int)
    case end
    case gone
    case broken(MediaFault)
  }

  private func waitForBytes(_ target: UnsafeMutableRawBufferPointer) -> Outcome {
    state.wait { state -> Outcome? in
      if state.isCancelled { return .gone }
      if state.buffer.count > 0 {
        let count = state.buffer.take(into: target)
        state.position += Int64(count)
        state.retry = RetrySchedule(patience: patience)
        return .bytes(count)
      }
      switch state.ended {
      case nil: return nil
      case .failure(let fault): return .broken(fault)
      case .success:
        // A known length that was not reached is a broken connection that nobody reported.
        guard let size = state.size, state.position < size else { return .end }
        return .broken(.transfer(TransferError(.cut, "the answer ended early")))
      }
    } ?? .gone
  }

  private func resumeIfDrained() {
    let handle = state.change { state -> TransferHandle? in
      guard state.isPaused, state.buffer.count < Self.bufferSize / 2 else { return nil }
      state.isPaused = false
      return state.transfer?.handle
    }
    handle?.resume()
  }

  /// False when there is no point in waiting any longer.
  private func waitBeforeRetry(_ fault: MediaFault) -> Bool {
    let (pause, broken) = state.change { state -> (Duration?, TransferHandle?) in
      let broken = state.transfer?.handle
      // Nothing was heard yet, so the user is waiting for an answer: say at once that there is none.
      let pause = state.hasHead && fault.mayPass ? state.retry.next() : nil
      if pause != nil { state.abandonTransfer(movingTo: state.position) }
      return (pause, broken)
    }
    // It may still be sending what nobody wants.
    broken?.cancel()
    guard let pause else {
      report(.failed(fault))
      return false
    }
    let isCancelled = state.wait(atMost: pause) { $0.isCancelled ? true : nil }
    return isCancelled == nil
  }

  private func ensureTransfer() {
    let start = state.withLock { state -> (Int, Int64, String?)? in
      guard state.transfer == nil, state.ended == nil, !state.isCancelled else { return nil }
      return (state.generation, state.position, state.validator)
    }
    guard let (generation, position, validator) = start else { return }
    if let size = state.withLock({ $0.size }), position >= size {
      state.change { $0.ended = .success(()) }
      return
    }
    var request = request
    request.range = ByteRange(from: position)
    if let validator { request.headers.append(.init("If-Range", validator)) }
    let receiver = RangeReceiver(stream: self, generation: generation)
    let handle = client.start(request, receiver: receiver)
    let isStale = state.change { state in
      guard state.generation == generation, !state.isCancelled else { return true }
      state.transfer = (handle, generation)
      return false
    }
    if isStale { handle.cancel() }
  }
}

extension HTTPByteStream.State {
  mutating func abandonTransfer(movingTo offset: Int64) {
    generation += 1
    transfer = nil
    ended = nil
    isPaused = false
    skip = 0
    buffer = ByteQueue()
    position = offset
  }
}

// MARK: - Arriving

/// What arrives for one range; ignored once the stream has moved on.
private final class RangeReceiver: TransferReceiver {
  private let stream: HTTPByteStream
  private let generation: Int

  init(stream: HTTPByteStream, generation: Int) {
    self.stream = stream
    self.generation = generation
  }

  func didReceive(_ head: HTTPHead) { stream.take(head, generation) }
  func didReceive(_ bytes: UnsafeRawBufferPointer) -> Bool { stream.take(bytes, generation) }
  func didEnd(_ result: Result<HTTPHead, TransferError>) { stream.finish(result, generation) }
}

extension HTTPByteStream {
  fileprivate func take(_ head: HTTPHead, _ generation: Int) {
    state.change { state in
      guard state.generation == generation else { return }
      state.take(head)
    }
  }

  fileprivate func take(_ bytes: UnsafeRawBufferPointer, _ generation: Int) -> Bool {
    state.change { state in
      guard state.generation == generation, state.ended == nil else { return true }
      guard state.buffer.count < Self.bufferSize else {
        state.isPaused = true
        return false
      }
      let skipped = min(Int(state.skip), bytes.count)
      state.skip -= Int64(skipped)
      state.buffer.append(UnsafeRawBufferPointer(rebasing: bytes[skipped...]))
      return true
    }
  }

  fileprivate func finish(_ result: Result<HTTPHead, TransferError>, _ generation: Int) {
    state.change { state in
      guard state.generation == generation, state.ended == nil else { return }
      state.ended = result.map { _ in }.mapError { .transfer($0) }
    }
  }
}

extension HTTPByteStream.State {
  fileprivate mutating func take(_ head: HTTPHead) {
    switch head.status {
    case 206 where head.firstByte == position: adopt(head, size: head.totalSize)
    case 200: adoptWhole(head)
    case 416 where size == nil || position >= size ?? 0: ended = .success(())
    default: ended = .failure(.status(head.status))
    }
  }

  private mutating func adopt(_ head: HTTPHead, size total: Int64?) {
    if let size, let total, size != total {
      ended = .failure(.changed)
      return
    }
    size = size ?? total
    validator = validator ?? head.strongValidator
    hasHead = true
    isDelimited = head["content-length"] != nil || head.marksItsEnd
  }

  /// The server knows no ranges, or the file changed: only the same file may be read on, from its start.
  private mutating func adoptWhole(_ head: HTTPHead) {
    if let validator, let theirs = head.strongValidator, theirs != validator {
      ended = .failure(.changed)
      return
    }
    adopt(head, size: head.length)
    skip = position
  }
}
