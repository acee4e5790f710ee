internal import CCurl
private import Glibc

/// One easy handle, from its options to its verdict. Lives on the loop's thread.
final class CurlTransfer {
  private let curl: podcli_curl
  private let easy: UnsafeMutableRawPointer
  private let isSecure: Bool
  /// With its port: those of one host share a connection.
  let host: Substring
  private var isPaused = false
  /// Of its last bytes, or its last pause.
  private var lastNews = ContinuousClock.now
  /// How long it may be silent until the connection is read again.
  private var silence = firstSilence
  /// Longer than most servers take from one packet to the next.
  static let firstSilence = Duration.milliseconds(200)
  private var bytesSinceTries = 0
  /// A transfer that is slow enough to be given up has less in all of its tries.
  private static let bytesForTries = 16 << 10
  private let receiver: any TransferReceiver
  private let byteLimit: Int64?
  private let whenConnecting: (@Sendable () -> Void)?
  private var headerList: UnsafeMutablePointer<curl_slist>?
  private var collector: HeadCollector
  private var head: HTTPHead?
  private var decoder = ContentDecoder()
  private var received: Int64 = 0
  /// A packed body that ends in the middle was cut. Of a document that asks for packing the reader sees whether it is whole:
  /// some servers leave out the end of the packing alone.
  private var mustEndPacking = false
  /// Why a callback of ours made libcurl stop; libcurl only knows that one did.
  private var ownVerdict: TransferError?
  /// How many bytes of a media file libcurl hands on at a time, at most.
  private static let portion = 512 << 10
  private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

  /// Reports a request that cannot be started at once, and returns nil.
  static func begin(
    _ request: HTTPRequest, as agent: String, id: UInt64, receiver: any TransferReceiver, in multi: MultiHandle
  ) -> CurlTransfer? {
    if let fault = AddressGate.fault(in: request.url) {
      receiver.didEnd(.failure(TransferError(.badAddress, fault)))
      return nil
    }
    guard let easy = multi.curl.curl_easy_init() else {
      receiver.didEnd(.failure(TransferError(.failed, "libcurl is out of memory")))
      return nil
    }
    let transfer = CurlTransfer(multi.curl, easy, receiver, request)
    transfer.configure(request, as: agent, id: id)
    guard multi.add(easy) else {
      transfer.end(.failure(TransferError(.failed, "libcurl refused the transfer")), in: multi)
      return nil
    }
    return transfer
  }

