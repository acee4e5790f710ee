internal import Playback
private import Synchronization
internal import System
internal import Transfer

/// One reading of a growing medium, on a thread of the engine.
final class GrowingStream: ByteStream {
  private let medium: GrowingMedium
  private let place = Mutex<Int64>(0)
  private let isCancelled = Mutex(false)
  private let isOpen = Mutex(true)
  /// Where there is no room for the file, it is played without one.
  private let detour = Mutex<HTTPByteStream?>(nil)

  /// Nobody minds a wait that is over before it is noticed.
  private static let patience = Duration.milliseconds(400)

  init(_ medium: GrowingMedium) { self.medium = medium }

  var size: Int64? {
    if let detour = detour.withLock({ $0 }) { return detour.size }
    medium.want(place.withLock { $0 })
    return medium.state.wait { state in
      let isKnown = state.total != nil || state.hasBegun && state.isSequential || state.fault != nil
      return isKnown || isCancelled.withLock { $0 } ? .some(state.total) : nil
    } ?? nil
  }

  func read(into target: UnsafeMutableRawBufferPointer) -> Int? {
    if let detour = detour.withLock({ $0 }) { return detour.read(into: target) }
    let place = place.withLock { $0 }
    medium.want(place)
    switch wait(for: place) {
    case .bytes(let count): return take(count, at: place, into: target)
    case .end(let isProven):
      if isProven { medium.note(.reachedEnd) }
      return 0
    case .gone: return nil
    case .broken(.disk):
      return goRound(from: place)?.read(into: target)
    case .broken(let fault):
      medium.note(.failed(fault))
      return nil
    }
  }

  func seek(to offset: Int64) -> Bool {
    if let detour = detour.withLock({ $0 }) { return detour.seek(to: offset) }
    guard !isCancelled.withLock({ $0 }), offset >= 0, medium.state.withLock({ $0.total.map { offset <= $0 } ?? true })
    else { return false }
    let isMove = place.withLock { place in
      defer { place = offset }
      return place != offset
    }
    if isMove { medium.note(.movedElsewhere) }
    medium.want(offset, isNew: true)
    return true
  }

  func cancel() {
    isCancelled.withLock { $0 = true }
    medium.state.change { _ in }
    detour.withLock { $0 }?.cancel()
  }

  func close() {
    cancel()
    let wasOpen = isOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    if wasOpen { medium.readerLeft() }
  }

  // MARK: Waiting

  private enum Outcome {
    case bytes(Int64)
    case end(isProven: Bool)
    case gone
    case broken(MediaFault)
  }

  private func wait(for place: Int64) -> Outcome {
    if let outcome = outcome(at: place, atMost: Self.patience) { return outcome }
    medium.tell(medium.state.withLock { $0.waitNote })
    defer { medium.tell(nil) }
    return outcome(at: place, atMost: nil) ?? .gone
  }

  private func outcome(at place: Int64, atMost limit: Duration?) -> Outcome? {
    medium.state.wait(atMost: limit) { state in
      if isCancelled.withLock({ $0 }) { return .gone }
      let end = state.map.end(from: place)
      if end > place { return .bytes(end - place) }
      if let total = state.total, place >= total { return .end(isProven: state.endIsProven) }
      return state.fault.map { .broken($0) }
    }
  }

  private func take(_ count: Int64, at place: Int64, into target: UnsafeMutableRawBufferPointer) -> Int? {
    let wanted = UnsafeMutableRawBufferPointer(rebasing: target[..<min(target.count, Int(clamping: count))])
    guard let count = medium.part.read(into: wanted, at: place), count > 0 else {
      medium.note(.failed(.disk(.fileSystem(path: medium.part.path, reason: "it cannot be read"))))
      return nil
    }
    self.place.withLock { $0 = place + Int64(count) }
    // Who knows where the data end does not ask for what comes after.
    let isEnd = medium.state.withLock { state in
      state.hasRead(Int64(count))
      return state.endIsProven && state.total == place + Int64(count)
    }
    if isEnd { medium.note(.reachedEnd) }
    return count
  }

  private func goRound(from place: Int64) -> HTTPByteStream? {
    guard let client = try? medium.client() else { return nil }
    let stream = HTTPByteStream(client, medium.request, patience: medium.patience) { [medium] in medium.note($0) }
    _ = stream.seek(to: place)
    detour.withLock { $0 = stream }
    if isCancelled.withLock({ $0 }) { stream.cancel() }
    return stream
  }
}

extension ByteStream {
  /// Waits until so many are read, or all there are.
  func bytes(_ count: Int, from place: Int64) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
      guard seek(to: place) else { return }
      while done < count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[done...])
        guard let got = read(into: rest), got > 0 else { return }
        done += got
      }
    }
  }
}
