/// HTTP for all of podcli: one client, one thread, many transfers.
///
/// - `HTTPClient.fetch`: a small answer, whole (`HTTPAnswer`)
/// - `HTTPClient.stream`: an answer as it arrives (`HTTPStream`); the server waits for the consumer
/// - `Messages/`: `HTTPRequest` with `ByteRange` and `TransferLimits`, `HTTPHead`, `TransferError`, `AddressGate`,
///   `ConnectionPolicy` with `UserAgents`
/// - `Curl/`: the loop around libcurl's multi handle · `Decoding/`: gzip and deflate, and the files of a ZIP archive
package final class HTTPClient: Sendable {
  private let loop: CurlLoop

  /// Loads libcurl on first use.
  package init(_ policy: ConnectionPolicy = ConnectionPolicy()) throws(TransferError) {
    loop = try CurlLoop(policy)
  }

  deinit { loop.stop() }

  /// Waits for a small answer whole.
  package func fetch(_ request: HTTPRequest) async throws(TransferError) -> HTTPAnswer {
    let collector = BodyCollector()
    let head = try await collector.run(request, on: loop)
    return HTTPAnswer(head: head, body: collector.body)
  }

  /// Starts a transfer whose bytes are handed on as they arrive. About `bufferSize` bytes may wait for the consumer.
  package func stream(_ request: HTTPRequest, buffering bufferSize: Int = 64 << 10) -> HTTPStream {
    let stream = HTTPStream()
    stream.limitBuffer(to: bufferSize)
    stream.begin(request, on: loop)
    return stream
  }
}
