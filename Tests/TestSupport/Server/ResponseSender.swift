/// Sends one response over one connection, in pieces that end at the next event, burst or chunk.
struct ResponseSender {
  private let connection: Connection
  private let response: Response
  private let hasBody: Bool
  private var incidents: ArraySlice<Response.Incident>
  private(set) var bytesSent = 0 {
    didSet { progress(bytesSent) }
  }
  private let progress: (Int) -> Void

  /// `progress` hears how many bytes of the body were sent so far.
  init(connection: Connection, response: Response, method: String, progress: @escaping (Int) -> Void) {
    self.progress = progress
    self.connection = connection
    self.response = response
    hasBody = method != "HEAD" && response.status != 304 && response.status != 204 && response.status >= 200
    incidents = response.incidents.sorted { ($0.offset ?? -1) < ($1.offset ?? -1) }[...]
  }

  /// Whether another response may follow on the same connection.
  var keepsConnection: Bool {
    switch response.framing {
    case .length, .chunked: return true
    // Without a body, its end cannot be ambiguous.
    case .claimedLength, .endOfConnection: return !hasBody
    }
  }

  mutating func send() throws(Connection.End) {
    try takeIncidents(upTo: -1)
    if case .raw(let bytes) = response.body {
      try connection.send(bytes)
      throw .closed
    }
    if case .endlessHead(let line) = response.body { try sendHead(repeating: line) }
    try connection.send(Array(head.utf8), more: hasBody && incidents.isEmpty && response.pace == nil)
    guard hasBody else { return }
    try sendBody()
    if isChunked { try connection.send(Array("0\r\n\r\n".utf8)) }
  }

  private func sendHead(repeating line: [UInt8]) throws(Connection.End) {
    try connection.send(Array("HTTP/1.1 200 OK\r\n".utf8))
    while true {
      try connection.send(line)
      if let pace = response.pace { try connection.wait(until: Deadline(after: pace.interval)) }
    }
  }

  private mutating func sendBody() throws(Connection.End) {
    let total = response.bodyLength
    try takeIncidents(upTo: 0)
    while bytesSent < total {
      let end = min(total, bytesSent + pieceLimit, incidents.first?.offset ?? .max)
      try sendPiece(until: end)
      bytesSent = end
      try takeIncidents(upTo: bytesSent)
      if let pace = response.pace, bytesSent < total { try connection.wait(until: Deadline(after: pace.interval)) }
    }
    try takeIncidents(upTo: .max)
  }

  private func sendPiece(until end: Int) throws(Connection.End) {
    if isChunked { try connection.send(Array("\(String(end - bytesSent, radix: 16))\r\n".utf8), more: true) }
    let result: Result<Void, Connection.End> = response.withBytes(bytesSent..<end) { buffer in
      do throws(Connection.End) {
        return .success(try connection.send(buffer, more: isChunked))
      } catch { return .failure(error) }
    }
    try result.get()
    if isChunked { try connection.send([0x0D, 0x0A]) }
  }

  /// Performs the events that are due after `offset` bytes.
  private mutating func takeIncidents(upTo offset: Int) throws(Connection.End) {
    while let incident = incidents.first, (incident.offset ?? -1) <= offset {
      incidents.removeFirst()
      switch incident.event {
      case .pause(let duration): try connection.wait(until: Deadline(after: duration))
      case .wait(let gate): try connection.wait(gate: gate)
      case .stall: try connection.wait()
      case .cut: throw .closed
      case .reset: throw .reset
      }
    }
  }

  private var isChunked: Bool {
    if case .chunked = response.framing { return true }
    return false
  }

  /// The largest number of bytes to send at once; of an endless body, the rest of its pattern.
  private var pieceLimit: Int {
    var limit = response.pace?.bytes ?? 256 << 10
    if case .chunked(let size) = response.framing { limit = min(limit, size) }
    if case .endless(let pattern) = response.body { limit = min(limit, pattern.count - bytesSent % pattern.count) }
    return limit
  }

  private var head: String {
    var text = "HTTP/1.1 \(response.status) \(reason(response.status))\r\n"
    for (name, value) in response.headers { text += "\(name): \(value)\r\n" }
    if response.status != 304 && response.status != 204 { text += framingHeader }
    return text + (keepsConnection ? "" : "Connection: close\r\n") + "\r\n"
  }

  private var framingHeader: String {
    switch response.framing {
    case .length: "Content-Length: \(response.bodyLength)\r\n"
    case .claimedLength(let length): "Content-Length: \(length)\r\n"
    case .chunked: "Transfer-Encoding: chunked\r\n"
    case .endOfConnection: ""
    }
  }
}

extension Response {
  fileprivate var bodyLength: Int {
    switch body {
    case .bytes(let bytes): bytes.count
    case .raw(let bytes): bytes.count
    case .endless: .max
    case .endlessHead: 0
    }
  }

  /// The bytes of a piece; a piece of an endless body never crosses the end of its pattern.
  fileprivate func withBytes<Result>(_ range: Range<Int>, _ use: (UnsafeRawBufferPointer) -> Result) -> Result {
    switch body {
    case .bytes(let bytes):
      return bytes.withUnsafeBytes { use(UnsafeRawBufferPointer(rebasing: $0[range])) }
    case .raw(let bytes), .endlessHead(let bytes):
      return bytes.withUnsafeBytes { use(UnsafeRawBufferPointer(rebasing: $0[range])) }
    case .endless(let pattern):
      let start = range.lowerBound % pattern.count
      return pattern.withUnsafeBytes { use(UnsafeRawBufferPointer(rebasing: $0[start..<start + range.count])) }
    }
  }
}

/// The usual reason phrases, since clients show them to users.
private func reason(_ status: Int) -> String {
  let reasons = [
    200: "OK", 206: "Partial Content", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
    307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden",
    404: "Not Found", 410: "Gone", 416: "Range Not Satisfiable", 429: "Too Many Requests",
    500: "Internal Server Error", 503: "Service Unavailable",
  ]
  return reasons[status] ?? "Status"
}
