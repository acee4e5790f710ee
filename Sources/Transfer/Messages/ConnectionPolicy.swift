/// How many connections at once, in all and to one host.
package struct ConnectionPolicy: Sendable {
  /// To all hosts together.
  package var total: Int
  /// Many podcasts share one big host, and a hundred feeds at 200 ms each take 4 s over six connections. Where a host
  /// speaks HTTP/2 one connection carries them all; a host that minds answers 429, and a refresh stops asking it.
  package var perHost: Int
  /// The name under which each host is asked.
  package var userAgents: UserAgents

  /// The default for refreshing hundreds of feeds.
  package init(total: Int = 256, perHost: Int = 64, userAgents: UserAgents = UserAgents()) {
    self.total = total
    self.perHost = perHost
    self.userAgents = userAgents
  }
}

/// The `User-Agent` of requests: podcli's own, except for hosts for which the user has set another.
package struct UserAgents: Hashable, Sendable {
  /// The product token of every request.
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
