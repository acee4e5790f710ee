import Playback
import Synchronization
import TestSupport

/// A media file in memory.
final class ArraySource: ByteSource {
  private let bytes: [UInt8]
  private let opened = Atomic(0)
  private let closed = Atomic(0)
  private let onOpen: @Sendable () -> Void

  init(_ bytes: [UInt8], onOpen: @escaping @Sendable () -> Void = {}) {
    self.bytes = bytes
    self.onOpen = onOpen
  }

  var openCount: Int { opened.load(ordering: .relaxed) }
  var closeCount: Int { closed.load(ordering: .relaxed) }

  func open() -> (any ByteStream)? {
    opened.add(1, ordering: .relaxed)
    onOpen()
    return ArrayStream(bytes) { [self] in closed.add(1, ordering: .relaxed) }
  }
}

private final class ArrayStream: ByteStream {
  private let bytes: [UInt8]
  private let position = Mutex(0)
  private let onClose: @Sendable () -> Void

  init(_ bytes: [UInt8], _ onClose: @escaping @Sendable () -> Void) {
    self.bytes = bytes
    self.onClose = onClose
  }

  var size: Int64? { Int64(bytes.count) }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    position.withLock { position in
      let count = min(buffer.count, bytes.count - position)
      bytes.withUnsafeBytes { buffer.copyMemory(from: .init(rebasing: $0[position..<position + count])) }
      position += count
      return count
    }
  }

  func seek(to offset: Int64) -> Bool {
    position.withLock { $0 = Int(offset) }
    return true
  }

  func cancel() {}
  func close() { onClose() }
}

struct NoSource: ByteSource {
  func open() -> (any ByteStream)? { nil }
}

/// Gives no byte until it is cancelled.
final class SilentSource: ByteSource, ByteStream {
  private struct State {
    var isRead = false
    var isCancelled = false
  }

  private let state = Observed(State())

  var isCancelled: Bool { state.value.isCancelled }
  func wasRead() async throws { try await state.wait(for: "a read") { $0.isRead } }
  func blockUntilRead() { _ = state.blockingWait(Deadline()) { $0.isRead ? true : nil } }
  func wasCancelled() async throws { try await state.wait(for: "its end") { $0.isCancelled } }

  func open() -> (any ByteStream)? { self }
  var size: Int64? { nil }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    state.update { $0.isRead = true }
    _ = state.blockingWait(Deadline(after: .seconds(20))) { $0.isCancelled ? true : nil }
    return nil
  }

  func seek(to offset: Int64) -> Bool { false }
  func cancel() { state.update { $0.isCancelled = true } }
  func close() {}
}
