package import PodcastStore

/// Why a sync with a server, or a part of it, did not work. Nothing in the library is undone by it.
package enum ServerError: Error, Hashable, Sendable {
  case network(NetworkFailure)
  /// User and password were refused.
  case refused
  /// There is no such interface at this address.
  case noServer
  /// Nextcloud answers, but its app for podcasts is not installed.
  case appMissing
  case status(Int)
  /// The server wants a pause: too many requests, or it is being maintained. In seconds.
  case busy(pause: Int64)
  /// The server is elsewhere.
  case moved(to: String)
  /// The answer is no answer of such a server: a web page, or cut off.
  case unreadable
  /// Not encrypted, so the password would be for all to read.
  case notEncrypted
  case badAddress(String)
  case notLoggedIn
  case loggedInElsewhere(String)
  case passwordMissing
  case secretsNotKept
  /// The user did not grant access in time.
  case notGranted
  /// So many removals at once look like a mistake.
  case massRemoval(count: Int, total: Int, isHere: Bool)
  /// The server had subscriptions and has none now.
  case suddenlyEmpty
  /// Another process syncs.
  case underway
  case store(StoreError)

  /// The form in which the library keeps it: a word, and what it was about.
  var text: String? {
    switch self {
    case .network(let failure): "network " + failure.message
    case .refused: "refused"
    case .noServer: "noServer"
    case .appMissing: "appMissing"
    case .status(let status): "status \(status)"
    case .busy(let pause): "busy \(pause)"
    case .moved(let address): "moved " + address
    case .unreadable: "unreadable"
    case .passwordMissing: "passwordMissing"
    case .suddenlyEmpty: "suddenlyEmpty"
    case .massRemoval(let count, let total, let isHere): "massRemoval \(count) \(total) \(isHere ? 1 : 0)"
    default: nil
    }
  }

  /// Nil for a text that is none of these.
  package init?(text: String) {
    let rest = text.drop { $0 != " " }.dropFirst()
    let numbers = rest.split(separator: " ").compactMap { Int($0) }
    switch (text.prefix { $0 != " " }, numbers.count) {
    case ("network", _): self = .network(NetworkFailure(.broken, String(rest)))
    case ("refused", _): self = .refused
    case ("noServer", _): self = .noServer
    case ("appMissing", _): self = .appMissing
    case ("status", 1): self = .status(numbers[0])
    case ("busy", 1): self = .busy(pause: Int64(numbers[0]))
    case ("moved", _): self = .moved(to: String(rest))
    case ("unreadable", _): self = .unreadable
    case ("passwordMissing", _): self = .passwordMissing
    case ("suddenlyEmpty", _): self = .suddenlyEmpty
    case ("massRemoval", 3): self = .massRemoval(count: numbers[0], total: numbers[1], isHere: numbers[2] == 1)
    default: return nil
    }
  }

  /// Trying the next step makes no sense.
  var endsRound: Bool {
    switch self {
    case .network, .refused, .busy, .moved, .store, .noServer: true
    default: false
    }
  }
}
