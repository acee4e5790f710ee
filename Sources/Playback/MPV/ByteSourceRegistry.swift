internal import CMPV
private import Glibc
private import Synchronization

/// Byte sources by the address that libmpv knows them by, `podcli://NUMBER`.
///
/// libmpv calls back on threads of its own. The registry outlives the core that it is registered with:
/// `MPVHandle` holds both, and frees the core first.
final class ByteSourceRegistry: Sendable {
  private struct State {
    var sources: [UInt64: any ByteSource] = [:]
    var open: [ObjectIdentifier: any ByteStream] = [:]
    /// Every cookie that libmpv was given, closed or not: it may call `cancel_fn` after `close_fn`.
    var cookies: [Reading] = []
    var count: UInt64 = 0
    var isCancelled = false
  }

  private static let scheme = "podcli"
  private let state = Mutex(State())

  func address(of source: any ByteSource) -> String {
    let number = state.withLock { state in
      state.count += 1
      // One plays and the next may be waiting; those before are not opened again.
      state.sources = state.sources.filter { $0.key + 1 >= state.count }
      state.sources[state.count] = source
      return state.count
    }
    return "\(Self.scheme)://\(number)"
  }

  func register(with mpv: podcli_mpv, _ core: OpaquePointer) -> Int32 {
    let context = Unmanaged.passUnretained(self).toOpaque()
    return mpv.mpv_stream_cb_add_ro(core, Self.scheme, context) { context, address, info in
      guard let context, let address, let info else { return MPV_ERROR_LOADING_FAILED.rawValue }
      let registry = Unmanaged<ByteSourceRegistry>.fromOpaque(context).takeUnretainedValue()
      return registry.open(String(cString: address), &info.pointee) ? 0 : MPV_ERROR_LOADING_FAILED.rawValue
    }
  }

  func cancelAll() {
    let streams = state.withLock { state in
      state.isCancelled = true
      return Array(state.open.values)
    }
    for stream in streams { stream.cancel() }
  }

  /// Opens a stream and fills in its callbacks. False when there is none.
  func open(_ address: String, _ info: inout mpv_stream_cb_info) -> Bool {
    guard let number = UInt64(address.drop { !$0.isNumber }) else { return false }
    let source = state.withLock { $0.isCancelled ? nil : $0.sources[number] }
    guard let stream = source?.open() else { return false }
    let reading = Reading(stream, in: self)
    let isCancelled = state.withLock { state in
      state.open[ObjectIdentifier(stream)] = stream
      state.cookies.append(reading)
      return state.isCancelled
    }
    if isCancelled { stream.cancel() }
    reading.fill(&info)
    return true
  }

  fileprivate func forget(_ stream: any ByteStream) {
    state.withLock { _ = $0.open.removeValue(forKey: ObjectIdentifier(stream)) }
  }
}

/// The cookie behind libmpv's callbacks. The registry keeps it for as long as the core lives: libmpv takes its `cancel_fn`
/// off only after `close_fn`, so that another thread may still be calling it. The stream goes when it is closed.
private final class Reading: Sendable {
  private let stream: Mutex<(any ByteStream)?>
  private unowned let registry: ByteSourceRegistry

  init(_ stream: any ByteStream, in registry: ByteSourceRegistry) {
    self.stream = Mutex(stream)
    self.registry = registry
  }

  func fill(_ info: inout mpv_stream_cb_info) {
    info.cookie = Unmanaged.passUnretained(self).toOpaque()
    info.read_fn = { cookie, buffer, count in
      let buffer = UnsafeMutableRawBufferPointer(start: buffer, count: Int(clamping: count))
      return Reading.stream(of: cookie)?.read(into: buffer).map { Int64($0) } ?? -1
    }
    info.seek_fn = { cookie, offset in
      Reading.stream(of: cookie)?.seek(to: offset) == true ? offset : Int64(MPV_ERROR_GENERIC.rawValue)
    }
    info.size_fn = { cookie in
      Reading.stream(of: cookie)?.size ?? Int64(MPV_ERROR_UNSUPPORTED.rawValue)
    }
    info.cancel_fn = { cookie in Reading.stream(of: cookie)?.cancel() }
    info.close_fn = { cookie in Reading.of(cookie).close() }
  }

  private func close() {
    guard let stream = stream.withLock({ $0.take() }) else { return }
    registry.forget(stream)
    stream.close()
  }

  /// Nil once it is closed. No lock is held while a callback waits in it.
  private static func stream(of cookie: UnsafeMutableRawPointer?) -> (any ByteStream)? {
    of(cookie).stream.withLock { $0 }
  }

  private static func of(_ cookie: UnsafeMutableRawPointer?) -> Reading {
    Unmanaged<Reading>.fromOpaque(cookie!).takeUnretainedValue()
  }
}
