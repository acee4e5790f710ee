internal import Playback
private import Synchronization
internal import System

/// One reading of a streamed media file, on a thread of the engine.
final class MediaReader: ByteStream {
  private let media: StreamedMedia
  private let offset = Mutex<Int64>(0)
  private let isCancelled = Mutex(false)
  private let isOpen = Mutex(true)
  /// Replaces this reader where the disk takes no more bytes.
  private let detour = Mutex<MediaReader?>(nil)

  /// A shorter wait is not worth a note.
  private static let patience = Duration.milliseconds(400)

  init(_ media: StreamedMedia) { self.media = media }

  var size: Int64? {
    if let detour = detour.withLock({ $0 }) { return detour.size }
    media.want(offset.withLock { $0 })
    let size = waitForSize()
    if size == nil, !isCancelled.withLock({ $0 }) { media.note(.sizeUntold) }
    return size
  }

  private func waitForSize() -> Int64? {
    media.fill.state.wait { state in
      // In memory no more is fetched before the first read, and of a file no more than is near the reader: an answer
      // without a length tells all there is to know.
      let isAnswered = state.hasBegun && (state.isSequential || state.window != nil) || state.isLengthUntold
      let isKnown = state.total != nil || isAnswered || state.fault != nil
      return isKnown || isCancelled.withLock { $0 } ? .some(state.total) : nil
    } ?? nil
  }

  func read(into target: UnsafeMutableRawBufferPointer) -> Int? {
    if let detour = detour.withLock({ $0 }) { return detour.read(into: target) }
    let offset = offset.withLock { $0 }
    if media.isBehindSound(offset) { return 0 }
    media.want(offset)
    switch wait(for: offset) {
    case .bytes(let count): return take(count, at: offset, into: target)
    case .end(let isProven):
      if isProven { media.note(.reachedEnd) }
      return 0
    case .cancelled: return nil
    case .failed(.disk): return takeDetour(from: offset)?.read(into: target)
    case .failed(let fault):
      media.note(.failed(fault))
      return nil
    }
  }

  func seek(to target: Int64) -> Bool {
    if let detour = detour.withLock({ $0 }) { return detour.seek(to: target) }
    let end = media.fill.state.withLock { $0.total } ?? FillLimits.believable
    guard !isCancelled.withLock({ $0 }), (0...end).contains(target) else { return false }
    let isMove = offset.withLock { offset in
      defer { offset = target }
      return offset != target
    }
    if isMove { media.note(.movedElsewhere) }
    media.want(target, isNew: true)
    return true
  }

  func cancel() {
    isCancelled.withLock { $0 = true }
    media.fill.state.change { _ in }
    // Nothing else would end its transfer where this reader is never closed.
    detour.withLock { $0 }?.close()
  }

  func close() {
    cancel()
    let wasOpen = isOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    if wasOpen { media.readerLeft() }
  }

  // MARK: Waiting

  private enum Outcome {
    case bytes(Int64)
    case end(isProven: Bool)
    case cancelled
    case failed(MediaFault)
  }

  private func wait(for offset: Int64) -> Outcome {
    if let outcome = outcome(at: offset, atMost: Self.patience) { return outcome }
    media.tell(media.fill.state.withLock { $0.waitNote })
    defer { media.tell(nil) }
    return outcome(at: offset, atMost: nil) ?? .cancelled
  }

  private func outcome(at offset: Int64, atMost limit: Duration?) -> Outcome? {
    media.fill.state.wait(atMost: limit) { state in
      if isCancelled.withLock({ $0 }) { return .cancelled }
      if let total = state.total, offset >= total { return .end(isProven: state.endIsProven) }
      let end = state.map.end(from: offset)
      if end > offset { return .bytes(end - offset) }
      return state.fault.map { .failed($0) }
    }
  }

  private func take(_ count: Int64, at offset: Int64, into target: UnsafeMutableRawBufferPointer) -> Int? {
    let wanted = UnsafeMutableRawBufferPointer(rebasing: target[..<min(target.count, Int(clamping: count))])
    guard let count = media.fill.read(into: wanted, at: offset), count > 0 else {
      // In memory the bytes of an older request may have replaced the ones that were just here.
      if media.fill.file == nil { return read(into: target) }
      media.note(.failed(.disk(.fileSystem(path: media.fill.file?.path ?? "", reason: "it cannot be read"))))
      return nil
    }
    let end = offset + Int64(count)
    self.offset.withLock { $0 = end }
    // A reader that knows the size does not ask for what comes after the last byte.
    let isEnd = media.fill.state.withLock { state in
      state.hasRead(Int64(count))
      return state.endIsProven && (state.total == end || state.soundEnds(from: offset, to: end))
    }
    if isEnd || media.soundEnd == end { media.note(.reachedEnd) }
    return count
  }

  private func takeDetour(from offset: Int64) -> MediaReader? {
    guard let reader = media.inMemory(from: offset).openReader() else { return nil }
    _ = reader.seek(to: offset)
    detour.withLock { $0 = reader }
    if isCancelled.withLock({ $0 }) { reader.close() }
    return reader
  }
}

extension ByteStream {
  /// Waits until `count` bytes are read, or all there are.
  func bytes(_ count: Int, from offset: Int64) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
      guard seek(to: offset) else { return }
      while done < count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[done...])
        guard let got = read(into: rest), got > 0 else { return }
        done += got
      }
    }
  }
}
