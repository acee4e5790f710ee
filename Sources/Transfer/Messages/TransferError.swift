/// Why a transfer did not end with an answer. An answer of any status is not an error.
package struct TransferError: Error, Hashable, Sendable {
  /// The kind of failure.
  package enum Code: String, Sendable {
    /// libcurl is not installed.
    case libraryMissing
    /// Not an address of ours: another scheme, no host, control characters, too long.
    case badAddress
    /// A redirect led to a scheme other than http or https.
    case refusedRedirect
    case tooManyRedirects
    case cannotResolve
    case cannotConnect
    /// The certificate is not trusted, or the handshake failed.
    case insecure
    /// Nothing, or next to nothing, came for too long.
    case stalled
    /// The connection broke before the whole answer was here.
    case cut
    case tooLarge
    case badAnswer
    /// The body is packed in a way that was not asked for, or that it is not.
    case badEncoding
    case cancelled
    case failed
  }

  /// The kind of failure.
  package var code: Code
  /// libcurl's message, or our own.
  package var message: String
  /// libcurl's own number, where it gave one.
  var curlCode: Int32?

  /// An error of this kind.
  package init(_ code: Code, _ message: String, curlCode: Int32? = nil) {
    self.code = code
    self.message = message
    self.curlCode = curlCode
  }

  /// The transfer was cancelled.
  package static let cancelled = TransferError(.cancelled, "cancelled")
}