  private init(
    _ curl: podcli_curl, _ easy: UnsafeMutableRawPointer, _ receiver: any TransferReceiver, _ request: HTTPRequest
  ) {
    self.curl = curl
    self.easy = easy
    self.receiver = receiver
    byteLimit = request.limits.bytes
    isSecure = request.url.hasPrefix("https")
    let parts = request.url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    host = parts.count > 2 ? parts[2] : ""
    whenConnecting = request.whenConnecting
    collector = HeadCollector(patience: request.limits.stall / 2)
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit { errorText.deallocate() }

  /// Returns how the transfer ended, if it did: libcurl hands on the bytes it has kept during this call, and when they are
  /// refused it reports that only here.
  func unpause() -> Result<HTTPHead, TransferError>? {
    isPaused = false
    renewTries()
    return goOn()
  }

  /// Frees everything, then tells the receiver: the last thing that happens.
  func end(_ result: Result<HTTPHead, TransferError>, in multi: MultiHandle) {
    multi.remove(easy)
    curl.curl_easy_cleanup(easy)
    if let headerList { curl.curl_slist_free_all(headerList) }
    receiver.didEnd(result)
  }

  /// HTTP/2 has many transfers on one connection. libcurl (7.88 surely) reads bytes of several of them at once, and where one
  /// of them ends or was paused, it forgets the rest until the socket has more: after the last bytes of the server, for ever.
  var mayBeForgotten: Bool { !isPaused && silence < .seconds(4) && (head == nil ? mayShare : sharesConnection) }

  var sharesConnection: Bool { collector.version > 1 }
  /// Before its answer is known. A redirect may lead to such a server.
  private var mayShare: Bool { isSecure || collector.status / 100 == 3 }

  /// After some silence, has libcurl look for such bytes, as it does when a pause ends: nothing else makes it read a connection
  /// whose socket has none. The transfer may have ended then, as in `unpause`.
  func readAgain(now: ContinuousClock.Instant) -> Result<HTTPHead, TransferError>? {
    guard mayBeForgotten, now - lastNews >= silence else { return nil }
    // A pause that ends begins the time anew in which libcurl wants more bytes: so there are a few tries, and new ones only
    // after many bytes, or after the end of another transfer.
    silence *= 2
    guard curl.curl_easy_pause(easy, CURLPAUSE_RECV) == CURLE_OK else { return nil }
    return goOn()
  }

  private func goOn() -> Result<HTTPHead, TransferError>? {
    let code = curl.curl_easy_pause(easy, CURLPAUSE_CONT)
    return code == CURLE_OK ? nil : verdict(code)
  }

  private func noteBytes(_ count: Int) {
    lastNews = .now
    bytesSinceTries += count
    if bytesSinceTries >= Self.bytesForTries { renewTries() }
  }

  /// Another transfer ended, and bytes of this one may have come with its last ones.
  func renewTries() {
    guard silence > Self.firstSilence else { return }
    (lastNews, silence, bytesSinceTries) = (.now, Self.firstSilence, 0)
  }

  func verdict(_ code: CURLcode) -> Result<HTTPHead, TransferError> {
    // It has said no; whatever went wrong with the page about that changes nothing.
    if let head, head.status != 0, !head.isSuccess { return .success(head) }
    if let ownVerdict { return .failure(ownVerdict) }
    guard code == CURLE_OK else { return .failure(TransferError(curl: code, text: String(cString: errorText))) }
    announceHead()
    guard let head, head.status != 0 else {
      return .failure(TransferError(.badAnswer, "the answer is not HTTP"))
    }
    guard !mustEndPacking || decoder.isAtEnd else { return .failure(TransferError(.cut, "the connection broke off")) }
    return .success(head)
  }
}

// MARK: - Options

extension CurlTransfer {
  private func configure(_ request: HTTPRequest, as agent: String, id: UInt64) {
    set(CURLOPT_PRIVATE, UnsafeMutableRawPointer(bitPattern: UInt(id)))
    set(CURLOPT_ERRORBUFFER, errorText)
    set(CURLOPT_URL, request.url)
    set(CURLOPT_USERAGENT, agent)
    setSafety()
    setLimits(request.limits)
    setCallbacks()
    mustEndPacking = !request.acceptsCompression
    set(CURLOPT_ACCEPT_ENCODING, request.acceptsCompression ? ContentDecoder.accepted : "identity")
    set(CURLOPT_HTTP_CONTENT_DECODING, 0)
    set(CURLOPT_BUFFERSIZE, request.acceptsCompression ? 16 << 10 : Self.portion)
    // Where a host may speak HTTP/2, others wait for its first connection: it may carry them all.
    set(CURLOPT_PIPEWAIT, isSecure ? 1 : 0)
    set(CURLOPT_FOLLOWLOCATION, request.followsRedirects && request.method == .get ? 1 : 0)
    if request.method != .get { setBody(of: request) }
    if let range = request.range { set(CURLOPT_RANGE, range.headerValue) }
    if let credentials = request.credentials {
      set(CURLOPT_USERNAME, credentials.user)
      set(CURLOPT_PASSWORD, credentials.password)
    }
    setHeaders(request.headers)
  }

  /// libcurl copies the body, whose size it must know before.
  private func setBody(of request: HTTPRequest) {
    set(CURLOPT_POST, 1)
    set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
    setOffset(CURLOPT_POSTFIELDSIZE_LARGE, Int64(request.body.count))
    var body = request.body + [0]
    body.withUnsafeMutableBytes { set(CURLOPT_COPYPOSTFIELDS, $0.baseAddress) }
  }

  private func setSafety() {
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
    set(CURLOPT_MAXREDIRS, 10)
    set(CURLOPT_UNRESTRICTED_AUTH, 0)
    // libcurl has a CA file compiled in and does not look at the variable that other programs honour.
    if let authorities = getenv("SSL_CERT_FILE"), authorities[0] != 0 {
      set(CURLOPT_CAINFO, String(cString: authorities))
    }
  }

  private func setLimits(_ limits: TransferLimits) {
    set(CURLOPT_CONNECTTIMEOUT_MS, limits.connect.wholeMilliseconds)
    set(CURLOPT_LOW_SPEED_LIMIT, 100)
    set(CURLOPT_LOW_SPEED_TIME, max(1, limits.stall.wholeMilliseconds / 1000))
    if let total = limits.total { set(CURLOPT_TIMEOUT_MS, total.wholeMilliseconds) }
    if let bytes = limits.bytes { setOffset(CURLOPT_MAXFILESIZE_LARGE, bytes) }
  }

