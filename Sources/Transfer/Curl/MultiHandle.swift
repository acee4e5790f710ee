internal import CCurl

/// libcurl's multi handle. Every call but `wake` is made on the loop's thread only.
///
/// `@unchecked Sendable`: nothing in it changes after `init`, libcurl documents `curl_multi_wakeup` as safe
/// from any thread, and `CurlLoop` lets no `wake` come after `free`.
final class MultiHandle: @unchecked Sendable {
  let curl: podcli_curl
  private let handle: OpaquePointer

  init(_ policy: ConnectionPolicy) throws(TransferError) {
    curl = try CurlLibrary.table()
    guard let handle = curl.curl_multi_init() else { throw TransferError(.failed, "libcurl is out of memory") }
    self.handle = OpaquePointer(handle)
    set(CURLMOPT_MAX_TOTAL_CONNECTIONS, policy.total)
    set(CURLMOPT_MAX_HOST_CONNECTIONS, policy.perHost)
    set(CURLMOPT_MAXCONNECTS, policy.total)
  }

  private var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(handle) }

  private func set(_ option: CURLMoption, _ value: Int) {
    var curl = curl
    _ = podcli_curl_multi_set_long(&curl, raw, option, value)
  }

  func wake() { _ = curl.curl_multi_wakeup(raw) }
  func free() { _ = curl.curl_multi_cleanup(raw) }

  func add(_ easy: UnsafeMutableRawPointer) -> Bool { curl.curl_multi_add_handle(raw, easy) == CURLM_OK }
  func remove(_ easy: UnsafeMutableRawPointer) { _ = curl.curl_multi_remove_handle(raw, easy) }

  func perform() {
    var running: Int32 = 0
    _ = curl.curl_multi_perform(raw, &running)
  }

  /// Until something arrives, a timer of libcurl's is due, or `wake`.
  func wait() {
    _ = curl.curl_multi_poll(raw, nil, 0, 60_000, nil)
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
