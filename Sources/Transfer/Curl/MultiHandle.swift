internal import CCurl

/// libcurl's multi handle. Every call but `wake` is made on the loop's thread only.
///
/// `@unchecked Sendable`: what changes after `init` is the loop's thread's own.
final class MultiHandle: @unchecked Sendable {
  let curl: podcli_curl
  private let handle: OpaquePointer
  private let sockets: SocketWatch
  /// When libcurl wants to be called though nothing has happened.
  private var alarm: ContinuousClock.Instant?

  init(_ policy: ConnectionPolicy) throws(TransferError) {
    curl = try CurlLibrary.table()
    sockets = try SocketWatch()
    guard let handle = curl.curl_multi_init() else {
      sockets.close()
      throw TransferError(.failed, "libcurl is out of memory")
    }
    self.handle = OpaquePointer(handle)
    setCallbacks()
    set(CURLMOPT_MAX_TOTAL_CONNECTIONS, policy.total)
    set(CURLMOPT_MAX_HOST_CONNECTIONS, policy.perHost)
    set(CURLMOPT_MAXCONNECTS, policy.total)
  }

  private var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(handle) }

  private func set(_ option: CURLMoption, _ value: Int) {
    var curl = curl
    _ = podcli_curl_multi_set_long(&curl, raw, option, value)
  }

  private func setCallbacks() {
    var curl = curl
    podcli_curl_multi_set_callbacks(
      &curl, raw,
      { _, socket, what, context, _ in
        MultiHandle.from(context).sockets.watch(socket, for: what) ? 0 : -1
      },
      { _, milliseconds, context in
        MultiHandle.from(context).alarm = milliseconds < 0 ? nil : .now + .milliseconds(milliseconds)
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> MultiHandle {
    Unmanaged<MultiHandle>.fromOpaque(context!).takeUnretainedValue()
  }

  func wake() { sockets.wake() }

  /// No call but `wake` may follow.
  func free() { _ = curl.curl_multi_cleanup(raw) }

  deinit { sockets.close() }

  func add(_ easy: UnsafeMutableRawPointer) -> Bool { curl.curl_multi_add_handle(raw, easy) == CURLM_OK }
  func remove(_ easy: UnsafeMutableRawPointer) { _ = curl.curl_multi_remove_handle(raw, easy) }

  /// Waits until something arrives, libcurl's alarm is due, `wake`, or for `longest`, and lets libcurl work on it.
  func step(atMost longest: CInt) {
    sockets.wait(milliseconds: min(patience, longest), act)
    guard let alarm, alarm <= .now else { return }
    // Libcurl sets the next one while it works.
    self.alarm = nil
    act(on: CURL_SOCKET_TIMEOUT, 0)
  }

  /// Rounded up: a wait that ends too early is repeated again and again.
  private var patience: CInt {
    guard let alarm else { return 60_000 }
    let left = ContinuousClock.now.duration(to: alarm)
    return left <= .zero ? 0 : CInt(min(60_000, left / .milliseconds(1) + 1))
  }

  private func act(on socket: CInt, _ happening: CInt) {
    var running: CInt = 0
    _ = curl.curl_multi_socket_action(raw, socket, happening, &running)
  }

  func nextFinished() -> (id: UInt64, code: CURLcode)? {
    var left: Int32 = 0
    while let message = curl.curl_multi_info_read(raw, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else { continue }
      return (transferID(of: easy), message.pointee.data.result)
    }
    return nil
  }

  private func transferID(of easy: UnsafeMutableRawPointer) -> UInt64 {
    var curl = curl
    var context: UnsafePointer<CChar>?
    _ = podcli_curl_get_string(&curl, easy, CURLINFO_PRIVATE, &context)
    return UInt64(UInt(bitPattern: context))
  }
}
