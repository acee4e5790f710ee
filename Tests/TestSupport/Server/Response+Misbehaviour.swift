/// Offsets count the bytes of the body that this response sends; in a range, from its start.
/// Pauses and stalls also end when the client leaves or the server stops.
extension Response {
  /// Sends nothing, not even the headers, until the test opens `gate`.
  package func delayed(until gate: Gate) -> Response { adding(.wait(gate), at: nil) }
  package func delayed(by duration: Duration) -> Response { adding(.pause(duration), at: nil) }
  /// Accepts the request and never answers.
  package func neverAnswering() -> Response { adding(.stall, at: nil) }

  package func pausing(at offset: Int, until gate: Gate) -> Response { adding(.wait(gate), at: offset) }
  package func pausing(at offset: Int, for duration: Duration) -> Response { adding(.pause(duration), at: offset) }
  /// Stalls for ever after `offset` bytes.
  package func stalling(at offset: Int) -> Response { adding(.stall, at: offset) }
  /// Closes the connection in order after `offset` bytes, whatever the Content-Length.
  package func truncated(at offset: Int) -> Response { adding(.cut, at: offset) }
  /// Resets the connection (RST) after `offset` bytes; before the headers if nil.
  package func reset(at offset: Int? = nil) -> Response { adding(.reset, at: offset) }

  package func throttled(bytesPerSecond rate: Int) -> Response {
    paced(max(1, rate / 50), every: .milliseconds(rate < 50 ? 1000 / max(1, rate) : 20))
  }

  /// Sends bursts of `bytes`, one every `interval`.
  package func paced(_ bytes: Int, every interval: Duration) -> Response {
    with { $0.pace = Pace(bytes: max(1, bytes), interval: interval) }
  }

  package func chunked(_ size: Int = 16 << 10) -> Response { with { $0.framing = .chunked(max(1, size)) } }
  /// Sends no Content-Length: the body ends with the connection, so a truncation cannot be detected.
  package func withoutLength() -> Response { with { $0.framing = .endOfConnection } }
  /// Sends a wrong Content-Length.
  package func claimingLength(_ length: Int) -> Response { with { $0.framing = .claimedLength(length) } }

  private func adding(_ event: Event, at offset: Int?) -> Response {
    with { $0.incidents.append(Incident(offset: offset, event: event)) }
  }
}
