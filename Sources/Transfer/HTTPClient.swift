/// HTTP for the journeys. One client, one thread, many transfers.
///
/// Three ways to use it, from simple to bare: `fetch` waits for a small answer whole, `stream` hands on bytes
/// as they arrive and makes the server wait for the consumer, `start` reports to a receiver on the client's thread.
package final class HTTPClient: Sendable {
  private let loop: CurlLoop

  package init(_ policy: ConnectionPolicy = ConnectionPolicy()) throws(TransferError) {
    loop = try CurlLoop(policy)
  }

  deinit { loop.stop() }

  package func start(_ request: HTTPRequest, receiver: any TransferReceiver) -> TransferHandle {
    loop.start(request, receiver: receiver)
  }

  package func fetch(_ request: HTTPRequest) async throws(TransferError) -> HTTPAnswer {
    let collector = BodyCollector()
    let head = try await collector.run(request, on: loop)
    return HTTPAnswer(head: head, body: collector.body)
  }

  /// `buffering`: so many bytes, about, may wait for the consumer.
  package func stream(_ request: HTTPRequest, buffering bufferSize: Int = 64 << 10) -> HTTPStream {
    let stream = HTTPStream()
    stream.letWait(bufferSize)
    stream.begin(request, on: loop)
    return stream
  }
}

/// How many connections at once, in all and to one host.
package struct ConnectionPolicy: Sendable {
  package var total: Int
  /// Many podcasts share one big host, and a hundred feeds at 200 ms each take 4 s over six connections. Where a host
  /// speaks HTTP/2 one connection carries them all; one that minds says so, and whoever refreshes stops asking it.
  package var perHost: Int
  package var userAgents: UserAgents

  package init(total: Int = 256, perHost: Int = 64, userAgents: UserAgents = UserAgents()) {
    self.total = total
    self.perHost = perHost
    self.userAgents = userAgents
  }
}

/// Who podcli says it is: itself, except to hosts that the user has named because they turn it away.
package struct UserAgents: Hashable, Sendable {
  package static let product = "podcli/1.0"

  private let named: [String: String]

  /// By host; a domain stands for all hosts in it.
  package init(_ named: [String: String] = [:]) { self.named = named }

  /// By the address that is asked first: redirects are followed under the same name.
  func agent(for url: String) -> String {
    guard !named.isEmpty else { return Self.product }
    var host = AddressGate.host(of: url)[...]
    while !host.isEmpty {
      if let agent = named[String(host)] { return agent }
      host = host.drop { $0 != "." }.dropFirst()
    }
    return Self.product
  }
}

/// Hears of one transfer, on the client's thread: no method may block. `didEnd` comes exactly once, last.
package protocol TransferReceiver: AnyObject, Sendable {
  func didReceive(_ head: HTTPHead)
  /// Returns whether to go on at once; when false, nothing more comes until `TransferHandle.resume`,
  /// and these bytes come again.
  func didReceive(_ bytes: UnsafeRawBufferPointer) -> Bool
  func didEnd(_ result: Result<HTTPHead, TransferError>)
}

/// A running transfer. Letting go of it does not end it; `cancel` does, and frees everything.
package struct TransferHandle: Sendable {
  let id: UInt64
  let loop: CurlLoop

  package func cancel() { loop.cancel(id) }
  package func resume() { loop.resume(id) }
}
