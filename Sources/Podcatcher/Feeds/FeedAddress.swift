private import Text

/// The address of a feed, as people paste it. Pure.
package enum FeedAddress: Hashable, Sendable {
  case web(String)
  /// An absolute path.
  case file(String)

  private static let feedSchemes = ["feed", "pcast", "podcast", "itpc", "podto"]

  /// Nil for a text that cannot be an address. `isFile` tells whether a path leads to a file of this machine.
  package init?(_ text: String, isFile: (String) -> String?) {
    let text = text.trimmingBlanks()
    guard !text.isEmpty else { return nil }
    if let path = isFile(text) {
      self = .file(path)
    } else if let web = Self.webAddress(text) {
      self = .web(web)
    } else {
      return nil
    }
  }

  /// A list may come from anywhere, so it names addresses with a scheme, and no file of this machine.
  package static func web(inList text: String) -> String? {
    guard text.contains(":"), case .web(let url) = FeedAddress(text, isFile: { _ in nil }) else { return nil }
    return url
  }

  private static func webAddress(_ text: String) -> String? {
    guard let colon = text.firstIndex(of: ":") else { return bareHost(text) }
    let scheme = text[..<colon].lowercased()
    let rest = text[text.index(after: colon)...]
    if scheme == "http" || scheme == "https" { return rest.hasPrefix("//") ? scheme + ":" + rest : nil }
    if feedSchemes.contains(scheme) { return insideFeedScheme(rest) }
    // `example.org:8080/feed` has a port where a scheme would end.
    let isPort = rest.prefix { $0 != "/" }.allSatisfy(\.isNumber) && rest.first?.isNumber == true
    return isPort ? bareHost(text) : nil
  }

  /// `feed:https://…` carries an address; `feed://…` stands for one.
  private static func insideFeedScheme(_ rest: Substring) -> String? {
    let lowercased = rest.drop { $0 == "/" }.lowercased()
    if lowercased.hasPrefix("http://") || lowercased.hasPrefix("https://") {
      return webAddress(String(rest.drop { $0 == "/" }))
    }
    let host = rest.drop { $0 == "/" }
    return host.isEmpty ? nil : "http://" + host
  }

  private static func bareHost(_ text: String) -> String? {
    let host = text.prefix { !"/?#:".contains($0) }
    let isHost = host.contains(".") && !host.contains(where: \.isWhitespace) && !host.hasPrefix(".")
    return isHost || host.lowercased() == "localhost" ? "https://" + text : nil
  }
}
