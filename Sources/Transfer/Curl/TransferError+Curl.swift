internal import CCurl

extension TransferError {
  init(curl code: CURLcode, text: String) {
    // libcurl's text has the address of a proxy with its password.
    let isUnsafe = text.isEmpty || text.contains("@")
    let message = isUnsafe ? Self.words(for: Self.code(for: code), code) : text
    // libcurl takes an answer that is no HTTP at all for HTTP/0.9, which is switched off, or for an unknown version.
    let isNoHTTP = code == CURLE_UNSUPPORTED_PROTOCOL && (text.contains("HTTP/0.9") || text.contains("HTTP version"))
    self.init(isNoHTTP ? .badAnswer : Self.code(for: code), message, curlCode: Int32(code.rawValue))
  }

  /// Where libcurl has none.
  private static func words(for kind: Code, _ code: CURLcode) -> String {
    switch kind {
    case .badAddress: "this is no web address"
    case .refusedRedirect: "it is not http or https"
    case .tooManyRedirects: "too many redirects"
    case .cannotResolve: "its name has no address"
    case .cannotConnect: "it takes no connections"
    case .insecure: "its certificate cannot be checked"
    case .stalled: "it does not answer"
    case .cut: "the connection broke off"
    case .tooLarge: "it is too large"
    case .badAnswer: "its answer is not HTTP"
    default: "the transfer failed (libcurl's error \(code.rawValue))"
    }
  }

  private static func code(for code: CURLcode) -> Code {
    switch code {
    case CURLE_URL_MALFORMAT: .badAddress
    case CURLE_UNSUPPORTED_PROTOCOL: .refusedRedirect
    case CURLE_TOO_MANY_REDIRECTS: .tooManyRedirects
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .cannotResolve
    case CURLE_COULDNT_CONNECT: .cannotConnect
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
      CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR:
      .insecure
    case CURLE_OPERATION_TIMEDOUT: .stalled
    case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
      .cut
    case CURLE_FILESIZE_EXCEEDED: .tooLarge
    case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_RANGE_ERROR, CURLE_OUT_OF_MEMORY: .badAnswer
    default: .failed
    }
  }
}
