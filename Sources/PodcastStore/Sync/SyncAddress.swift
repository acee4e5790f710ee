internal import Text

/// Addresses in the forms by which machines recognise podcasts and episodes.
package enum SyncAddress {
  /// A feed's address without its scheme, user, usual port, fragment and last slash, the host in lower case.
  package static func key(_ address: String) -> String {
    let url = WebURL(address)
    guard let authority = url.authority else { return address }
    var host = String(authority.split(separator: "@", omittingEmptySubsequences: false).last ?? "").lowercased()
    for port in [":80", ":443", ":"] where host.hasSuffix(port) { host.removeLast(port.count) }
    var key = host + url.path
    if let query = url.query { key += "?" + query } else if key.hasSuffix("/") { key.removeLast() }
    return key
  }

  /// Two hashes of an enclosure's address: without its query, which some sites change at each request, and with it, which
  /// alone tells the episodes of other sites apart.
  package static func media(_ address: String) -> (bare: String, whole: String) {
    let rest = withoutScheme(address)
    return (hash(rest.prefix { $0 != "?" }), hash(rest))
  }

  private static func withoutScheme(_ address: String) -> Substring {
    for scheme in ["https://", "http://"] where address.hasPrefix(scheme) { return address.dropFirst(scheme.count) }
    return address[...]
  }

  /// FNV-1a with 64 bits, in hexadecimal digits.
  package static func hash(_ text: Substring) -> String { FNV1a.digits(FNV1a.hash(text)) }

  /// An address that another machine may bring: plain http, without a user, and of a bearable length.
  static func isFit(_ address: String) -> Bool {
    guard address.utf8.count <= 4000, WebURL.isCleanHTTP(address) else { return false }
    let url = WebURL(address)
    return url.isHTTP && url.authority?.contains("@") == false
      && !address.unicodeScalars.contains { $0.isUnsafeToShow }
  }
}