  private func setCallbacks() {
    let context = Unmanaged.passUnretained(self).toOpaque()
    set(CURLOPT_WRITEDATA, context)
    set(CURLOPT_HEADERDATA, context)
    setCallback(CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      let transfer = Unmanaged<CurlTransfer>.fromOpaque(context!).takeUnretainedValue()
      return transfer.takeBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
    }
    setCallback(CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
      let transfer = Unmanaged<CurlTransfer>.fromOpaque(context!).takeUnretainedValue()
      return transfer.takeHeaderLine(UnsafeRawBufferPointer(start: bytes, count: size * count))
    }
    guard whenConnecting != nil else { return }
    set(CURLOPT_SOCKOPTDATA, context)
    var curl = curl
    _ = podcli_curl_set_socket_callback(&curl, easy, CURLOPT_SOCKOPTFUNCTION) { context, _, _ in
      Unmanaged<CurlTransfer>.fromOpaque(context!).takeUnretainedValue().whenConnecting?()
      return CURL_SOCKOPT_OK
    }
  }

  private func setHeaders(_ headers: [HTTPRequest.Header]) {
    for header in headers where !(header.name + header.value).utf8.contains(where: { $0 < 32 }) {
      headerList = curl.curl_slist_append(headerList, header.name + ": " + header.value) ?? headerList
    }
    set(CURLOPT_HTTPHEADER, headerList)
  }

  private func set(_ option: CURLoption, _ value: Int) {
    var curl = curl
    _ = podcli_curl_set_long(&curl, easy, option, value)
  }

  private func setOffset(_ option: CURLoption, _ value: Int64) {
    var curl = curl
    _ = podcli_curl_set_offset(&curl, easy, option, Int(value))
  }

  private func set(_ option: CURLoption, _ value: String) {
    var curl = curl
    _ = podcli_curl_set_string(&curl, easy, option, value)
  }

  private func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer?) {
    var curl = curl
    _ = podcli_curl_set_pointer(&curl, easy, option, value)
  }

  private func setCallback(_ option: CURLoption, _ callback: @escaping podcli_curl_bytes) {
    var curl = curl
    _ = podcli_curl_set_bytes_callback(&curl, easy, option, callback)
  }
}

// MARK: - What arrives

extension CurlTransfer {
  private static let abort = -1
  private static let pause = Int(CURL_WRITEFUNC_PAUSE)

  private func takeHeaderLine(_ bytes: UnsafeRawBufferPointer) -> Int {
    // Trailers are no part of the head, and come long after the head's time is up.
    guard head == nil else { return bytes.count }
    collector.take(Substring(String(decoding: bytes, as: UTF8.self)))
    guard collector.isEndless else { return bytes.count }
    ownVerdict = TransferError(.stalled, "its headers have no end")
    return 0
  }

  private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
    noteBytes(bytes.count)
    do throws(TransferError) {
      let isFirst = head == nil
      announceHead()
      guard head?.isSuccess == true else { return try passOver(bytes.count) }
      if isFirst { decoder = try ContentDecoder(head?["content-encoding"]) }
      isPaused = try !decoder.take(bytes, handOn)
      return isPaused ? Self.pause : bytes.count
    } catch {
      ownVerdict = error
      return Self.abort
    }
  }

  /// The body of a failure is dropped.
  private func passOver(_ count: Int) throws(TransferError) -> Int {
    try checkLimit(count)
    received += Int64(count)
    return count
  }

  private func handOn(_ bytes: UnsafeRawBufferPointer) throws(TransferError) -> Bool {
    try checkLimit(bytes.count)
    guard receiver.didReceive(bytes) else { return false }
    received += Int64(bytes.count)
    return true
  }

  private func checkLimit(_ more: Int) throws(TransferError) {
    guard let byteLimit, received + Int64(more) > byteLimit else { return }
    throw TransferError(.tooLarge, "larger than \(byteLimit >> 20) MB")
  }

  private func announceHead() {
    guard head == nil else { return }
    var curl = curl
    var address: UnsafePointer<CChar>?
    _ = podcli_curl_get_string(&curl, easy, CURLINFO_EFFECTIVE_URL, &address)
    let head = HTTPHead(
      status: collector.status, headers: collector.headers, url: address.map { String(cString: $0) } ?? "",
      redirects: collector.redirects, version: collector.version)
    self.head = head
    receiver.didReceive(head)
  }
}

extension Duration {
  fileprivate var wholeMilliseconds: Int {
    Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
  }
}
