/// The response to a request, as a value: status, headers, body, and every kind of misbehaviour.
/// Static functions make one (`.ok`, `.resource`, `.redirect` ...) and the functions of `Response+Misbehaviour.swift`
/// change it; both read left to right: `.ok(audio).pausing(at: 1000, until: gate)`.
package struct Response: Sendable {
  package var status: Int
  package var headers: [(name: String, value: String)] = []
  var body: Body
  var framing = Framing.length
  var incidents: [Incident] = []
  var pace: Pace?
  var validators: Validators?

  enum Body {
    case bytes(ArraySlice<UInt8>)
    case endless([UInt8])
    /// These bytes are sent unchanged instead of a response.
    case raw([UInt8])
    /// Endless header lines, without a body.
    case endlessHead([UInt8])
  }

  /// How the end of the body is marked.
  enum Framing {
    case length
    case claimedLength(Int)
    case chunked(Int)
    case endOfConnection
  }

  /// An event after `offset` bytes of the body; before the headers if there is no offset.
  struct Incident {
    let offset: Int?
    let event: Event
  }

  enum Event {
    case pause(Duration)
    case wait(Gate)
    case stall
    case cut
    case reset
  }

  /// Sends at most `bytes` at once, one burst every `interval`.
  struct Pace {
    let bytes: Int
    let interval: Duration
  }

  init(status: Int, body: Body, type: String? = nil) {
    self.status = status
    self.body = body
    headers = type.map { [("Content-Type", $0)] } ?? []
  }
}

extension Response {
  package static func ok(_ bytes: [UInt8], type: String = "application/octet-stream") -> Response {
    Response(status: 200, body: .bytes(bytes[...]), type: type)
  }

  package static func ok(_ text: String, type: String = "text/plain; charset=utf-8") -> Response {
    ok(Array(text.utf8), type: type)
  }

  package static func feed(_ xml: [UInt8]) -> Response {
    ok(xml, type: "application/rss+xml")
  }

  package static func status(_ status: Int, _ text: String = "") -> Response {
    Response(status: status, body: .bytes(Array(text.utf8)[...]), type: "text/plain; charset=utf-8")
  }

  /// `location` is sent unchanged: absolute, relative, of another scheme, or nonsense.
  package static func redirect(to location: String, status: Int = 302) -> Response {
    Response.status(status).header("Location", location)
  }

  /// Bytes that are already compressed, with the Content-Encoding.
  package static func gzipped(_ bytes: [UInt8], type: String) -> Response {
    ok(bytes, type: type).header("Content-Encoding", "gzip")
  }

  /// Repeats `pattern` until the client leaves.
  package static func endless(
    _ pattern: [UInt8] = Array(repeating: 0x61, count: 4096), type: String, status: Int = 200
  ) -> Response {
    var response = Response(status: status, body: .endless(pattern.isEmpty ? [0] : pattern), type: type)
    response.framing = .endOfConnection
    return response
  }

  /// Sends a status line, then repeats `line` until the client leaves.
  package static func endlessHead(_ line: String = "X-More: and more\r\n") -> Response {
    Response(status: 200, body: .endlessHead(Array(line.utf8)))
  }

  /// Sends these bytes instead of HTTP, then closes the connection.
  package static func garbage(_ bytes: [UInt8]) -> Response {
    Response(status: 0, body: .raw(bytes))
  }

  package func header(_ name: String, _ value: String) -> Response {
    with { $0.headers.append((name, value)) }
  }

  func with(_ change: (inout Response) -> Void) -> Response {
    var copy = self
    change(&copy)
    return copy
  }
}
