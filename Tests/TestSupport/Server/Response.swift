/// What the server says to one request, as a value: status, headers, body, and every way to get it wrong.
/// Build one with a static function (`.ok`, `.resource`, `.redirect` ...) and bend it with the functions of
/// `Response+Misbehaviour.swift`; both read left to right: `.ok(audio).pausing(at: 1000, until: gate)`.
package struct Response: Sendable {
  package var status: Int
  package var headers: [(name: String, value: String)] = []
  var body: Body
  var framing = Framing.length
  var incidents: [Incident] = []
  var pace: Pace?
  var validators: Validators?
  var closesAfterwards = false

  enum Body {
    case bytes(ArraySlice<UInt8>)
    case endless([UInt8])
    /// Sent as they are instead of a response.
    case raw([UInt8])
    /// Header lines without an end; no body ever comes.
    case endlessHead([UInt8])
  }

  /// How the client learns where the body ends.
  enum Framing {
    case length
    case claimedLength(Int)
    case chunked(Int)
    case endOfConnection
  }

  /// Something that happens once `offset` bytes of the body are out; before the headers where there is no offset.
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

  /// At most `bytes` go out at once, one burst every `interval`.
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

  /// `location` goes out as given: absolute, relative, of another scheme, or nonsense.
  package static func redirect(to location: String, status: Int = 302) -> Response {
    Response.status(status).header("Location", location)
  }

  /// Bytes that are already compressed, said to be so.
  package static func gzipped(_ bytes: [UInt8], type: String) -> Response {
    ok(bytes, type: type).header("Content-Encoding", "gzip")
  }

  /// `pattern` over and over until the client has enough.
  package static func endless(
    _ pattern: [UInt8] = Array(repeating: 0x61, count: 4096), type: String, status: Int = 200
  ) -> Response {
    var response = Response(status: status, body: .endless(pattern.isEmpty ? [0] : pattern), type: type)
    response.framing = .endOfConnection
    return response
  }

  /// A status line, then `line` over and over until the client has enough.
  package static func endlessHead(_ line: String = "X-More: and more\r\n") -> Response {
    Response(status: 200, body: .endlessHead(Array(line.utf8)))
  }

  /// No HTTP at all: these bytes, then the end of the connection.
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
