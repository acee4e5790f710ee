/// The one check that every address passes before libcurl sees it.
package enum AddressGate {
  /// In bytes.
  package static let longest = 8192

  /// The reason why the address is refused, in words; nil when it may be fetched.
  package static func fault(in url: String) -> String? {
    let bytes = url.utf8
    if bytes.count > longest { return "the address is longer than \(longest) bytes" }
    if bytes.contains(where: { $0 <= 32 || $0 == 127 }) { return "the address has blanks or control characters in it" }
    guard let schemeEnd = url.firstRange(of: "://") else {
      let scheme = url.prefix { $0 != ":" && $0 != "/" }
      return scheme.endIndex < url.endIndex && url[scheme.endIndex] == ":"
        ? "\(scheme.lowercased()): is not http or https" : "it is no web address"
    }
    let scheme = url[..<schemeEnd.lowerBound].lowercased()
    guard scheme == "http" || scheme == "https" else { return "\(scheme): is not http or https" }
    return host(in: url[schemeEnd.upperBound...]).isEmpty ? "the address has no host" : nil
  }

  /// In lower case, without user and port; empty where there is none.
  static func host(of url: String) -> String {
    guard let schemeEnd = url.firstRange(of: "://") else { return "" }
    return host(in: url[schemeEnd.upperBound...])
  }

  private static func host(in rest: Substring) -> String {
    let authority = rest.prefix { !"/?#".contains($0) }
    let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    let isNumeric = host.hasPrefix("[")
    return host.prefix { isNumeric ? $0 != "]" : $0 != ":" }.lowercased() + (isNumeric ? "]" : "")
  }
}
