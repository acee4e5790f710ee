/// A URL in its five parts, and the resolution of relative references (RFC 3986, section 5). Blanks are tolerated.
package struct WebURL: Hashable, Sendable {
  /// In lower case.
  package var scheme: String?
  /// User, host and port as written: `user@host:8080`.
  package var authority: String?
  /// As written, percent-encoding included.
  package var path = ""
  package var query: String?
  package var fragment: String?

  /// Splits any text into parts; does not validate them.
  package init(_ text: String) {
    var rest = Self.cleaned(text)[...]
    if let end = Self.schemeEnd(in: rest) {
      scheme = rest[..<end].lowercased()
      rest = rest[rest.index(after: end)...]
    }
    if let hash = Self.first("#", in: rest) {
      fragment = String(rest[rest.utf8.index(after: hash)...])
      rest = rest[..<hash]
    }
    if let question = Self.first("?", in: rest) {
      query = String(rest[rest.utf8.index(after: question)...])
      rest = rest[..<question]
    }
    if rest.utf8.starts(with: "//".utf8) {
      let start = rest.utf8.index(rest.startIndex, offsetBy: 2)
      let end = Self.first("/", in: rest[start...]) ?? rest.endIndex
      authority = String(rest[start..<end])
      rest = rest[end...]
    }
    path = String(rest)
  }

  /// By bytes: a mark that combines with the delimiter does not hide it, and whole characters take ten times as long.
  private static func first(_ delimiter: Unicode.Scalar, in text: Substring) -> String.Index? {
    let byte = UInt8(ascii: delimiter)
    let offset = text.utf8.withContiguousStorageIfAvailable { $0.firstIndex(of: byte) }
    guard let offset else { return text.utf8.firstIndex(of: byte) }
    return offset.map { text.utf8.index(text.startIndex, offsetBy: $0) }
  }

  /// The host in lower case, without user and port.
  package var host: String? {
    guard let authority else { return nil }
    let afterUser = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority[...]
    if afterUser.hasPrefix("["), let end = afterUser.firstIndex(of: "]") {
      return afterUser[...end].lowercased()
    }
    return afterUser.prefix { $0 != ":" }.lowercased()
  }

  /// The scheme, the host and the port: credentials go nowhere else.
  package var origin: String {
    let afterUser = authority?.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    let host = host ?? ""
    let port = afterUser.dropFirst(host.count).drop { $0 == ":" }
    let usual = scheme == "http" ? "80" : scheme == "https" ? "443" : ""
    return "\(scheme ?? "")://\(host):\(port.isEmpty ? usual : String(port))"
  }

  /// `http` or `https`, with a host: what podcli may fetch.
  package var isHTTP: Bool {
    (scheme == "http" || scheme == "https") && host?.isEmpty == false
  }

  /// True for a text that begins with `http://` or `https://`; the rest is not checked.
  package static func looksLikeHTTP(_ text: String) -> Bool {
    text.utf8.withContiguousStorageIfAvailable(looksLikeHTTP) ?? looksLikeHTTP(String(text.utf8.prefix(8)) ?? "")
  }

  /// True for an absolute http URL without blanks: resolving does not change it.
  package static func isCleanHTTP(_ text: String) -> Bool {
    text.utf8.withContiguousStorageIfAvailable(isCleanHTTP) ?? false
  }

  /// The same for bytes.
  package static func isCleanHTTP(_ text: UnsafeBufferPointer<UInt8>) -> Bool { looksLikeHTTP(text) && !hasBlank(text) }

  private static func looksLikeHTTP(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    begins(text, "http://") || begins(text, "https://")
  }

  /// `start` is in lower case.
  private static func begins(_ text: UnsafeBufferPointer<UInt8>, _ start: StaticString) -> Bool {
    guard text.count >= start.utf8CodeUnitCount else { return false }
    for index in 0..<start.utf8CodeUnitCount {
      let byte = text[index]
      if ASCII.lowercased(byte) != start.utf8Start[index] { return false }
    }
    return true
  }

  /// The URL as text.
  package var description: String {
    var text = scheme.map { $0 + ":" } ?? ""
    if let authority { text += "//" + authority }
    text += path
    if let query { text += "?" + query }
    if let fragment { text += "#" + fragment }
    return text
  }

  /// Resolves `reference` against this URL.
  private func resolving(_ reference: String) -> String {
    let cleaned = Self.cleaned(reference)
    if Self.schemeEnd(in: cleaned[...]) != nil { return cleaned }
    var target = WebURL(cleaned)
    target.scheme = scheme
    guard target.authority == nil else { return target.description }
    target.authority = authority
    if target.path.isEmpty {
      target.path = path
      target.query = target.query ?? query
    } else {
      target.path = Self.withoutDots(target.path.hasPrefix("/") ? target.path : merged(target.path))
    }
    return target.description
  }

  /// Resolves `reference` against the base; without a base only removes blanks.
  package static func resolve(_ reference: String, against base: String?) -> String {
    if isCleanHTTP(reference) { return reference }
    let cleaned = cleaned(reference)
    if looksLikeHTTP(cleaned) { return cleaned }
    guard let base, schemeEnd(in: cleaned[...]) == nil else { return cleaned }
    return WebURL(base).resolving(cleaned)
  }

  private func merged(_ relative: String) -> String {
    if authority != nil, path.isEmpty { return "/" + relative }
    guard let slash = path.lastIndex(of: "/") else { return relative }
    return path[...slash] + relative
  }

  private static func withoutDots(_ path: String) -> String {
    var output: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch segment {
      case ".": if isLast { output.append("") }
      case "..":
        if output.count > 1 { output.removeLast() }
        if isLast { output.append("") }
      default: output.append(segment)
      }
    }
    return output.joined(separator: "/")
  }

  /// The index of the scheme's colon. A colon behind a byte that no scheme has belongs to the path.
  private static func schemeEnd(in text: Substring) -> String.Index? {
    guard let first = text.utf8.first, ASCII.isLetter(first) else { return nil }
    guard let end = text.utf8.firstIndex(where: { !isSchemeByte($0) }), text.utf8[end] == UInt8(ascii: ":") else {
      return nil
    }
    return end
  }

  private static func isSchemeByte(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: ".")
  }

  private static func hasBlank(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    // Without an early exit the compiler vectorises the loop.
    var found: UInt8 = 0
    for byte in bytes { found |= byte <= 0x20 || byte == 0x7F ? 1 : 0 }
    return found != 0
  }

  /// Trims blanks and control bytes, removes line breaks and tabs inside, and writes inner blanks as `%20`.
  private static func cleaned(_ text: String) -> String {
    if text.utf8.withContiguousStorageIfAvailable({ !hasBlank($0) }) ?? false { return text }
    var bytes = Array(text.utf8.drop { $0 <= 0x20 || $0 == 0x7F })
    while let last = bytes.last, last <= 0x20 || last == 0x7F { bytes.removeLast() }
    var output: [UInt8] = []
    for byte in bytes where byte >= 0x20 && byte != 0x7F {
      if byte == 0x20 { output += "%20".utf8 } else { output.append(byte) }
    }
    return String(decoding: output, as: UTF8.self)
  }
}
