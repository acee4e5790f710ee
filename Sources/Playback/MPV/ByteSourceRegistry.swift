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
      guard let reading = registry.open(String(cString: address)) else { return MPV_ERROR_LOADING_FAILED.rawValue }
      reading.fill(&info.pointee)
      return 0
    }
  }

  func cancelAll() {
    let streams = state.withLock { state in
      state.isCancelled = true
      return Array(state.open.values)
    }
    for stream in streams { stream.cancel() }
  }

  private func open(_ address: String) -> Reading? {
    guard let number = UInt64(address.drop { !$0.isNumber }) else { return nil }
    let source = state.withLock { $0.isCancelled ? nil : $0.sources[number] }
    guard let stream = source?.open() else { return nil }
    let isCancelled = state.withLock { state in
      state.open[ObjectIdentifier(stream)] = stream
      return state.isCancelled
    }
    if isCancelled { stream.cancel() }
    return Reading(stream, in: self)
  }

  fileprivate func forget(_ stream: any ByteStream) {
    state.withLock { _ = $0.open.removeValue(forKey: ObjectIdentifier(stream)) }
  }
}

/// The cookie behind libmpv's callbacks: retained when handed over, released by `close_fn`.
private final class Reading {
  private let stream: any ByteStream
  private let registry: ByteSourceRegistry

  init(_ stream: any ByteStream, in registry: ByteSourceRegistry) {
    self.stream = stream
    self.registry = registry
  }

  func fill(_ info: inout mpv_stream_cb_info) {
    info.cookie = Unmanaged.passRetained(self).toOpaque()
    info.read_fn = { cookie, buffer, count in
      Reading.of(cookie).read(UnsafeMutableRawBufferPointer(start: buffer, count: Int(clamping: count)))
    }
    info.seek_fn = { cookie, offset in
      Reading.of(cookie).stream.seek(to: offset) ? offset : Int64(MPV_ERROR_GENERIC.rawValue)
    }
    info.size_fn = { cookie in
      Reading.of(cookie).stream.size ?? Int64(MPV_ERROR_UNSUPPORTED.rawValue)
    }
    info.cancel_fn = { cookie in Reading.of(cookie).stream.cancel() }
    info.close_fn = { cookie in
      guard let cookie else { return }
      Unmanaged<Reading>.fromOpaque(cookie).takeRetainedValue().close()
    }
  }

  private func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int64 {
    stream.read(into: buffer).map { Int64($0) } ?? -1
  }

  private func close() {
    registry.forget(stream)
    stream.close()
  }

  private static func of(_ cookie: UnsafeMutableRawPointer?) -> Reading {
    Unmanaged<Reading>.fromOpaque(cookie!).takeUnretainedValue()
  }
}
