/// Offsets count bytes of the body as this response sends it: of a range, from the range's start.
/// Pauses and stalls also end when the client leaves or the server stops.
extension Response {
  /// Nothing is said, not even the headers, until the test opens `gate`.
  package func delayed(until gate: Gate) -> Response { adding(.wait(gate), at: nil) }
  package func delayed(by duration: Duration) -> Response { adding(.pause(duration), at: nil) }
  /// The request is accepted and never answered.
  package func neverAnswering() -> Response { adding(.stall, at: nil) }

  package func pausing(at offset: Int, until gate: Gate) -> Response { adding(.wait(gate), at: offset) }
  package func pausing(at offset: Int, for duration: Duration) -> Response { adding(.pause(duration), at: offset) }
  /// Silence for ever after `offset` bytes.
  package func stalling(at offset: Int) -> Response { adding(.stall, at: offset) }
  /// An orderly end of the connection after `offset` bytes, whatever length was promised.
  package func truncated(at offset: Int) -> Response { adding(.cut, at: offset) }
  /// A reset connection (RST) after `offset` bytes; nil for before the headers.
  package func reset(at offset: Int? = nil) -> Response { adding(.reset, at: offset) }

  package func throttled(bytesPerSecond rate: Int) -> Response {
    paced(max(1, rate / 50), every: .milliseconds(rate < 50 ? 1000 / max(1, rate) : 20))
  }

  /// `bytes` at a time, one burst every `interval`.
  package func paced(_ bytes: Int, every interval: Duration) -> Response {
    with { $0.pace = Pace(bytes: max(1, bytes), interval: interval) }
  }

  package func chunked(_ size: Int = 16 << 10) -> Response { with { $0.framing = .chunked(max(1, size)) } }
  /// No Content-Length: the body ends where the connection does, so a truncation cannot be seen.
  package func withoutLength() -> Response { with { $0.framing = .endOfConnection } }
  /// A Content-Length that is not true.
  package func claimingLength(_ length: Int) -> Response { with { $0.framing = .claimedLength(length) } }
  package func closingAfterwards() -> Response { with { $0.closesAfterwards = true } }

  private func adding(_ event: Event, at offset: Int?) -> Response {
    with { $0.incidents.append(Incident(offset: offset, event: event)) }
  }
}
