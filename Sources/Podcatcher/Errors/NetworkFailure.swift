package import Transfer

/// Why the network gave no answer: the transfer's error, reduced to the reasons that messages and retries tell apart.
package struct NetworkFailure: Error, Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    /// libcurl is not installed.
    case libraryMissing
    /// `--offline` was given.
    case offline
    case badAddress, refusedRedirect, cannotResolve, cannotConnect, insecure, tooLarge, badAnswer
    /// The connection stalled or broke, or the transfer was cancelled.
    case broken
  }

  package var reason: Reason
  /// libcurl's own words where it gave any.
  package var message: String

  init(_ reason: Reason, _ message: String) {
    self.reason = reason
    self.message = message
  }

  package init(_ error: TransferError) {
    self.init(Self.reason(error), error.message)
  }

  /// The error of every transfer while `--offline` holds.
  static let offline = TransferError(.failed, "--offline was given")

  private static func reason(_ error: TransferError) -> Reason {
    switch error.code {
    case .libraryMissing: .libraryMissing
    case .badAddress: .badAddress
    case .refusedRedirect: .refusedRedirect
    case .cannotResolve: .cannotResolve
    case .cannotConnect: .cannotConnect
    case .insecure: .insecure
    case .tooLarge: .tooLarge
    case .badAnswer, .badEncoding, .tooManyRedirects: .badAnswer
    case .stalled, .cut, .cancelled: .broken
    case .failed: error == offline ? .offline : .broken
    }
  }
}
