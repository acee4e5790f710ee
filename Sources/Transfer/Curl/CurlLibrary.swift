internal import CCurl
private import Glibc

/// libcurl, opened on first use.
enum CurlLibrary {
  /// Set once, before any thread uses it, and never changed: a table of C functions.
  nonisolated(unsafe) private static let loaded: Result<podcli_curl, TransferError> = load()

  static func table() throws(TransferError) -> podcli_curl { try loaded.get() }

  private static func load() -> Result<podcli_curl, TransferError> {
    var curl = podcli_curl()
    if let missing = podcli_curl_load(&curl) {
      return .failure(TransferError(.libraryMissing, String(cString: missing)))
    }
    let code = curl.curl_global_init(Int(CURL_GLOBAL_DEFAULT))
    guard code == CURLE_OK else {
      return .failure(TransferError(.libraryMissing, "libcurl does not start", curlCode: Int32(code.rawValue)))
    }
    return .success(curl)
  }
}
